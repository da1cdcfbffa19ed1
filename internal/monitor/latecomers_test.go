package monitor_test

import (
	"context"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/monitor"
	"github.com/ringtrue/ringtrue/internal/store"
)

// calls returns n calls of an hour with the same end.
func calls(hour time.Time, end call.EndCode, n int) []monitor.Fact {
	out := make([]monitor.Fact, n)
	for i := range out {
		out[i] = monitor.Fact{At: hour.Add(time.Duration(i) * time.Minute), Figures: monitor.Figures{Answered: true, End: end}}
	}
	return out
}

// watched is a workspace that is looked at, with its own clock.
type watched struct {
	*monitor.Service

	t     *testing.T
	now   time.Time
	store *store.Store
}

// begunWithUsual returns a workspace with forty days of twelve completed calls an hour, one minute
// after the hour first.
func begunWithUsual(t *testing.T) (w *watched, first time.Time) {
	t.Helper()
	w = &watched{t: t, now: time.Date(2026, 6, 30, 12, 1, 0, 0, time.UTC)}
	w.store, w.Service = begun(t, func() time.Time { return w.now }, func(over monitor.Store) monitor.Store { return over })
	first = w.now.Truncate(time.Hour)
	var usual []monitor.Fact
	for h := range 40 * 24 {
		usual = append(usual, calls(first.Add(-time.Duration(h+1)*time.Hour), call.EndCompleted, 12)...)
	}
	w.settle(usual)
	w.says("ok")
	return w, first
}

// settle adds facts and looks until nothing is left to look at.
func (w *watched) settle(facts []monitor.Fact) {
	w.t.Helper()
	err := keep(context.Background(), w.store, facts)
	for more := true; more && err == nil; {
		more, err = w.Refresh(context.Background())
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

// says checks the verdict of the overview.
func (w *watched) says(want string) {
	w.t.Helper()
	if o, err := w.Overview(context.Background(), "ws_1", monitor.Query{}); err != nil || o.Verdict != want {
		w.t.Errorf("at %s the overview says %s and not %s: %v", w.now, o.Verdict, want, err)
	}
}

// The beginning of a long history that arrives in random order is looked at again as long as it
// arrives. What happens today must be reported all the same.
func TestAHistoryThatComesHidesNothingOfToday(t *testing.T) {
	t.Parallel()
	w, first := begunWithUsual(t)
	for step := range 36 { // three hours in which every call fails
		w.now = w.now.Add(5 * time.Minute)
		w.settle(calls(first.Add(-time.Duration(600-step%7)*24*time.Hour), call.EndCompleted, 1))
		w.settle(calls(w.now.Truncate(5*time.Minute), call.EndProviderError, 2))
	}
	w.says("bad")
}
