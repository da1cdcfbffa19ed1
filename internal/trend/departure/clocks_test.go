package departure_test

import (
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/trend/departure"
	"github.com/ringtrue/ringtrue/internal/trend/trendtest"
)

// abroad returns a history of agents whose callers live in an undeclared time zone; the
// clocks change around its ninth week.
func abroad(t *testing.T, name string, start time.Time, seed uint64) trendtest.Spec {
	t.Helper()
	zone, err := time.LoadLocation(name)
	if err != nil {
		t.Skip("this machine knows no time zones")
	}
	s := trendtest.Spec{Seed: seed, Start: time.Date(start.Year(), start.Month(), start.Day(), 0, 0, 0, 0, zone), Days: 84, Zone: zone}
	for i, calls := range []float64{6000, 1500, 400, 100, 30} {
		for habit := range trendtest.Habit(3) {
			s.Agents = append(s.Agents, trendtest.Agent{
				CallsPerDay: calls, Habit: habit, Weekend: []float64{0.1, 0.4, 1}[(i+int(habit))%3], Latency: 0.9, ErrorRate: 0.02, UpsetRate: 0.05,
				DropOffRate: 0.1, Valence: 0.1, Growth: 1, Turns: 6,
			})
		}
	}
	return s
}

// asUTC returns what is reported about the calls if no zone is declared.
func asUTC(s trendtest.Spec) (told []departure.Incident) {
	for _, series := range s.Series("calls") {
		calls := series["calls"]
		calls.Zone = nil
		told = append(told, departure.Find(calls, departure.Window{From: s.Start.AddDate(0, 0, 28), Until: s.Start.AddDate(0, 0, s.Days), Looks: 105}).Incidents...)
	}
	return told
}

func TestTheClocksAreChangedWhereNobodySaidSo(t *testing.T) {
	t.Parallel()
	for name, start := range map[string]time.Time{
		"Europe/Berlin":    time.Date(2025, 9, 1, 0, 0, 0, 0, time.UTC),
		"America/New_York": time.Date(2026, 1, 12, 0, 0, 0, 0, time.UTC),
		"Europe/London":    time.Date(2026, 2, 2, 0, 0, 0, 0, time.UTC),
	} {
		told := asUTC(abroad(t, name, start, 901))
		for _, in := range told {
			t.Logf("%s: %s %s %s to %s: %.0f of %.0f", name, in.Form, in.Severity, in.Start, in.End, in.Seen, in.Expected)
		}
		if len(told) > 0 {
			t.Errorf("%s: %d departures are told of callers who changed their clocks", name, len(told))
		}
	}
}

// An outage in the first busy hours of the week after a change of clocks is reported, whether
// or not the callers' clocks changed: the first morning shows which is the case.
func TestAnOutageAfterTheClocksWereChanged(t *testing.T) {
	t.Parallel()
	for name, changed := range map[string]bool{"Europe/Berlin": true, "UTC": false} {
		s := abroad(t, name, time.Date(2025, 9, 1, 0, 0, 0, 0, time.UTC), 930)
		s.Agents = s.Agents[3:4]                                           // office hours, 1500 calls a day
		for day, hours := range map[int][2]int{56: {8, 13}, 58: {7, 12}} { // the Monday and the Wednesday after 26 October
			first := s
			begin := s.Start.AddDate(0, 0, day)
			first.Planted = []trendtest.Planted{{Fault: trendtest.Outage, Start: begin.Add(time.Duration(hours[0]) * time.Hour), Stop: begin.Add(time.Duration(hours[1]) * time.Hour)}}
			found := false
			for _, in := range asUTC(first) {
				p := first.Planted[0]
				if in.Start.Before(p.Stop) && in.End.After(p.Start) {
					found = found || in.Form == departure.Outage && in.Severity == departure.Critical && in.Told.Sub(p.Start) <= 4*time.Hour
					continue
				}
				t.Errorf("clocks changed: %v: besides the outage of day %d: %+v", changed, day, in)
			}
			if !found {
				t.Errorf("clocks changed: %v: the outage of day %d is not found in time", changed, day)
			}
		}
	}
}
