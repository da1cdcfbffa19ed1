package departure

import (
	"math"
	"slices"
	"time"

	"github.com/ringtrue/ringtrue/internal/trend"
	"github.com/ringtrue/ringtrue/internal/trend/sketch"
)

const (
	dayHours  = 24
	weekHours = 7 * dayHours
)

// hour is one hour of a series, with what was expected of it.
type hour struct {
	point trend.Point
	// cell is the hour of the week in the series' zone, from Monday at 0; day counts days from the
	// start.
	cell, day int
	// of is the size of the hour's data as a number of independent observations (1 for a Count), and x
	// their sum: calls, hits, the sum of values, or values above the threshold.
	of, x float64
	// value is the hour's value, for a Quantile its logarithm; has says that there is one.
	value float64
	has   bool

	// known says that there was enough history to expect x to be e, with variance b by chance alone.
	// scale is how much x changes when the underlying parameter changes by one unit: the relative level
	// of a count, the logit of a share, the standard deviation of a mean. sd is the total standard
	// deviation.
	known       bool
	e, b, scale float64
	sd          float64
	expected    float64    // in the metric's own unit
	spread      float64    // variance of the hours within a day, in units of scale
	common      float64    // variance of whole days, likewise
	level       float64    // of a Count: its level; of a Quantile: the logarithm of what is expected of any hour
	curve       *curve     // of a Quantile: the distribution of its values
	shareAbove  float64    // of a Quantile: the expected share of values above the threshold
	masked      bool       // not learned from
	off         trend.Sign // direction of the closed departure it belongs to
	astray      bool       // learned from, although expected by the previous level
	clipped     float64    // x with outliers limited, for learning
}

// grid is a series divided into hours.
type grid struct {
	m     trend.Metric
	hours []hour
	days  []int // first hour of each local day, and the end
	// weekday is the day of the week of each day; Monday is 0.
	weekday []int
	start   time.Time
	// level is the first hour of the current level; the hours before only teach the shape of the week.
	level int
	// back is the current level of a Count if it is known because it held before, 0 otherwise.
	back float64
	// levels are the first hours of all levels so far.
	levels []int
}

// valuesPerCall is the weight of further values of a call relative to the first: values of one call
// are similar.
const valuesPerCall = 0.85

func newGrid(s Series, until time.Time) *grid {
	g := &grid{m: s.Metric, levels: []int{0}}
	zone := s.Zone
	if zone == nil {
		zone = time.UTC
	}
	if len(s.Points) == 0 || !s.Points[0].At.Before(until) {
		return g
	}
	g.start = s.Points[0].At
	n := int(until.Sub(g.start) / time.Hour)
	g.hours = make([]hour, max(n, 0))
	for _, p := range s.Points {
		if i := int(p.At.Sub(g.start) / time.Hour); i >= 0 && i < n {
			g.hours[i].point = p
		}
	}
	var year, yearDay = -1, -1
	for i := range g.hours {
		at := g.start.Add(time.Duration(i) * time.Hour).In(zone)
		weekday := (int(at.Weekday()) + 6) % 7
		if at.Year() != year || at.YearDay() != yearDay {
			year, yearDay = at.Year(), at.YearDay()
			g.days = append(g.days, i)
			g.weekday = append(g.weekday, weekday)
		}
		h := &g.hours[i]
		h.cell, h.day = weekday*dayHours+at.Hour(), len(g.days)-1
		h.read(s.Metric)
	}
	g.days = append(g.days, len(g.hours))
	return g
}

// read sets what the hour itself shows.
func (h *hour) read(m trend.Metric) {
	p := h.point
	h.value, h.has = m.Value(p)
	switch m.Kind {
	case trend.Count:
		h.of, h.x = 1, float64(p.N)
	case trend.Rate:
		h.of, h.x = float64(p.N), float64(p.Hits)
	case trend.Mean:
		h.of, h.x = float64(p.N), p.Sum
	case trend.Quantile:
		values := float64(p.Sketch.Count())
		h.of = values
		if calls := float64(p.N); calls > 0 && values > calls {
			h.of = values / (1 + (1-valuesPerCall)*(values/calls-1))
		}
		h.value = math.Log(max(h.value, sketch.Least))
	}
	h.clipped = h.x
}

// cut limits what an hour teaches to three standard deviations from the expected. A single hit of a
// share is never limited: in hours with one or two calls every hit would be, and the learned share
// would be a third of the real one or less.
func (h *hour) cut(k trend.Kind) {
	most := h.e + 3*h.sd
	if k == trend.Rate {
		most = max(most, 1)
	}
	h.clipped = min(max(h.x, h.e-3*h.sd), most)
}

// above sets the threshold of a Quantile's hour and counts the values above it.
func (h *hour) above(threshold float64) {
	h.x = 0
	if n := h.point.Sketch.Count(); n > 0 {
		h.x = h.point.Sketch.Above(threshold) / float64(n) * h.of
	}
	h.clipped = h.x
}

// weightedMedian returns the weighted median of values. It reorders v.
func weightedMedian(v []weighted) float64 {
	slices.SortFunc(v, func(a, b weighted) int {
		switch {
		case a.v < b.v:
			return -1
		case a.v > b.v:
			return 1
		}
		return 0
	})
	var total, sum float64
	for _, x := range v {
		total += x.w
	}
	for i, x := range v {
		sum += x.w
		if sum > total/2 {
			return x.v
		}
		if sum == total/2 && i+1 < len(v) {
			return (x.v + v[i+1].v) / 2
		}
	}
	return 0
}

type weighted struct{ v, w float64 }
