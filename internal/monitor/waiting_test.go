package monitor

import (
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/bucket"
	"github.com/ringtrue/ringtrue/internal/trend/departure"
)

// Calls that wait for their review are not missing.
func TestCallsThatWaitHaveNotStayedAway(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
	end := start.Add(28 * bucket.DayLength)
	l := look{from: end.Add(-watchWindow), at: end, hour: end, zone: time.UTC}
	waiting := map[time.Time]int{}
	for at := start; at.Before(end); at = at.Add(time.Hour) {
		n := int64(60)
		if left := end.Sub(at); left <= 8*time.Hour { // an import that is not finished
			n, waiting[at] = 1, 59
		} else if left == 30*time.Hour {
			waiting[at] = 2 // and two calls that are never reviewed
		}
		h := watchedHour{at: at}
		h.b.Counts[bucket.Calls] = n + int64(at.Hour()%3)
		l.history = append(l.history, h)
	}
	calls, _ := figureOf("calls")
	l.reviewed = l.reviewedUntil(nil)
	if r := l.report(&calls, 10); len(r.Incidents) != 1 || r.Incidents[0].Form != departure.Outage {
		t.Errorf("the example is none: %+v", r.Incidents)
	}
	if l.reviewed = l.reviewedUntil(waiting); !l.reviewed.Equal(end.Add(-8 * time.Hour)) {
		t.Errorf("reviewed until %s", l.reviewed)
	}
	r := l.report(&calls, 10)
	if len(r.Incidents) > 0 {
		t.Errorf("found %+v", r.Incidents)
	}
	var m MetricNow
	if m.expect(&r, end.Add(-recently), end); m.Expected != nil {
		t.Errorf("%v calls are expected of hours that are not all counted", *m.Expected)
	}
}
