package caller

import (
	"testing"

	"github.com/ringtrue/ringtrue/internal/call"
)

// A caller whose own words come back on the agent's line waits for the agent's.
func TestAnEchoIsNoAnswer(t *testing.T) {
	t.Parallel()
	for _, echo := range []float64{0, 6, 12, 20, 30} {
		agent := &farAgent{echo: echo, lines: []utterance{
			{at: second / 2, long: 2 * second}, {after: 1500 * ms, long: second}, {after: 1200 * ms, long: 300 * ms},
		}}
		o := (&stage{
			item:  script(waitAgent(), say("I would like a table"), waitAgent(), say("at eight"), waitAgent(), hangUp()),
			agent: agent,
		}).play(t)
		o.wantCount(t, call.KindAgentStarted, 3)
		said := o.of(call.KindSaid)
		if len(said) != 2 || len(agent.ended) != 3 {
			t.Errorf("with an echo of %g dB the agent spoke %d times, the caller %d", echo, len(agent.ended), len(said))
			continue
		}
		for i, line := range said {
			if wait := line.At - agent.ended[i]; wait < 600*ms || wait > 1100*ms {
				t.Errorf("with an echo of %g dB line %d begins %v after the agent's, want its patience", echo, i, wait)
			}
		}
	}
}

// An answer that comes at once, or before the caller has ended, is one, with an echo and without.
func TestAnAnswerStandsOutOfAnEcho(t *testing.T) {
	t.Parallel()
	for _, echo := range []float64{0, 20} {
		for name, answer := range map[string]utterance{
			"at once": {after: 60 * ms, long: 400 * ms}, "before the end": {at: 4500 * ms, long: 2 * second}, "much softer": {after: 60 * ms, long: 400 * ms, softer: 12},
		} {
			if echo > 0 && answer.softer > 0 {
				continue // it cannot be told from the echo
			}
			o := (&stage{
				item:  script(waitAgent(), say("a rather long line that the agent may talk over"), waitAgent(), hangUp()),
				agent: &farAgent{echo: echo, lines: []utterance{{at: second / 2, long: 2 * second}, answer}},
			}).play(t)
			o.wantCount(t, call.KindAgentStarted, 2)
			if o.length > 9*second {
				t.Errorf("with an echo of %g dB an answer %s is not heard: the call takes %v", echo, name, o.length)
			}
		}
	}
}
