package monitor_test

import (
	"context"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/monitor"
)

// calls are n of an hour that ended alike.
func calls(hour time.Time, end call.EndCode, n int) []monitor.Fact {
	out := make([]monitor.Fact, n)
	for i := range out {
		out[i] = monitor.Fact{At: hour.Add(time.Duration(i) * time.Minute), Figures: monitor.Figures{Answered: true, End: end}}
	}
	return out
}

// A long history that comes in no order has its beginning looked at anew for as long as it comes.
// What happens today is told all the same.
func TestAHistoryThatComesHidesNothingOfToday(t *testing.T) {
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
			t.Errorf("the overview says %s and not %s: %v", o.Verdict, want, err)
		}
	}
	first := now.Truncate(time.Hour)
	var usual []monitor.Fact
	for h := range 40 * 24 {
		usual = append(usual, calls(first.Add(-time.Duration(h+1)*time.Hour), call.EndCompleted, 12)...)
	}
	settle(usual)
	says("ok")
	for step := range 36 { // three hours in which every call fails
		now = now.Add(5 * time.Minute)
		settle(calls(first.Add(-time.Duration(600-step%7)*24*time.Hour), call.EndCompleted, 1))
		settle(calls(now.Truncate(5*time.Minute), call.EndProviderError, 2))
	}
	says("bad")
}
