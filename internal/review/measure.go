package review

import (
	"slices"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/score/timing"
)

// measure computes the figures of a call. A simulated call without sound has none; a production
// call has those that can be had.
func measure(m *material, h hearing) []call.Metric {
	switch {
	case m.call.AnsweredAt.IsZero():
		return nil
	case m.call.Origin == call.Production && !h.separate():
		return measureParts(m, h)
	case len(h.agent.PCM) == 0:
		return nil
	}
	return timing.Measure(timing.Input{
		Heard: h.heard, Stats: m.attempt.Stats, HasStats: m.call.Line != "loop" && m.call.Origin != call.Production,
		JitterBuffer: m.attempt.Stats.JitterBuffer, Concealed: m.attempt.Stats.Concealed,
		ToolCalls: m.tools, HasRecord: m.hasRecord, Pressed: timing.Pressed(m.attempt.Timeline), Agent: h.agent,
	})
}

// byTurns are the metrics that can be computed from a platform's transcript alone, if it says when
// each turn begins and ends. Transcripts never show overlaps.
func byTurns() []string {
	return []string{"time_to_first_word", "turn_latency", "turn_latency_tool", "talk_ratio", "longest_monologue", "words_per_minute"}
}

// byMix are the metrics that can be computed from a mix of both sides, where only sound and silence
// are told apart.
func byMix() []string {
	return []string{"dead_air_count", "dead_air_total", "dead_air_longest", "clipping"}
}

// measureParts computes the metrics of a call whose sides cannot be told apart by
// ear: some from the platform's times, some from the mix.
func measureParts(m *material, h hearing) []call.Metric {
	told := timing.Measure(timing.Input{Heard: h.heard, ToolCalls: m.tools, HasRecord: m.hasRecord})
	mixed := timing.Measure(timing.Input{Heard: call.Heard{Agent: h.mix, Turns: h.heard.Turns, Length: h.heard.Length}, Agent: h.agent})
	_, ends := h.ends()
	out := make([]call.Metric, len(told))
	for i, metric := range told {
		switch {
		case h.mixed && !h.oneSided && !h.unheard && slices.Contains(byMix(), metric.Name):
			out[i] = mixed[i]
		case ends && slices.Contains(byTurns(), metric.Name):
			out[i] = metric
		default:
			out[i] = call.Metric{Name: metric.Name, Version: metric.Version, Unit: metric.Unit, Reason: whyNot(h, metric.Name, ends)}
		}
	}
	return out
}

// whyNot says why a figure is missing.
func whyNot(h hearing, name string, ends bool) string {
	turns := slices.Contains(byTurns(), name)
	switch {
	case slices.ContainsFunc(timing.Catalog(), func(s timing.Spec) bool { return s.Name == name && (s.Page == "line.md" || s.Page == "mos.md") }):
		return "the packets of a production call are not known"
	case turns && h.heard.Turns != nil && !ends:
		return "the platform does not tell when each turn begins and ends, and no recording has a channel for each side"
	case h.oneSided:
		return "the recording has only one side"
	case h.unheard:
		return "nobody is heard on the recording, although the transcript has words"
	case h.mixed:
		return "both sides share one channel of the recording"
	}
	return "there is no recording with a channel for each side"
}
