package departure_test

import (
	"math"
	"reflect"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/trend"
	"github.com/ringtrue/ringtrue/internal/trend/departure"
	"github.com/ringtrue/ringtrue/internal/trend/trendtest"
)

// heldOut is the first of seeds that no threshold was tuned on (those are below
// 100).
const heldOut = 9000

func TestQuietWeeksRaiseNothing(t *testing.T) {
	t.Parallel()
	s := trendtest.Quiet(heldOut)
	s.Agents = s.Agents[1:6] // from 500 calls a day down to 2; more would take too long
	w := s.Watch()
	for _, in := range s.FalseAlarms(w) {
		t.Errorf("%+v", in)
	}
	inside, known := 0, 0
	for _, reports := range w.Reports {
		for _, h := range reports["calls"].Hours {
			known += one(h.Known)
			inside += one(h.Known && h.Seen >= math.Floor(h.Low) && h.Seen <= math.Ceil(h.High))
		}
	}
	if r := float64(inside) / float64(known); known == 0 || r < 0.93 {
		t.Errorf("%.3f of %d quiet hours lie inside the band", r, known)
	}
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

func TestPlantedFaultsAreFound(t *testing.T) {
	t.Parallel()
	s := trendtest.Faulty(heldOut + 1)
	within := map[trendtest.Fault]time.Duration{trendtest.Outage: 24 * time.Hour, trendtest.Errors: 12 * time.Hour, trendtest.Latency: 10 * 24 * time.Hour,
		trendtest.Drift: 28 * 24 * time.Hour, trendtest.Sentiment: 48 * time.Hour, trendtest.Upset: 24 * time.Hour}
	for i := range s.Agents {
		if i%6 != 1 { // agents with about 500 calls a day
			s.Agents[i].CallsPerDay = 0
		}
	}
	w := s.Watch()
	for i, f := range s.Results(w) {
		if i%6 != 1 {
			continue
		}
		if p := f.Planted; !f.Found || f.Delay > within[p.Fault] {
			t.Errorf("%s at %s by %v: found %v after %s", p.Fault, p.Start, p.Size, f.Found, f.Delay)
			continue
		}
		switch in, p := f.Incident, f.Planted; {
		case p.Fault == trendtest.Drift && in.Form != departure.Drift && in.Form != departure.Step,
			p.Fault == trendtest.Outage && in.Form != departure.Outage,
			p.Fault == trendtest.Errors && in.Form != departure.Step:
			t.Errorf("%s came out as %s", p.Fault, in.Form)
		case p.Fault != trendtest.Drift && in.Start.Sub(p.Start).Abs() > 5*time.Hour:
			t.Errorf("%s began at %s, not %s", p.Fault, p.Start, in.Start)
		case in.Sure < 0.99 || !in.Bad || in.N < 0 || in.Severity.Rank() == 0 || in.Peak.Before(in.Start) && in.Form != departure.Drift:
			t.Errorf("%s: %+v", p.Fault, in)
		}
	}
	for _, in := range s.FalseAlarms(w) {
		t.Errorf("told without a cause: %+v", in)
	}
}

// series returns one agent's series of a metric over 60 days.
func series(t *testing.T, name string, zone *time.Location, planted ...trendtest.Planted) (trendtest.Spec, departure.Series) {
	t.Helper()
	s := trendtest.Spec{Seed: heldOut + 2, Start: time.Date(2025, 9, 1, 0, 0, 0, 0, time.UTC), Days: 60, Zone: zone, Planted: planted,
		Agents: []trendtest.Agent{{CallsPerDay: 300, Weekend: 0.5, Latency: 0.9, ErrorRate: 0.03, UpsetRate: 0.05, Valence: 0.1, Turns: 4}}}
	return s, s.Series(name)[0][name]
}

func window(s trendtest.Spec, from, until int) departure.Window {
	return departure.Window{From: s.Start.AddDate(0, 0, from), Until: s.Start.AddDate(0, 0, until), Looks: 10}
}

// What is said about an hour must not change with later hours.
func TestLaterHoursChangeNothingBefore(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"calls", "error_rate", "valence", "latency_p50"} {
		s, all := series(t, name, nil, trendtest.Planted{Fault: trendtest.Latency, Start: time.Date(2025, 10, 13, 9, 0, 0, 0, time.UTC), Stop: time.Date(2025, 10, 15, 9, 0, 0, 0, time.UTC), Size: 1.6})
		short, long := departure.Find(all, window(s, 30, 45)), departure.Find(all, window(s, 30, 60))
		if !reflect.DeepEqual(short.Hours, long.Hours[:len(short.Hours)]) {
			t.Errorf("%s: the hours of the first two weeks differ", name)
		}
		for i, in := range short.Incidents {
			if i >= len(long.Incidents) || !in.Start.Equal(long.Incidents[i].Start) || !in.Told.Equal(long.Incidents[i].Told) {
				t.Errorf("%s: %+v is gone", name, in)
			}
		}
		if name == "latency_p50" && len(short.Incidents) == 0 {
			t.Error("the planted step is not found")
		}
	}
}

// The figures of a stretch are compared with the band for its number of calls,
// which is narrower than that of a single hour.
func TestWhatIsUsualIsSaidOfTheWholeStretch(t *testing.T) {
	t.Parallel()
	start := time.Date(2025, 10, 13, 9, 0, 0, 0, time.UTC)
	for name, fault := range map[string]trendtest.Planted{
		"calls":       {Fault: trendtest.Outage, Start: start, Stop: start.Add(24 * time.Hour)},
		"error_rate":  {Fault: trendtest.Errors, Start: start, Stop: start.Add(24 * time.Hour), Size: 0.2},
		"valence":     {Fault: trendtest.Sentiment, Start: start, Stop: start.Add(24 * time.Hour), Size: 0.3},
		"latency_p50": {Fault: trendtest.Latency, Start: start, Stop: start.Add(24 * time.Hour), Size: 1.6},
		"latency_p95": {Fault: trendtest.Latency, Start: start, Stop: start.Add(24 * time.Hour), Size: 1.6},
	} {
		s, all := series(t, name, nil, fault)
		r := departure.Find(all, window(s, 30, 50))
		if len(r.Incidents) != 1 {
			t.Errorf("%s: %d departures, want the planted one: %+v", name, len(r.Incidents), r.Incidents)
			continue
		}
		in := r.Incidents[0]
		if in.Seen >= in.Low && in.Seen <= in.High || in.Expected < in.Low || in.Expected > in.High {
			t.Errorf("%s: %g is told as unusual, usual is %g, from %g to %g", name, in.Seen, in.Expected, in.Low, in.High)
		}
		for _, h := range r.Hours {
			if name != "calls" && h.Known && h.N > 3 && !h.At.Before(in.Start) && h.At.Before(in.End) && h.High-h.Low < in.High-in.Low {
				t.Errorf("%s at %s: %g to %g is usual of the hour, %g to %g of all", name, h.At, h.Low, h.High, in.Low, in.High)
			}
		}
	}
}

func TestTooLittleHistoryIsSaid(t *testing.T) {
	t.Parallel()
	s, all := series(t, "error_rate", nil)
	for what, r := range map[string]departure.Report{
		"ten days": departure.Find(all, window(s, 5, 10)),
		"none":     departure.Find(departure.Series{Metric: all.Metric}, window(s, 5, 10)),
		"later":    departure.Find(departure.Series{Metric: all.Metric, Points: all.Points[1000:]}, window(s, 5, 10)),
	} {
		if r.Enough || r.Reason == "" || len(r.Incidents) > 0 || len(r.Hours) != 5*24 {
			t.Errorf("%s: enough %v, %q, %d incidents, %d hours", what, r.Enough, r.Reason, len(r.Incidents), len(r.Hours))
		}
	}
	if r := departure.Find(all, window(s, 40, 40)); len(r.Hours) != 0 || len(r.Incidents) != 0 {
		t.Error("an empty window shows something")
	}
}

// Callers live by local time: a change of clocks moves the course of the day.
func TestClocksMayChange(t *testing.T) {
	t.Parallel()
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Skip("no time zones here")
	}
	s, all := series(t, "calls", zone) // includes 26 October 2025
	for _, in := range departure.Find(all, window(s, 20, 60)).Incidents {
		t.Errorf("%+v", in)
	}
}

// No points, whatever they contain, may cause a panic or NaN.
func TestOddPointsDoNoHarm(t *testing.T) {
	t.Parallel()
	s, calls := series(t, "calls", nil)
	for _, m := range trend.Metrics() {
		all := departure.Series{Metric: m}
		for i, p := range calls.Points {
			p.Hits, p.Sum, p.Squares, p.Sketch = 0, 0, 0, nil
			switch i % 97 {
			case 1:
				p.N = 0
			case 2:
				p.Hits, p.Sum, p.Squares = p.N, 1e9, 1e18
			}
			all.Points = append(all.Points, p)
		}
		for _, h := range departure.Find(all, window(s, 30, 60)).Hours {
			if math.IsNaN(h.Expected) || math.IsNaN(h.Low) || math.IsNaN(h.High) || h.Low > h.High {
				t.Fatalf("%s: %+v", m.Name, h)
			}
		}
	}
}

func BenchmarkWatch(b *testing.B) {
	s := trendtest.Spec{Seed: 1, Start: time.Date(2025, 9, 1, 0, 0, 0, 0, time.UTC), Days: 90,
		Agents: []trendtest.Agent{{CallsPerDay: 500, Weekend: 0.5, Latency: 0.9, Turns: 4}}}
	for _, name := range []string{"calls", "latency_p50"} {
		all := s.Series(name)[0][name]
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				departure.Find(all, window(s, 56, 90))
			}
		})
	}
}
