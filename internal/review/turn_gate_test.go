package review

import (
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/scenario"
	"github.com/ringtrue/ringtrue/internal/score"
)

// A caller that takes a noise for the agent's answer speaks over the agent, through no fault of the
// agent's. The noise is a click here: audible, and no speech.
func TestNoiseTakenForAnAnswerMakesACallVoid(t *testing.T) {
	t.Parallel()
	click, answer := stretch{5200, 5220}, stretch{5200, 7000}
	for name, c := range map[string]struct {
		agent       stretch
		waits, goes time.Duration
		void        bool
	}{
		"a noise":                             {click, 4600 * ms, 7200 * ms, true},
		"an answer":                           {answer, 4600 * ms, 7200 * ms, false},
		"an answer that came before the wait": {answer, 7100 * ms, 7200 * ms, false},
	} {
		b := setup(t)
		b.record(t, []stretch{{3000, 4500}}, []stretch{{500, 2000}, c.agent}, 8*time.Second)
		b.change(func(_ *call.Call, a *call.Attempt, p *score.Plan) {
			p.Item.Input.Script = append(p.Item.Input.Script, scenario.Step{WaitForAgent: &scenario.WaitForAgent{}}, scenario.Step{HangUp: true})
			a.Timeline = append(a.Timeline,
				call.Event{At: c.waits, Kind: call.KindStep, Data: map[string]any{"path": "script[1]", "step": "wait_for_agent", "index": 1}},
				call.Event{At: c.goes, Kind: call.KindStep, Data: map[string]any{"path": "script[2]", "step": "hang_up", "index": 2}})
		})
		got, _ := b.review(t)
		if took := strings.Contains(got.VerdictReason, "took noise for the agent's answer"); took != c.void || (got.Verdict == call.Void) != c.void {
			t.Errorf("%s: %s because %q", name, got.Verdict, got.VerdictReason)
		}
	}
}
