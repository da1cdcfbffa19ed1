package departure_test

import (
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/trend/departure"
	"github.com/ringtrue/ringtrue/internal/trend/trendtest"
)

func berlin(t *testing.T) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Skip("this machine knows no time zones")
	}
	return zone
}

// autumn returns a history of agents with office hours in Berlin, where clocks go back on 26
// October, day 55.
func autumn(zone *time.Location, seed uint64) trendtest.Spec {
	s := trendtest.Spec{Seed: seed, Start: time.Date(2025, 9, 1, 0, 0, 0, 0, zone), Days: 70, Zone: zone}
	for _, calls := range []float64{1500, 400, 100} {
		s.Agents = append(s.Agents, trendtest.Agent{
			CallsPerDay: calls, Habit: trendtest.Office, Weekend: 0.1, Latency: 0.9, ErrorRate: 0.02, UpsetRate: 0.05, DropOffRate: 0.1,
			Valence: 0.1, Growth: 1, Turns: 6,
		})
	}
	return s
}

func TestTheClocksArePutBack(t *testing.T) {
	t.Parallel()
	zone := berlin(t)
	elsewhere := 0
	for seed := range uint64(3) {
		s := autumn(zone, 500+seed)
		for _, in := range s.FalseAlarms(s.Watch()) {
			t.Errorf("seed %d: a false alarm: %+v", s.Seed, in)
		}
		for _, series := range s.Series("calls") {
			calls := series["calls"]
			calls.Zone = time.UTC
			r := departure.Find(calls, departure.Window{From: s.Start.AddDate(0, 0, 55), Until: s.Start.AddDate(0, 0, s.Days), Looks: 21})
			elsewhere += len(r.Incidents)
		}
	}
	t.Logf("with the hours of the week in another zone: %d departures", elsewhere)
	s := autumn(zone, 510)
	s.Planted = []trendtest.Planted{{
		Agent: 1, Fault: trendtest.Outage, Start: time.Date(2025, 10, 28, 10, 0, 0, 0, zone), Stop: time.Date(2025, 10, 28, 15, 0, 0, 0, zone),
	}}
	if found := s.Results(s.Watch())[0]; !found.Found || found.Delay > 4*time.Hour {
		t.Errorf("an outage in the week after: %+v", found)
	}
}

// TestAnAgentWithThreeCallsADay checks that single failed calls are not reported, and that it is
// reported when all fail.
func TestAnAgentWithThreeCallsADay(t *testing.T) {
	t.Parallel()
	agent := trendtest.Agent{
		CallsPerDay: 3, Habit: trendtest.Always, Weekend: 1, Latency: 0.9, ErrorRate: 0.05, UpsetRate: 0.05, DropOffRate: 0.1, Valence: 0.1, Growth: 1, Turns: 6,
	}
	start := time.Date(2025, 9, 1, 0, 0, 0, 0, time.UTC)
	quiet := trendtest.Spec{Seed: 600, Start: start, Days: 90, Agents: []trendtest.Agent{agent, agent, agent, agent, agent, agent}}
	for _, in := range quiet.FalseAlarms(quiet.Watch()) {
		t.Errorf("a false alarm: %+v", in)
	}
	faulty := quiet
	faulty.Seed = 601
	for a := range faulty.Agents {
		faulty.Planted = append(faulty.Planted, trendtest.Planted{
			Agent: a, Fault: trendtest.Errors, Size: 1, Start: start.AddDate(0, 0, 60), Stop: start.AddDate(0, 0, 90),
		})
	}
	for _, f := range faulty.Results(faulty.Watch()) {
		t.Logf("told after %s", f.Delay)
		if !f.Found || f.Delay > 8*24*time.Hour {
			t.Errorf("agent %d, all of whose calls fail: %+v", f.Planted.Agent, f)
		}
	}
}

// TestAHolidayThatIsLikeNoSunday has days with half as many calls again as a Sunday, or two and a
// half times as many: they are reported as days like a Sunday. A day whose calls are gone is
// reported as an outage.
func TestAHolidayThatIsLikeNoSunday(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		weekend, of float64
		like        bool
	}{{0.1, 0.16, true}, {0.1, 0.25, true}, {0.3, 0.48, true}, {0.3, 0.1, true}, {0.3, 0.02, false}} {
		told := 0
		for seed := range uint64(3) {
			s := trendtest.Spec{Seed: 3100 + seed, Start: time.Date(2025, 6, 2, 0, 0, 0, 0, time.UTC), Days: 63, Agents: []trendtest.Agent{{
				CallsPerDay: 2000, Habit: trendtest.Office, Weekend: c.weekend, Latency: 0.9, ErrorRate: 0.02, UpsetRate: 0.05, DropOffRate: 0.1, Growth: 1, Turns: 1,
			}}}
			thursday := s.Start.AddDate(0, 0, 52)
			s.Planted = []trendtest.Planted{{Fault: trendtest.Outage, Size: c.of, Start: thursday, Stop: thursday.AddDate(0, 0, 1)}}
			calls := s.Series("calls")[0]["calls"]
			for _, in := range departure.Find(calls, departure.Window{From: s.Start.AddDate(0, 0, 35), Until: s.Start.AddDate(0, 0, 63), Looks: 7}).Incidents {
				told++
				if like := in.LikeDay == "Sunday"; like != c.like || like != (in.Severity == departure.Minor) {
					t.Errorf("weekends of %v, a holiday of %v: %+v", c.weekend, c.of, in)
				}
			}
		}
		if told == 0 {
			t.Errorf("weekends of %v, a holiday of %v: nothing is told", c.weekend, c.of)
		}
	}
}

// A day that was as busy as usual until calls stayed away is no holiday, however many came in
// total.
func TestAnAfternoonWithoutCallsIsNoHoliday(t *testing.T) {
	t.Parallel()
	for _, habit := range []trendtest.Habit{trendtest.Always, trendtest.Office} {
		for _, from := range []int{11, 13} {
			for seed := range uint64(3) {
				s := trendtest.Spec{Seed: 8800 + seed, Start: time.Date(2025, 6, 2, 0, 0, 0, 0, time.UTC), Days: 54, Agents: []trendtest.Agent{{
					CallsPerDay: 2000, Habit: habit, Weekend: 0.3, Latency: 0.9, ErrorRate: 0.02, UpsetRate: 0.05, DropOffRate: 0.1, Growth: 1, Turns: 1,
				}}}
				thursday := s.Start.AddDate(0, 0, 52)
				s.Planted = []trendtest.Planted{{Fault: trendtest.Outage, Size: 0.2, Start: thursday.Add(time.Duration(from) * time.Hour), Stop: thursday.AddDate(0, 0, 1)}}
				calls := s.Series("calls")[0]["calls"]
				for _, until := range []time.Time{thursday.Add(18 * time.Hour), thursday.AddDate(0, 0, 1), thursday.AddDate(0, 0, 2)} {
					told := departure.Find(calls, departure.Window{From: s.Start.AddDate(0, 0, 35), Until: until, Looks: 7}).Incidents
					if len(told) != 1 || told[0].LikeDay != "" || told[0].Severity.Rank() < departure.Major.Rank() {
						t.Errorf("habit %d, from %d on, as it stands on %s: %+v", habit, from, until, told)
					}
				}
			}
		}
	}
}
