package review

import (
	"math"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/score"
)

// A turn of several messages of which the last has only a beginning does not end there: the caller
// speaks on, and nobody knows for how long.
func TestTheBeginningOfAMessageIsNotTheEndOfItsTurn(t *testing.T) {
	t.Parallel()
	last := func(turn *call.Turn) time.Duration { return (turn.Start + turn.End) / 2 }
	for name, c := range map[string]struct {
		change func(*call.Turn)
		n      int
	}{
		"ends that are told": {func(*call.Turn) {}, 12},
		"beginnings alone":   {func(turn *call.Turn) { turn.End, turn.Segments = last(turn), nil }, 0},
		"one last message without its end": {func(turn *call.Turn) {
			if turn.Index == 5 {
				turn.Segments = []call.Segment{{Start: turn.Start, End: turn.Start + 200*ms}}
				turn.End = last(turn)
			}
		}, 11},
	} {
		p := produce(t)
		p.change(func(c *call.Call, _ *call.Attempt, _ *score.Plan) { c.EndedAt = answered.Add(2 * time.Minute) })
		p.now = answered.Add(3 * time.Minute)
		p.tell(func(r *call.Reported) {
			r.RecordingURL, r.Turns = "", nil
			for i := range 25 {
				who := []call.Speaker{call.Agent, call.Caller}[i%2]
				told := turn(who, stretch{4000 * i, 4000*i + 3000}, "And so on.")
				told.Index = i
				c.change(&told)
				r.Turns = append(r.Turns, told)
			}
		})
		_, r := p.work(t)
		n, most := 0, 0.0
		if m := r.Metric("turn_latency"); m.Spread != nil {
			n, most = m.Spread.N, m.Spread.Max
		}
		if n != c.n || n > 0 && math.Abs(most-1) > 0.01 {
			t.Errorf("%s: %d latencies of %.1f s at most, want %d of 1 s", name, n, most, c.n)
		}
	}
}
