package departure_test

import (
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/trend"
	"github.com/ringtrue/ringtrue/internal/trend/departure"
)

// quietWeekend returns six weeks with 400 calls per working day, half of them
// with upset callers, and hardly any at weekends. On the last weekend and the
// holiday on the Monday after it, somebody tries out the line and is never
// upset.
func quietWeekend() departure.Series {
	upset, _ := trend.MetricOf("upset_rate")
	s := departure.Series{Metric: upset}
	for day := range 42 {
		for hour := range 24 {
			n := int64(0)
			switch {
			case day >= 33 && day <= 35 && hour == 0:
				n = 45
			case day%7 < 5 && day != 35 && hour >= 8 && hour < 18:
				n = 40
			}
			p := trend.Point{At: first.Add(time.Duration(24*day+hour) * time.Hour), N: n, Hits: n / 2}
			if day >= 33 && day <= 35 {
				p.Hits = 0
			}
			if day%2 == 1 {
				p.Hits += n / 20 // so that no two days are equal
			}
			if n > 0 {
				s.Points = append(s.Points, p)
			}
		}
	}
	return s
}

// A few calls on three otherwise empty days are no new usual that an ordinary
// Tuesday could depart from.
func TestAFewCallsAreNoNewUsual(t *testing.T) {
	t.Parallel()
	r := departure.Find(quietWeekend(), departure.Window{From: first.AddDate(0, 0, 28), Until: first.AddDate(0, 0, 42), Looks: 20})
	for _, in := range r.Incidents {
		t.Errorf("found %+v", in)
	}
	for _, h := range r.Hours[10*24:] {
		if h.N > 0 && (h.Expected < 0.4 || h.Expected > 0.6) {
			t.Fatalf("%v is expected at %s", h.Expected, h.At)
		}
	}
}
