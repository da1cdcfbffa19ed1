package calllog

import (
	"maps"

	"github.com/ringtrue/ringtrue/internal/call"
)

// Under is the record without what may not be kept of it. What was said stays
// under KeepNoPeople only when the platform has scrubbed it. The record itself
// is not changed.
func (r Record) Under(k Keep) Record {
	if k == KeepEverything {
		return r
	}
	r.Keep = k
	r.From, r.To, r.Metadata = "", "", nil
	r.RecordingURL, r.Channels, r.CallerChannel = "", 0, -1
	r.Summary, r.Outcome = "", ""
	r.Words = plainWords(r.Words)
	if k == KeepNoPeople && r.Scrubbed {
		return r
	}
	r.HasTranscript, r.Timed, r.Turns, r.ToolCalls = false, false, nil, nil
	if k == KeepNoPeople {
		return r
	}
	r.Stages, r.Words = nil, nil
	r.CallerInterrupted, r.AgentInterrupted = nil, nil
	r.Sentiment, r.Successful, r.Voicemail = call.Sentiment(""), nil, nil
	return r
}

// plainWords are the words that tell nothing of a person: those that a platform
// chooses from a list of its own.
func plainWords(words map[string]any) map[string]any {
	words = maps.Clone(words)
	maps.DeleteFunc(words, func(name string, _ any) bool {
		switch name {
		case "call_status", "status", "call_type", "type", "disconnection_reason", "endedReason", "event":
			return false
		}
		return true
	})
	if len(words) == 0 {
		return nil
	}
	return words
}
