package calllog_test

import (
	"slices"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/calllog"
)

// With more turns than share an allocation of first segments, some of them with
// several segments, no turn has a segment of its neighbour.
func TestSegmentsAreTheTurnsOwn(t *testing.T) {
	t.Parallel()
	const turns = 100
	var talk calllog.Conversation
	var want [][]call.Segment
	at := time.Duration(0)
	for i := range turns {
		var own []call.Segment
		for range 1 + i%3 {
			u := calllog.Utterance{Speaker: []call.Speaker{call.Agent, call.Caller}[i%2], Start: at, End: at + time.Second, Text: "Yes."}
			talk.Say(u)
			own = append(own, call.Segment{Start: u.Start, End: u.End})
			at += 2 * time.Second
		}
		want = append(want, own)
	}
	var r calllog.Record
	talk.Fill(&r, nil)
	if len(r.Turns) != turns {
		t.Fatalf("there are %d turns", len(r.Turns))
	}
	for i, turn := range r.Turns {
		if !slices.Equal(turn.Segments, want[i]) {
			t.Errorf("turn %d has %v, want %v", i, turn.Segments, want[i])
		}
	}
}
