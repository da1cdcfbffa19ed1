package departure_test

import (
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/trend"
	"github.com/ringtrue/ringtrue/internal/trend/departure"
	"github.com/ringtrue/ringtrue/internal/trend/sketch"
	"github.com/ringtrue/ringtrue/internal/trend/trendtest"
)

const aDay = 24 * time.Hour

// Quiet days are within their band as often as promised, whether an agent has eight calls a day or
// two thousand; percentiles of days are not compared with those of hours.
func TestADayAsOneLiesWithinItsBand(t *testing.T) {
	s := trendtest.Quiet(1)
	outside, of := map[string]int{}, map[string]int{}
	for a, series := range s.Series("calls", "error_rate", "latency_p95") {
		if a%6 == 5 || a >= 12 { // two calls a day are too few for percentiles
			continue
		}
		for name, one := range series {
			from, until := s.Start.AddDate(0, 0, 40), s.Start.AddDate(0, 0, s.Days)
			r := departure.Find(one, departure.Window{From: from, Until: until})
			for day := from; !day.Add(aDay).After(until); day = day.Add(aDay) {
				e, seen := r.Together(day, day.Add(aDay)), pointOf(one.Points, day, day.Add(aDay))
				v, ok := one.Metric.Value(seen)
				if !e.Known || !ok {
					continue
				}
				if e.N != seen.N || e.Low > e.Expected || e.High < e.Expected {
					t.Fatalf("%s of %s: %d calls of %d, %g to %g about %g", name, day, e.N, seen.N, e.Low, e.High, e.Expected)
				}
				of[name]++
				if v < e.Low*0.999999 || v > e.High*1.000001 {
					outside[name]++
				}
			}
		}
	}
	for name, n := range of {
		if share := float64(outside[name]) / float64(n); n < 400 || share > 0.09 {
			t.Errorf("%s: %d of %d quiet days lie outside", name, outside[name], n)
		}
	}
}

// A day of an agent with few calls is judged by all of its calls, of which each hour has hardly
// any.
func TestADayAsOneIsKnownCloserThanItsHours(t *testing.T) {
	begin := time.Date(2025, 9, 1, 0, 0, 0, 0, time.UTC)
	errors, _ := trend.MetricOf("error_rate")
	one := departure.Series{Metric: errors}
	for i := range 29 * 24 {
		p := trend.Point{At: begin.Add(time.Duration(i) * time.Hour), N: 4}
		if i%12 == 0 || i >= 28*24 && i%2 == 0 { // 2 of a day's 96 calls, 12 on the last day
			p.Hits = 1
		}
		one.Points = append(one.Points, p)
	}
	last := begin.Add(28 * aDay)
	r := departure.Find(one, departure.Window{From: begin, Until: last.Add(aDay)})
	e := r.Together(last, last.Add(aDay))
	if !e.Known || e.High > 0.08 || e.Low > 0.0201 || e.Expected < 0.015 || e.Expected > 0.03 {
		t.Errorf("the day is expected between %g and %g, about %g", e.Low, e.High, e.Expected)
	}
	if h := r.Hours[len(r.Hours)-1]; h.High < 2*e.High {
		t.Errorf("an hour with four calls is expected below %g, the day below %g", h.High, e.High)
	}
	for _, span := range [][2]time.Time{{begin, begin.Add(aDay)}, {last, last.Add(aDay + time.Hour)}, {begin.Add(-aDay), begin}, {last, last}} {
		if e := r.Together(span[0], span[1]); e.Known {
			t.Errorf("from %s until %s %g is expected", span[0], span[1], e.Expected)
		}
	}
}

// pointOf returns the sum of the points between two times.
func pointOf(points []trend.Point, from, until time.Time) (sum trend.Point) {
	sum.Sketch = &sketch.Sketch{}
	for _, p := range points {
		if p.At.Before(from) || !p.At.Before(until) {
			continue
		}
		sum.N, sum.Hits, sum.Sum = sum.N+p.N, sum.Hits+p.Hits, sum.Sum+p.Sum
		_ = sum.Sketch.Merge(p.Sketch)
	}
	return sum
}
