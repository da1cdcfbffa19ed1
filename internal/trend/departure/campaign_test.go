package departure_test

import (
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/trend"
	"github.com/ringtrue/ringtrue/internal/trend/departure"
	"github.com/ringtrue/ringtrue/internal/trend/trendtest"
)

// campaign is a history in which some days, from the 50th on, have a multiple of the calls.
type campaign struct {
	seed    uint64
	perDay  float64
	factor  float64
	days    int
	atHour  int
	outages []trendtest.Planted
}

func (c campaign) start() time.Time {
	return time.Date(2025, 6, 2, 0, 0, 0, 0, time.UTC).AddDate(0, 0, 49).Add(time.Duration(c.atHour) * time.Hour)
}

func (c campaign) over() time.Time { return c.start().AddDate(0, 0, c.days) }

func (c campaign) incidents() []departure.Incident {
	s := trendtest.Spec{Seed: c.seed, Start: time.Date(2025, 6, 2, 0, 0, 0, 0, time.UTC), Days: 90, Agents: []trendtest.Agent{{
		CallsPerDay: c.perDay, Habit: trendtest.Always, Weekend: 0.6, Latency: 0.9, ErrorRate: 0.02, UpsetRate: 0.05, DropOffRate: 0.1, Growth: 1, Turns: 1,
	}}}
	s.Planted = append([]trendtest.Planted{{Fault: trendtest.Outage, Size: c.factor, Start: c.start(), Stop: c.over()}}, c.outages...)
	calls := s.Series("calls")[0]["calls"]
	return departure.Find(calls, departure.Window{From: s.Start.AddDate(0, 0, 35), Until: s.Start.AddDate(0, 0, 90), Looks: 7}).Incidents
}

// TestTheEndOfACampaignIsNoOutage checks that nothing is reported when calls return to the
// level before some days with a multiple of them.
func TestTheEndOfACampaignIsNoOutage(t *testing.T) {
	t.Parallel()
	for seed := range uint64(2) {
		for _, perDay := range []float64{300, 2000} {
			for _, factor := range []float64{3, 6} {
				for _, days := range []int{3, 7, 20} {
					c := campaign{seed: 8200 + seed, perDay: perDay, factor: factor, days: days, atHour: int(seed) * 7}
					for _, in := range c.incidents() {
						if in.Sign == trend.Down {
							t.Errorf("%.0f a day, %.0f times as many for %d days until %s: %+v", perDay, factor, days, c.over(), in)
						}
					}
				}
			}
		}
	}
}

// TestOutagesAroundACampaignAreTold has outages during a campaign, at its very end, and after
// it.
func TestOutagesAroundACampaignAreTold(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3) {
		for name, begins := range map[string]time.Duration{"while it lasts": -50 * time.Hour, "at its end": 0, "after it": 30 * time.Hour, "long after it": 12 * 24 * time.Hour} {
			c := campaign{seed: 8300 + seed, perDay: 2000, factor: 3, days: 7, atHour: 9}
			from := c.over().Add(begins)
			c.outages = []trendtest.Planted{{Fault: trendtest.Outage, Size: 0.05, Start: from, Stop: from.Add(6 * time.Hour)}}
			told := 0
			for _, in := range c.incidents() {
				if in.Sign != trend.Down {
					continue
				}
				told++
				if in.Start.Before(from.Add(-2*time.Hour)) || in.Start.After(from.Add(3*time.Hour)) || in.End.After(from.Add(9*time.Hour)) {
					t.Errorf("%s, from %s: %+v", name, from, in)
				}
			}
			if told != 1 {
				t.Errorf("%s, from %s: %d are told", name, from, told)
			}
		}
	}
}
