package departure_test

import (
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/trend"
	"github.com/ringtrue/ringtrue/internal/trend/departure"
	"github.com/ringtrue/ringtrue/internal/trend/trendtest"
)

// Holidays may last some days, of which the first two are not reported. A week or more with as few
// calls as on Sundays is not reported as a possible holiday, nor as minor.
func TestAWeekOfSundaysIsNoHoliday(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		days int
		like bool
	}{{4, true}, {5, true}, {7, false}, {12, false}} {
		told := 0
		for seed := range uint64(3) {
			s := trendtest.Spec{Seed: 4100 + seed, Start: time.Date(2025, 6, 2, 0, 0, 0, 0, time.UTC), Days: 70, Agents: []trendtest.Agent{{
				CallsPerDay: 2000, Habit: trendtest.Always, Weekend: 0.3, Latency: 0.9, ErrorRate: 0.02, UpsetRate: 0.05, DropOffRate: 0.1, Growth: 1, Turns: 1,
			}}}
			monday := s.Start.AddDate(0, 0, 49)
			s.Planted = []trendtest.Planted{{Fault: trendtest.Outage, Size: 0.15, Start: monday, Stop: monday.AddDate(0, 0, c.days)}}
			calls := s.Series("calls")[0]["calls"]
			for _, in := range departure.Find(calls, departure.Window{From: s.Start.AddDate(0, 0, 35), Until: s.Start.AddDate(0, 0, 70), Looks: 7}).Incidents {
				told++
				if like := in.LikeDay != ""; in.Sign == trend.Down && (like != c.like || like != (in.Severity == departure.Minor)) {
					t.Errorf("%d days: %+v", c.days, in)
				}
			}
		}
		if told == 0 {
			t.Errorf("%d days: nothing is told", c.days)
		}
	}
}
