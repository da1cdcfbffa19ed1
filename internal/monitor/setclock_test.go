package monitor_test

import (
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/monitor"
)

// TestAClockThatIsSetBack checks that what was found while the clock was ahead, a day without
// calls, is not reported for the hours to come, and that what happens in them is reported at once.
func TestAClockThatIsSetBack(t *testing.T) {
	t.Parallel()
	for _, ahead := range []time.Duration{time.Hour, 24 * time.Hour} {
		t.Run(ahead.String(), func(t *testing.T) {
			t.Parallel()
			w, first := begunWithUsual(t)
			w.now = w.now.Add(ahead)
			w.settle(nil)
			w.now = w.now.Add(5*time.Minute - ahead)
			w.settle(calls(first, call.EndCompleted, 6))
			w.says("ok")
			list, err := w.Anomalies(t.Context(), "ws_1", monitor.Query{From: first.Add(-24 * time.Hour), Until: first.Add(48 * time.Hour)}, "")
			if err != nil || len(list.Anomalies) > 0 {
				t.Errorf("told of hours that have not come: %+v, %v", list.Anomalies, err)
			}
			for range 3 { // three hours in which every call fails
				w.settle(calls(w.now.Truncate(time.Hour).Add(time.Hour), call.EndProviderError, 12))
				w.now = w.now.Add(time.Hour)
				w.settle(nil)
			}
			w.now = w.now.Add(20 * time.Minute)
			w.settle(nil)
			w.says("bad")
		})
	}
}
