package review

import (
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/score/timing"
)

// measure computes the figures of a call that was heard. A call without sound
// has none.
func measure(m *material, h hearing) []call.Metric {
	if len(h.agent.PCM) == 0 {
		return nil
	}
	return timing.Measure(timing.Input{
		Heard: h.heard, Stats: m.attempt.Stats, HasStats: m.call.Line != "loop",
		JitterBuffer: m.attempt.Stats.JitterBuffer, Concealed: m.attempt.Stats.Concealed,
		ToolCalls: m.tools, HasRecord: m.hasRecord, Agent: h.agent,
	})
}
