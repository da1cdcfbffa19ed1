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

// fromThirdWeek returns everything that can be reported about a history.
func fromThirdWeek(s departure.Series, days int) []departure.Incident {
	return departure.Find(s, departure.Window{From: first.AddDate(0, 0, 15), Until: first.AddDate(0, 0, days), Looks: 120}).Incidents
}

// An office gets no calls at weekends, however many on working days; a Tuesday morning
// without calls is still an outage.
func TestAClosedOfficeIsNoOutage(t *testing.T) {
	t.Parallel()
	for seed, calls := range map[uint64]float64{1: 1000, 2: 3000, 3: 8000} {
		at := func(down bool) departure.Series {
			return tens(seed, func(day, hour, _ int) float64 {
				if day%7 >= 5 || hour < 9 || hour >= 17 || down && day == 36 && hour < 12 {
					return 0
				}
				return calls / 48
			})
		}
		for _, in := range fromThirdWeek(at(false), 42) {
			t.Errorf("%v calls a day: a false alarm: %+v", calls, in)
		}
		in := fromThirdWeek(at(true), 42)
		if len(in) != 1 || in[0].Form != departure.Outage || in[0].Told.After(first.AddDate(0, 0, 36).Add(13*time.Hour)) {
			t.Errorf("%v calls a day: an outage is told as %+v", calls, in)
		}
	}
}

// slowDays returns eight weeks of latencies, a third longer on slow days.
func slowDays(seed uint64, slow func(day int) bool) departure.Series {
	rng := rand.New(rand.NewPCG(seed, 2))
	latency, _ := trend.MetricOf("latency_p50")
	out := departure.Series{Metric: latency}
	for hour := range 56 * 24 {
		p := trend.Point{At: first.Add(time.Duration(hour) * time.Hour), N: 20, Sketch: &sketch.Sketch{}}
		usual := 0.9
		if slow(hour / 24) {
			usual = 1.2
		}
		for range 3 * p.N {
			_ = p.Sketch.Add(usual * math.Exp(0.4*rng.NormFloat64()))
		}
		out.Points = append(out.Points, p)
	}
	return out
}

// Mondays that are slow every week are normal; Mondays that become slow are reported three
// times, and so is one slow Tuesday.
func TestEveryMondayIsSlower(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3) {
		for _, in := range fromThirdWeek(slowDays(seed, func(day int) bool { return day%7 == 0 }), 56) {
			t.Errorf("seed %d: a false alarm: %+v", seed, in)
		}
		late := fromThirdWeek(slowDays(seed, func(day int) bool { return day%7 == 0 && day >= 21 }), 56)
		if len(late) != 3 {
			t.Errorf("seed %d: Mondays that are slower from the fourth week on are told as %+v", seed, late)
		}
		if in := fromThirdWeek(slowDays(seed, func(day int) bool { return day == 43 }), 56); len(in) != 1 {
			t.Errorf("seed %d: a slow Tuesday is told as %+v", seed, in)
		}
	}
}
