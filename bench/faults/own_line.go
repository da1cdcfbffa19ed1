package main

import (
	"math/rand/v2"
	"slices"
	"time"

	"github.com/ringtrue/ringtrue/internal/experiment"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/line/loop"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

func lineFaults() []ownFault {
	return []ownFault{
		{
			name: "our packets are lost", explanation: "2 to 20 % of our packets never reach the agent", scenario: books, reason: "never reached the agent",
			crew: func(_ *house, r *rand.Rand) crew {
				return crew{loss: loop.Impairment{Seed: r.Uint64(), Loss: 0.02 + 0.18*r.Float64(), ToAgentOnly: true}}
			},
		},
		{
			name: "we are starved", explanation: "our process is stopped for 150 to 600 ms while our caller speaks, up to three times in a call over SIP", reason: "", whole: starved,
		},
	}
}

// stuck is a caller that fails at some moment of the call: none of its speech is sent, or it does
// nothing at all.
type stuck struct {
	experiment.Party
	from    time.Duration
	stopped bool
}

func (s *stuck) Step(in, out *leg.Frame) {
	switch {
	case in.At < s.from:
		s.Party.Step(in, out)
	case !s.stopped:
		s.Party.Step(in, out)
		clear(out.PCM)
	}
}

func stuckFaults() []ownFault {
	at := func(stopped bool) func(*house, *rand.Rand) crew {
		return func(_ *house, r *rand.Rand) crew {
			from := 6*time.Second + time.Duration(r.IntN(5000))*time.Millisecond
			return crew{party: func(p experiment.Party) experiment.Party {
				return &stuck{Party: struct{ experiment.Party }{p}, from: from, stopped: stopped}
			}}
		}
	}
	return []ownFault{
		{name: "caller falls mute", explanation: "from some point on nothing that the caller says is sent, and the agent hangs up", scenario: books, reason: "we said at", crew: at(false)},
		{name: "caller stands still", explanation: "from some point on the caller does nothing, and the agent hangs up", scenario: moves, reason: "did not notice", crew: at(true)},
	}
}

func scriptFaults() []ownFault {
	change := func(f func(steps []scenario.Step) []scenario.Step) func(*house, *rand.Rand) crew {
		return func(*house, *rand.Rand) crew {
			return crew{item: func(it scenario.Item) scenario.Item {
				it.Input.Script = f(slices.Clone(it.Input.Script))
				return it
			}}
		}
	}
	return []ownFault{
		{
			name: "caller leaves out a line", explanation: "the caller does not say its third line", scenario: books, reason: "script",
			crew: change(func(s []scenario.Step) []scenario.Step { return slices.Delete(s, 4, 6) }),
		},
		{
			name: "caller says something else", explanation: "the caller asks for another day than its scenario says", scenario: books, reason: "line of step",
			crew: change(func(s []scenario.Step) []scenario.Step {
				s[3].Say = "On Wednesday."
				return s
			}),
		},
		{
			name: "caller hangs up early", explanation: "the caller takes its script for finished in the middle of it", scenario: books, reason: "script",
			crew: change(func(s []scenario.Step) []scenario.Step { return append(s[:4], scenario.Step{HangUp: true}) }),
		},
		{
			name: "caller adds a line", explanation: "the caller asks for something that is not in its scenario", scenario: moves, reason: "script",
			crew: change(func(s []scenario.Step) []scenario.Step {
				return slices.Insert(s, 1, scenario.Step{Say: "How much is a cleaning?"}, scenario.Step{WaitForAgent: &scenario.WaitForAgent{}})
			}),
		},
	}
}
