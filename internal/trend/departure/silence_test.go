package departure_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/trend"
	"github.com/ringtrue/ringtrue/internal/trend/departure"
)

// tens returns six weeks of calls, with the given mean for each ten minutes (by day,
// hour and part).
func tens(seed uint64, mean func(day, hour, ten int) float64) departure.Series {
	rng := rand.New(rand.NewPCG(seed, 1))
	calls, _ := trend.MetricOf("calls")
	out := departure.Series{Metric: calls}
	for day := range 42 {
		for hour := range 24 {
			p := trend.Point{At: first.Add(time.Duration(24*day+hour) * time.Hour)}
			for ten := range p.Tens {
				m := mean(day, hour, ten)
				p.Tens[ten] = int64(max(m+rng.NormFloat64()*m/4, 0) + 0.5)
				p.N += p.Tens[ten]
			}
			if p.N > 0 {
				out.Points = append(out.Points, p)
			}
		}
	}
	return out
}

var first = time.Date(2025, 9, 1, 0, 0, 0, 0, time.UTC) //nolint:gochecknoglobals // a constant, but for its type

func office(hour int) float64 {
	if hour < 8 || hour >= 18 {
		return 0.2
	}
	return 15
}

// asked returns what is found in the last two weeks.
func asked(s departure.Series) []departure.Incident {
	return departure.Find(s, departure.Window{From: first.AddDate(0, 0, 28), Until: first.AddDate(0, 0, 42), Looks: 20}).Incidents
}

// An hour-long outage from twenty past on leaves a third and two thirds of the calls
// in the hours it overlaps.
func TestAnOutageBetweenFullHours(t *testing.T) {
	t.Parallel()
	away := func(day, hour, ten int) float64 {
		if day == 36 && (hour == 10 && ten >= 2 || hour == 11 && ten < 2) {
			return 0
		}
		return office(hour)
	}
	s := tens(1, away)
	found := asked(s)
	at := first.AddDate(0, 0, 36).Add(10 * time.Hour)
	if len(found) != 1 {
		t.Fatalf("found %+v", found)
	}
	in := found[0]
	if in.Form != departure.Outage || in.Severity != departure.Critical || in.Open || !in.Start.Equal(at.Add(20*time.Minute)) || !in.End.Equal(at.Add(80*time.Minute)) ||
		in.Told.After(at.Add(2*time.Hour)) || in.Seen != 0 || in.Expected < 20 || in.Expected > 130 {
		t.Errorf("found %+v", in)
	}
	for i := range s.Points { // as in histories counted by the hour
		s.Points[i].Tens = [6]int64{}
	}
	for _, in := range asked(s) {
		if in.Start.Minute() != 0 {
			t.Errorf("told by minutes that are not known: %+v", in)
		}
	}
}

// Lines that open at half past eight, calls placed on the hour, and a line that
// pauses every Monday noon have regular silences.
func TestUsualSilencesAreNone(t *testing.T) {
	t.Parallel()
	for what, mean := range map[string]func(day, hour, ten int) float64{
		"opens at half past": func(_, hour, ten int) float64 {
			if hour == 8 && ten < 3 {
				return 0
			}
			return office(hour)
		},
		"calls at the full hour": func(_, hour, ten int) float64 {
			if ten < 2 {
				return 3 * office(hour)
			}
			return 0
		},
		"rests on Mondays": func(day, hour, ten int) float64 {
			if day%7 == 0 && (hour == 12 && ten >= 3 || hour == 13 && ten < 3) {
				return 0
			}
			return office(hour)
		},
	} {
		for seed := range uint64(5) {
			for _, in := range asked(tens(seed, mean)) {
				t.Errorf("%s: %+v", what, in)
			}
		}
	}
}

// A thousand machine calls on one Friday night, before there was a usual, are not
// missed on later Fridays.
func TestWhatCameOnceIsNotMissed(t *testing.T) {
	t.Parallel()
	for _, calls := range []float64{40, 80, 300} {
		for _, in := range asked(tens(3, func(day, hour, _ int) float64 {
			if day == 4 && hour == 21 {
				return calls
			}
			return office(hour)
		})) {
			t.Errorf("%v calls in ten minutes: %+v", calls, in)
		}
	}
}

// A Saturday that was busy all morning is no quiet weekend day when its calls
// vanish.
func TestAnOutageAtTheWeekend(t *testing.T) {
	t.Parallel()
	away := func(day, hour, _ int) float64 {
		if day == 40 && hour >= 13 && hour < 19 {
			return 0
		}
		return office(hour)
	}
	at := first.AddDate(0, 0, 40).Add(13 * time.Hour)
	for _, timed := range []bool{true, false} {
		s := tens(2, away)
		for i := range s.Points {
			if !timed {
				s.Points[i].Tens = [6]int64{}
			}
		}
		found := asked(s)
		if len(found) != 1 || found[0].Form != departure.Outage || found[0].Severity != departure.Critical || found[0].Told.After(at.Add(2*time.Hour)) ||
			found[0].Start.Sub(at).Abs() > time.Hour || found[0].End.Before(at.Add(5*time.Hour)) {
			t.Errorf("found %+v", found)
		}
	}
}
