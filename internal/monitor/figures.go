package monitor

import (
	"math"
	"slices"

	"github.com/ringtrue/ringtrue/internal/bucket"
	"github.com/ringtrue/ringtrue/internal/trend"
)

// figure is one quantity that monitoring can show, and how to read it from a bucket.
type figure struct {
	trend.Metric
	// unit is "calls", "share", "score", "s" or "usd".
	unit string
	// hits and n are the numerator and denominator of a share; for other figures n is the
	// number of values.
	hits, n []bucket.Count
	less    bucket.Count // subtracted from n; nothing for none
	// sum and squares of a mean, multiplied by scale and its square to give the unit.
	sum, squares bucket.Count
	scale        float64
	// spread is the index of a quantile's sketch in Shape.Sketches, quick its index in
	// Slot.Quantiles, −1 for none.
	spread int
	quick  int
}

const nothing = bucket.NumCounts

// figures returns everything that can be shown, in the order of importance.
func figures() []figure {
	const duration, latency, reported = 0, 1, 2
	share := func(name string, hits bucket.Count, less bucket.Count, n ...bucket.Count) figure {
		return figure{Metric: metricOf(name, trend.Rate), unit: "share", hits: []bucket.Count{hits}, n: n, less: less, quick: -1}
	}
	mean := func(name, unit string, sum, squares bucket.Count, scale float64, n ...bucket.Count) figure {
		return figure{Metric: metricOf(name, trend.Mean), unit: unit, sum: sum, squares: squares, n: n, less: nothing, scale: scale, quick: -1}
	}
	quantile := func(name string, spread, quick int, n bucket.Count) figure {
		return figure{Metric: metricOf(name, trend.Quantile), unit: "s", spread: spread, quick: quick, n: []bucket.Count{n}, less: nothing}
	}
	return []figure{
		{Metric: metricOf("calls", trend.Count), unit: "calls", n: []bucket.Count{bucket.Calls}, less: nothing, quick: -1},
		share("answered_rate", bucket.Answered, nothing, bucket.Calls),
		share("error_rate", bucket.Errors, bucket.Voided, bucket.Calls),
		share("failed_rate", bucket.FailedCalls, bucket.Voided, bucket.Calls),
		share("pass_rate", bucket.Passed, nothing, bucket.Passed, bucket.NotPassed),
		share("drop_off_rate", bucket.Dropped, nothing, bucket.Answered),
		share("upset_rate", bucket.UpsetCalls, nothing, bucket.FeltCalls),
		mean("valence", "score", bucket.ValenceSum, bucket.ValenceSquares, 1e-3, bucket.Negative, bucket.Neutral, bucket.Positive),
		mean("frustration", "score", bucket.FrustrationSum, bucket.FrustrationSquares, 1e-3, bucket.FeltCalls),
		mean("reported_valence", "score", bucket.ReportedValenceSum, bucket.ReportedValenceSquares, 1e-3, bucket.ReportedFelt),
		quantile("latency_p50", latency, 0, bucket.LatencyN),
		quantile("latency_p95", latency, 1, bucket.LatencyN),
		quantile("reported_latency_p50", reported, 2, bucket.ReportedN),
		quantile("reported_latency_p95", reported, 3, bucket.ReportedN),
		quantile("duration_p50", duration, 4, bucket.Answered),
		mean("cost", "usd", bucket.CostSum, bucket.CostSquares, 1e-6, bucket.Costed),
	}
}

// metricOf returns the metric that package trend watches under that name, or one that is
// only shown.
func metricOf(name string, kind trend.Kind) trend.Metric {
	if m, ok := trend.MetricOf(name); ok {
		return m
	}
	return trend.Metric{Name: name, Kind: kind, Quiet: true}
}

func (f *figure) watched() bool {
	_, ok := trend.MetricOf(f.Name)
	return ok
}

func figureOf(name string) (figure, bool) {
	all := figures()
	at := slices.IndexFunc(all, func(f figure) bool { return f.Name == name })
	if at < 0 {
		return figure{}, false
	}
	return all[at], true
}

func figureNames() []string {
	var names []string
	for _, f := range figures() {
		names = append(names, f.Name)
	}
	return names
}

// on returns how much the figure is based on: calls, or the values of a quantile.
func (f *figure) on(c *bucket.Counts) int64 {
	var n int64
	for _, at := range f.n {
		n += c[at]
	}
	if f.less != nothing {
		n -= c[f.less]
	}
	return max(n, 0)
}

// point returns the bucket's data for the figure; shape may be nil for figures that need
// none.
func (f *figure) point(c *bucket.Counts, shape *bucket.Shape) trend.Point {
	p := trend.Point{N: f.on(c)}
	switch f.Kind {
	case trend.Rate:
		for _, at := range f.hits {
			p.Hits += c[at]
		}
		p.Hits = min(p.Hits, p.N)
	case trend.Mean:
		p.Sum = float64(c[f.sum]) * f.scale
		scale := f.scale
		if f.squares == bucket.CostSquares {
			scale = 1e-4
		}
		p.Squares = float64(c[f.squares]) * scale * scale
	case trend.Quantile:
		if shape != nil {
			p.Sketch = shape.Sketches()[f.spread]
		}
		p.N = min(p.N, c[bucket.Calls])
	case trend.Count:
	}
	return p
}

// seen returns the figure of a bucket; ok is false if it is based on nothing.
func (f *figure) seen(c *bucket.Counts, shape *bucket.Shape) (v float64, ok bool) {
	return f.Value(f.point(c, shape))
}

// quickly returns the figure of an hour or a day without reading its sketches.
func (f *figure) quickly(s *bucket.Slot) (v float64, ok bool) {
	if f.quick >= 0 {
		return float64(s.Quantiles[f.quick]) / 1000, f.on(&s.Counts) > 0
	}
	return f.seen(&s.Counts, nil)
}

func finite(values ...float64) bool {
	for _, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return false
		}
	}
	return true
}
