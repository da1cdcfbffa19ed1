package monitor_test

import (
	"context"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/monitor"
)

// TestAClockThatIsSetBack: what was found by a clock that went ahead, a day in which nobody phoned, is
// not told of the hours that come, and what happens in them is told at once.
func TestAClockThatIsSetBack(t *testing.T) {
	t.Parallel()
	for _, ahead := range []time.Duration{time.Hour, 24 * time.Hour} {
		t.Run(ahead.String(), func(t *testing.T) {
			t.Parallel()
			ctx := context.Background()
			now := time.Date(2026, 6, 30, 12, 1, 0, 0, time.UTC)
			s, m := begun(t, func() time.Time { return now }, func(over monitor.Store) monitor.Store { return over })
			settle := func(facts []monitor.Fact) {
				t.Helper()
				err := keep(ctx, s, facts)
				for more := true; more && err == nil; {
					more, err = m.Refresh(ctx)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			says := func(want string) {
				t.Helper()
				if o, err := m.Overview(ctx, "ws_1", monitor.Query{}); err != nil || o.Verdict != want {
					t.Errorf("at %s the overview says %s and not %s: %v", now, o.Verdict, want, err)
				}
			}
			first := now.Truncate(time.Hour)
			var usual []monitor.Fact
			for h := range 40 * 24 {
				usual = append(usual, calls(first.Add(-time.Duration(h+1)*time.Hour), call.EndCompleted, 12)...)
			}
			settle(usual)
			says("ok")
			now = now.Add(ahead)
			settle(nil)
			now = now.Add(5*time.Minute - ahead)
			settle(calls(first, call.EndCompleted, 6))
			says("ok")
			list, err := m.Anomalies(ctx, "ws_1", monitor.Query{From: first.Add(-24 * time.Hour), Until: first.Add(48 * time.Hour)}, "")
			if err != nil || len(list.Anomalies) > 0 {
				t.Errorf("told of hours that have not come: %+v, %v", list.Anomalies, err)
			}
			for range 3 { // three hours in which every call fails
				settle(calls(now.Truncate(time.Hour).Add(time.Hour), call.EndProviderError, 12))
				now = now.Add(time.Hour)
				settle(nil)
			}
			now = now.Add(20 * time.Minute)
			settle(nil)
			says("bad")
		})
	}
}
