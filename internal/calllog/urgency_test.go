package calllog

import (
	"testing"
	"time"
)

func TestUrgency(t *testing.T) {
	t.Parallel()
	var c crowds
	at := time.Unix(6e8, 0)
	urgency := 0
	send := func(workspace string, n int) int {
		for range n {
			urgency = c.urgency(workspace, at)
		}
		return urgency
	}
	for i, step := range []struct {
		workspace string
		wait      time.Duration
		n, want   int
	}{
		{"ws_1", 0, 100, 1}, {"ws_1", 0, 1, 2}, {"ws_2", 0, 1, 1}, {"ws_1", time.Minute, 1, 2}, {"ws_1", 0, 1000, 3},
		{"ws_1", time.Minute, 9_500, 4}, {"ws_1", 0, 200_000, 4}, {"ws_2", 0, 1, 1}, {"ws_1", 2 * time.Minute, 1, 1}, {"ws_1", -time.Hour, 1, 1},
	} {
		at = at.Add(step.wait)
		if got := send(step.workspace, step.n); got != step.want {
			t.Errorf("step %d: the urgency is %d, want %d", i, got, step.want)
		}
	}
}
