package calllog

import (
	"maps"
	"strings"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/strictjson"
)

// keepDepth is how deep in a payload it is looked for what may be kept of it: as deep as it may be.
const keepDepth = maxDepth

// KeepIn is how much may be kept of a call by what stands in the object or in those
// within it, under any spelling of the two names and at any place but inside a list: what
// passes webhooks on moves and renames fields, and a wish not to be recorded counts wherever it
// stands. Of several the strictest counts, and one that cannot be read is the strictest.
func KeepIn(o Object) Keep { return keepIn(o.values, keepDepth) }

// keepBeside is the same of what a client says beside its payload.
func keepBeside(o Object) Keep {
	metadata, _ := o.values.Get("metadata").(*strictjson.Object)
	return keepIn(o.values, 0).Stricter(keepIn(metadata, keepDepth))
}

func keepIn(values *strictjson.Object, depth int) (keep Keep) {
	for name, value := range values.All() {
		if inner, ok := mayTell(value); ok && depth > 0 {
			keep = keep.Stricter(keepIn(inner, depth-1))
		}
		if value != nil {
			keep = keep.Stricter(keepBy(name, value))
		}
	}
	return keep
}

// mayTell is the object that a value is, however written, unless it is a text without
// either name: that need not be read.
func mayTell(value any) (*strictjson.Object, bool) {
	switch v := value.(type) {
	case *strictjson.Object:
		return v, true
	case []any:
		return objectIn(v)
	case *string:
		if text := strings.TrimLeft(*v, " \t\r\n\ufeff"); strings.HasPrefix(text, "{") && (strings.Contains(*v, "torage") || strings.Contains(*v, "TORAGE")) {
			return objectIn(v)
		}
	}
	return nil, false
}

// keepBy is what one field says; nearly all say nothing, and are told by a glance.
//
// What flattens webhooks puts words before a name (call.opt_out_sensitive_data_storage,
// X-Data-Storage-Setting), and others behind it. A field with words behind the name may be of
// something else, as of when it was set: it counts where it can be read.
func keepBy(name string, value any) Keep {
	const optOut, setting, long = "optoutsensitivedatastorage", "datastoragesetting", 256
	if len(name) < len(setting) || len(name) > long || !strings.Contains(name, "torage") && !strings.Contains(name, "TORAGE") {
		return KeepEverything
	}
	name = spelling(name)
	_, behindOptOut, isOptOut := strings.Cut(name, optOut)
	_, behindSetting, isSetting := strings.Cut(name, setting)
	switch {
	case isOptOut:
		if opted, ok := truthOf(value); ok && !opted || !ok && behindOptOut != "" {
			return KeepEverything
		}
		return KeepBasics
	case isSetting:
		switch spelling(wordOf(value, maxName)) {
		case "everything":
			return KeepEverything
		case "everythingexceptpii":
			return KeepNoPeople
		case "basicattributesonly":
			return KeepBasics
		}
		if behindSetting == "" {
			return KeepBasics
		}
	}
	return KeepEverything
}

// Under is the record without what may not be kept of it. What was said stays
// under KeepNoPeople only when the platform has scrubbed it. The record itself
// is not changed.
func (r Record) Under(k Keep) Record {
	if k == KeepEverything {
		return r
	}
	r.Keep = k
	r.From, r.To, r.Metadata = "", "", nil
	r.RecordingURL, r.Channels, r.CallerChannel, r.OtherRecordings = "", 0, -1, nil
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
	r.Stages, r.Words = nil, nil
	r.CallerInterrupted, r.AgentInterrupted = nil, nil
	r.Sentiment, r.Successful, r.Voicemail = call.Sentiment(""), nil, nil
	return r
}

// isTerm reports whether a word can only be one of a platform's own terms.
func isTerm(word string) bool {
	return len(word) <= 128 && !strings.ContainsFunc(word, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && r != '_' && r != '-' && r != '.' && (r < '0' || r > '9')
	})
}

// plainWords are the words that tell nothing of a person: those that a platform
// chooses from a list of its own.
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
