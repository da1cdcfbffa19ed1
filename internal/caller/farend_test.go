package caller

import (
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

// TestScriptIsDoneWhenTheAgentHangsUpAfterTheLastWord checks that an agent that says goodbye and
// hangs up first has completed the script, but only if it answered and the caller had nothing left
// to say or to listen for.
func TestScriptIsDoneWhenTheAgentHangsUpAfterTheLastWord(t *testing.T) {
	t.Parallel()
	greetAndAnswer := func() *farAgent {
		return &farAgent{lines: []utterance{{at: second / 2, long: second}, {after: second / 2, long: second}}}
	}
	last := script(waitAgent(), say("one"), waitAgent(), scenario.Step{StaySilentMS: 500}, hangUp())
	for _, tt := range []struct {
		name   string
		item   scenario.Item
		agent  *farAgent
		farEnd time.Duration
		done   int
	}{
		{"answered, nothing left", last, greetAndAnswer(), 4700 * ms, 1},
		{"before it answered", last, &farAgent{lines: []utterance{{at: second / 2, long: second}}}, 4700 * ms, 0},
		{"a line is left", script(waitAgent(), say("one"), waitAgent(), say("two"), hangUp()), greetAndAnswer(), 4500 * ms, 0},
		{"words are waited for", script(waitAgent(), say("one"), scenario.Step{WaitForWords: words("bye")}, hangUp()), greetAndAnswer(), 4700 * ms, 0},
		{"in the middle of a line", script(waitAgent(), say("a rather long line that is not over yet"), waitAgent(), hangUp()),
			greetAndAnswer(), 3 * second, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			o := (&stage{item: tt.item, agent: tt.agent, farEnd: tt.farEnd}).play(t)
			o.wantCount(t, call.KindScriptDone, tt.done)
			if got := o.caller.Ending(); got.Code != "" {
				t.Errorf("the agent hung up, and the caller says %+v", got)
			}
		})
	}
}
