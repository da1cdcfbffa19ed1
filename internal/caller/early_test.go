package caller

import (
	"slices"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
)

// TestNothingIsSaidToNobody checks that a caller that has to begin waits until the agent can hear
// it, and that one that waits for the agent has heard what the agent said before.
func TestNothingIsSaidToNobody(t *testing.T) {
	t.Parallel()
	const early = 600 * time.Millisecond
	first := (&stage{
		item: script(say("I would like a table"), waitAgent(), hangUp()), early: early,
		agent: &farAgent{lines: []utterance{{after: 500 * time.Millisecond, long: time.Second}}},
	}).play(t)
	first.wantSaid(t, "I would like a table")
	loud := slices.IndexFunc(first.sent, func(v int16) bool { return v != 0 })
	if begun := time.Duration(loud) * time.Second / 8000; begun < early {
		t.Errorf("it speaks at %v, and nobody hears it before %v", begun, early)
	}
	second := (&stage{
		item: script(waitAgent(), say("I would like a table"), hangUp()), early: early,
		agent: &farAgent{lines: []utterance{{at: 20 * time.Millisecond, long: 540 * time.Millisecond}}},
	}).play(t)
	second.wantSaid(t, "I would like a table")
	loud = slices.IndexFunc(second.sent, func(v int16) bool { return v != 0 })
	if begun := time.Duration(loud) * time.Second / 8000; begun < early || begun > 2500*time.Millisecond {
		t.Errorf("the agent had spoken before it heard the caller, who answers at %v, want %v to 2.5s", begun, early)
	}
}

// TestRingingIsWaitedFor lets a line ring for 20 s after the answer, as when an exchange answers and only then looks for the agent. The
// ringing is no turn of the agent's, and longer than the silence that a caller tolerates.
func TestRingingIsWaitedFor(t *testing.T) {
	t.Parallel()
	o := (&stage{
		item:  script(waitAgent(), say("I would like a table"), waitAgent(), hangUp()),
		agent: &farAgent{rings: 20 * time.Second, lines: []utterance{{at: 21 * time.Second, long: time.Second}, {after: 500 * time.Millisecond, long: time.Second}}},
	}).play(t)
	o.wantSaid(t, "I would like a table")
	loud := slices.IndexFunc(o.sent, func(v int16) bool { return v != 0 })
	if begun := time.Duration(loud) * time.Second / 8000; begun < 22*time.Second || begun > 24*time.Second {
		t.Errorf("the agent speaks from 21 to 22 s, and the caller answers at %v", begun)
	}
	o.wantCount(t, call.KindAgentStarted, 2)
}

// TestRingingThatDoesNotEndIsSilence has nobody come to a line that rings on.
func TestRingingThatDoesNotEndIsSilence(t *testing.T) {
	t.Parallel()
	o := (&stage{item: script(waitAgent(), say("one"), hangUp()), agent: &farAgent{rings: time.Hour}}).play(t)
	if got := o.caller.Ending(); got.Code != call.EndSilence {
		t.Errorf("the caller says %+v, want %s", got, call.EndSilence)
	}
	if at := time.Duration(len(o.sent)) * time.Second / 8000; at < 75*time.Second || at > 100*time.Second {
		t.Errorf("it ends after %v, want a minute of ringing and two of the silences that it tolerates", at)
	}
}
