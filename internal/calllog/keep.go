package calllog

import (
	"maps"
	"strings"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
)

// Under returns a copy of the record without what may not be kept. Under
// KeepNoPeople, speech stays only if the platform has scrubbed it.
func (r Record) Under(k Keep) Record {
	if k == KeepEverything {
		return r
	}
	r.Keep = k
	r.From, r.To, r.Metadata = "", "", nil
	r.RecordingURL, r.Channels, r.CallerChannel, r.OtherRecordings, r.ScrubbedRecording = "", 0, -1, nil, false
	r.Summary, r.Outcome = "", ""
	r.Words = plainWords(r.Words)
	if !isTerm(r.End.Detail) {
		r.End.Detail = ""
	}
	if k == KeepNoPeople && r.Scrubbed {
		return r
	}
	r.HasTranscript, r.Scrubbed, r.Timed, r.Turns, r.ToolCalls = false, false, false, nil, nil
	if k == KeepNoPeople {
		return r
	}
	r.Stages, r.Words, r.Judged = nil, nil, time.Time{}
	r.CallerInterrupted, r.AgentInterrupted = nil, nil
	r.Sentiment, r.Successful, r.Voicemail = call.Sentiment(""), nil, nil
	return r
}

// isTerm reports whether a word has the form of a platform's own term.
func isTerm(word string) bool {
	return len(word) <= 128 && !strings.ContainsFunc(word, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && r != '_' && r != '-' && r != '.' && (r < '0' || r > '9')
	})
}

// plainWords returns the words that say nothing about a person: those that a
// platform chooses from a list of its own.
func plainWords(words map[string]any) map[string]any {
	words = maps.Clone(words)
	maps.DeleteFunc(words, func(name string, value any) bool {
		switch name {
		case "call_status", "status", "call_type", "type", "disconnection_reason", "endedReason", "event":
			word, ok := value.(string)
			return !ok || !isTerm(word)
		}
		return true
	})
	if len(words) == 0 {
		return nil
	}
	return words
}
