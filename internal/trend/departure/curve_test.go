package departure_test

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/trend"
	"github.com/ringtrue/ringtrue/internal/trend/departure"
	"github.com/ringtrue/ringtrue/internal/trend/sketch"
)

// Turns with a tool call take three times as long as others. On a line with few turns per hour,
// most hours have none of them at their 95th percentile, but every whole day does: that is normal
// for its days.
func TestADayOfTwoKindsOfTurnsLiesWithinItsBand(t *testing.T) {
	begin := time.Date(2025, 9, 1, 0, 0, 0, 0, time.UTC)
	until := begin.Add(60 * aDay)
	for _, name := range []string{"latency_p50", "latency_p95"} {
		for _, slow := range []float64{0.12, 0.25, 0.5} {
			m, _ := trend.MetricOf(name)
			draw := rand.New(rand.NewPCG(7, uint64(1000*slow))) //nolint:gosec // reproducible numbers
			one := departure.Series{Metric: m}
			for at := begin; at.Before(until); at = at.Add(time.Hour) {
				one.Points = append(one.Points, twoKinds(draw, at, slow))
			}
			from := begin.Add(30 * aDay)
			r := departure.Find(one, departure.Window{From: from, Until: until})
			outside, days := outsideBand(one, r, from, until)
			if outside > days/6 {
				t.Errorf("%s with %g slow turns: %d of %d quiet days lie outside", name, slow, outside, days)
			}
		}
	}
}

// outsideBand returns the number of days of a series, and of those outside what was expected.
func outsideBand(s departure.Series, r departure.Report, from, until time.Time) (outside, days int) {
	for day := from; day.Before(until); day = day.Add(aDay) {
		v, _ := s.Metric.Value(pointOf(s.Points, day, day.Add(aDay)))
		if e := r.Together(day, day.Add(aDay)); !e.Known || v < e.Low*0.98 || v > e.High*1.02 {
			outside++
		}
		days++
	}
	return outside, days
}

// twoKinds returns an hour of two calls with two turns each, of which a share is slow.
func twoKinds(draw *rand.Rand, at time.Time, slow float64) trend.Point {
	p := trend.Point{At: at, N: 2, Sketch: &sketch.Sketch{}}
	for range 4 {
		usual := 0.8
		if draw.Float64() < slow {
			usual = 2.5
		}
		_ = p.Sketch.Add(usual * math.Exp(0.08*draw.NormFloat64()))
	}
	return p
}

// A platform that rounds its latencies reports a handful of values again and again. The share above
// an hour's expected value then lies where the distribution jumps, and what an hour of the week
// seems to add is such a jump. All of these values must be within the band.
func TestADayOfAFewValuesThatComeAgainLiesWithinItsBand(t *testing.T) {
	t.Parallel()
	begin := time.Date(2025, 9, 1, 0, 0, 0, 0, time.UTC)
	from, until := begin.Add(30*aDay), begin.Add(60*aDay)
	for _, name := range []string{"latency_p50", "latency_p95"} {
		m, _ := trend.MetricOf(name)
		for _, values := range [][]float64{{0.8}, {0.5, 0.5, 1}, {0.6, 0.7, 0.8, 0.9}, {0.5, 0.6, 0.8, 1.2, 2.4}} {
			for _, turns := range []int{1, 4, 20} {
				draw := rand.New(rand.NewPCG(7, uint64(len(values)))) //nolint:gosec // reproducible numbers
				one := departure.Series{Metric: m}
				for at := begin; at.Before(until); at = at.Add(time.Hour) {
					p := trend.Point{At: at, N: int64(turns+1) / 2, Sketch: &sketch.Sketch{}}
					for range turns {
						_ = p.Sketch.Add(values[draw.IntN(len(values))])
					}
					one.Points = append(one.Points, p)
				}
				r := departure.Find(one, departure.Window{From: from, Until: until})
				outside, days := outsideBand(one, r, from, until)
				if outside > days/6 || len(r.Incidents) > 0 {
					t.Errorf("%s of %v, %d an hour: %d of %d quiet days lie outside; %d incidents", name, values, turns, outside, days, len(r.Incidents))
				}
			}
		}
	}
}
