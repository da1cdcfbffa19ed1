package caller

import (
	"testing"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

// TestAgentThatHangsUpInAFallbackCompletesNoScript checks that a script that would end in the fallback of
// wait_for_words is not played to its end, whoever hangs up first.
func TestAgentThatHangsUpInAFallbackCompletesNoScript(t *testing.T) {
	t.Parallel()
	w := words("price")
	w.TimeoutMS = 5000
	w.Otherwise = []scenario.Step{say("never mind"), waitAgent(), hangUp()}
	agent := func() *farAgent {
		return &farAgent{lines: []utterance{{at: 500 * ms, long: second, text: "Hello."}, {after: 500 * ms, long: 3 * second, text: "Goodbye."}}}
	}
	farEnd := 9 * second // in the agent's goodbye
	o := (&stage{item: script(scenario.Step{WaitForWords: w}, hangUp()), agent: agent(), farEnd: farEnd}).play(t)
	o.wantSaid(t, "never mind")
	o.wantCount(t, call.KindScriptDone, 0)
	o.wantEnd(t, call.EndCallerHungUp, call.BlameCaller)

	w.Otherwise = w.Otherwise[:2] // and the script goes on: there is nothing left to say
	o = (&stage{item: script(scenario.Step{WaitForWords: w}, hangUp()), agent: agent(), farEnd: farEnd}).play(t)
	o.wantSaid(t, "never mind")
	o.wantCount(t, call.KindScriptDone, 1)
	if got := o.caller.Ending(); got.Code != "" {
		t.Errorf("the caller ends as %+v, want it to leave the end to the agent", got)
	}
}

// TestAgentThatHangsUpOnACallerWhoGaveUpCompletesNoScript checks the moment between the caller's decision to leave and its hang-up.
func TestAgentThatHangsUpOnACallerWhoGaveUpCompletesNoScript(t *testing.T) {
	t.Parallel()
	w := words("price")
	w.TimeoutMS = 5000
	w.Otherwise = []scenario.Step{hangUp()}
	agent := &farAgent{lines: []utterance{{at: 500 * ms, long: second, text: "Hello."}}}
	o := (&stage{item: script(scenario.Step{WaitForWords: w}, hangUp()), agent: agent, farEnd: 5100 * ms}).play(t)
	o.wantCount(t, call.KindWordsMissed, 1)
	o.wantCount(t, call.KindScriptDone, 0)
	o.wantEnd(t, call.EndCallerHungUp, call.BlameCaller)
}
