package room

import (
	"testing"

	"github.com/ringtrue/ringtrue/internal/call"
)

// TestAFloodLeavesRoomForWhatCounts checks that an agent that keeps pressing keys, switching its
// microphone off and on, or sending messages cannot fill the timeline so that what our side did to
// the call, or that the agent left, is missing from it.
func TestAFloodLeavesRoomForWhatCounts(t *testing.T) {
	t.Parallel()
	b := newBeginning(t, nil)
	now := beginsAt
	tick := func() {
		b.Tick(now)
		now += frameNS
	}
	b.Begin(beginsAt)
	tick()
	flood := func(n int) {
		for i := range n {
			b.press("1")
			b.note([]call.Kind{call.KindMuted, call.KindUnmuted, call.KindMessage, call.KindSourceChanged}[i%4], "", nil)
		}
	}
	for range 100 {
		flood(2 * maxNotes)
		tick()
	}
	flood(2 * maxNotes)
	counts := []call.Kind{call.KindOurFault, call.KindUnreachable, call.KindAgentLeft}
	for _, kind := range counts {
		b.note(kind, "", nil)
	}
	tick()
	b.end(ending{by: byLine})
	b.Finish()
	seen := map[call.Kind]int{}
	for _, e := range b.result.timeline {
		seen[e.Kind]++
	}
	for _, kind := range counts {
		if seen[kind] != 1 {
			t.Errorf("%s stands %d times on the timeline", kind, seen[kind])
		}
	}
	if n := len(b.result.timeline); n > maxTimeline || seen[call.KindDigitReceived] == 0 || seen[call.KindMuted] == 0 {
		t.Errorf("the timeline has %d events: %v", n, seen)
	}
}
