package caller

import (
	"strings"
	"testing"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/chat"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

// TestFaultNamesWhatFailedAndWhy checks that the error distinguishes the voice, the model and the
// recogniser, and gives the reason.
func TestFaultNamesWhatFailedAndWhy(t *testing.T) {
	t.Parallel()
	chinese := func(text string) bool { return strings.ContainsFunc(text, func(r rune) bool { return r > 0x2fff }) }
	away := problem.New(problem.Unavailable, "the endpoint failed with status 500")
	branch := script(say("one"), scenario.Step{Branch: &scenario.Branch{Cases: []scenario.Case{{Any: []string{"yes"}}}}}, hangUp())
	for name, c := range map[string]struct {
		stage        stage
		what, detail string
	}{
		"model": {
			stage{item: goal(), model: &fakeModel{fail: away}, agent: clinic(0)},
			"model, the endpoint failed with status 500", "the caller's language model failed",
		},
		"model that hangs": {
			stage{item: goal(), model: &fakeModel{gate: make(chan struct{})}, agent: clinic(0), live: true},
			"model, it did not answer in time", "the caller's language model failed",
		},
		"voice": {
			stage{item: goal(), model: &fakeModel{replies: []chat.Message{text("你们几点开门？")}}, agent: clinic(0), mouth: &fakeMouth{mute: chinese}},
			"mouth, the speech engine gave 200ms of silence for a line", "the caller's voice failed",
		},
		"ears": {
			stage{item: branch, agent: clinic(1), ears: &fakeEars{err: away}},
			"ears, the endpoint failed with status 500", "",
		},
	} {
		o := c.stage.play(t)
		faults := o.of(call.KindOurFault)
		if len(faults) == 0 || faults[0].Data["what"] != c.what {
			t.Errorf("%s: noted %+v, want %q", name, faults, c.what)
		}
		if c.detail != "" && o.caller.Ending().Detail != c.detail {
			t.Errorf("%s: ended with %q, want %q", name, o.caller.Ending().Detail, c.detail)
		}
	}
}
