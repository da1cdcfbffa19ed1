package calllog

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"time"
	"unicode"

	"github.com/ringtrue/ringtrue/internal/call"
)

// Merge combines two records of one call. Nothing is lost: of two values the one that says
// more wins, and between equals the result depends on the values alone, not on their order.
// An opinion that was sent later corrects an earlier one. The zero Record changes nothing.
func Merge(a, b Record) Record {
	out := a
	out.From, out.To = fuller(a.From, b.From), fuller(a.To, b.To)
	mergeTimes(&out, a, b)
	if compareEnds(b, a) > 0 {
		out.End, out.NeverAnswered = b.End, b.NeverAnswered
	}
	out.Keep = a.Keep.Stricter(b.Keep)
	out.TestCall = fuller(a.TestCall, b.TestCall)
	out.Whole = a.Whole || b.Whole
	out.Metadata = union(a.Metadata, b.Metadata)
	out.ExternalAgentID = fuller(a.ExternalAgentID, b.ExternalAgentID)
	out.Reported = mergeReported(a.Reported, b.Reported)
	correct(&out, a, b)
	if out.Scrubbed = a.Scrubbed || b.Scrubbed; a.Scrubbed != b.Scrubbed { // speech that may still name people gives way
		scrubbed := a
		if b.Scrubbed {
			scrubbed = b
		}
		out.Turns, out.Timed, out.ToolCalls = scrubbed.Turns, scrubbed.Timed, scrubbed.ToolCalls
		if scrubbed.RecordingURL != "" && scrubbed.ScrubbedRecording == out.ScrubbedRecording {
			mergeLinks(&out.Reported, scrubbed.Reported, call.Reported{})
		}
	}
	return out
}

// mergeTimes combines the times of two records. Told times beat guesses, and together span
// from the earlier start to the later end. Of two guesses, the one with a length wins, then
// the earlier one, since each webhook of a call is sent at a time of its own.
func mergeTimes(out *Record, a, b Record) {
	out.Length = max(a.Length, b.Length)
	sure := func(r Record) int {
		switch {
		case r.StartedAt.IsZero():
			return 0
		case !r.Guessed:
			return 3
		case r.EndedAt.IsZero():
			return 1
		}
		return 2
	}
	c := cmp.Compare(sure(b), sure(a))
	switch {
	case c == 0 && !a.Guessed:
		out.StartedAt, out.EndedAt = earlier(a.StartedAt, b.StartedAt), later(a.EndedAt, b.EndedAt)
	case c > 0 || c == 0 && cmp.Or(b.EndedAt.Compare(a.EndedAt), b.StartedAt.Compare(a.StartedAt)) < 0:
		out.StartedAt, out.EndedAt, out.Guessed = b.StartedAt, b.EndedAt, b.Guessed
	}
}

// Amend applies an amendment to a record: its metadata key by key, null removing one, and
// its outcome.
func Amend(r, patch Record) Record {
	if len(patch.Metadata) > 0 {
		r.Metadata = maps.Clone(r.Metadata)
		if r.Metadata == nil {
			r.Metadata = map[string]any{}
		}
		for name, value := range patch.Metadata {
			if value == nil {
				delete(r.Metadata, name)
				continue
			}
			r.Metadata[name] = value
		}
	}
	if patch.Outcome != "" {
		r.Outcome = patch.Outcome
	}
	return r
}

func mergeReported(a, b call.Reported) call.Reported {
	out := a
	for _, t := range []struct{ to, from *string }{
		{&out.Provider, &b.Provider}, {&out.ExternalID, &b.ExternalID}, {&out.PlatformAgentID, &b.PlatformAgentID},
		{&out.AgentName, &b.AgentName}, {&out.AgentVersion, &b.AgentVersion}, {&out.Model, &b.Model}, {&out.Prompt, &b.Prompt},
		{&out.Medium, &b.Medium}, {&out.Direction, &b.Direction}, {&out.Summary, &b.Summary}, {&out.Outcome, &b.Outcome},
	} {
		*t.to = fuller(*t.to, *t.from)
	}
	out.Sentiment = call.Sentiment(fuller(string(a.Sentiment), string(b.Sentiment)))
	out.HasTranscript = a.HasTranscript || b.HasTranscript
	if compareTurns(b, a) > 0 {
		out.Turns, out.Timed = b.Turns, b.Timed
	}
	if c := cmp.Compare(len(b.Stages), len(a.Stages)); c > 0 || c == 0 && compareJSON(b.Stages, a.Stages) > 0 {
		out.Stages = b.Stages
	}
	out.ToolCalls = mergeTools(a.ToolCalls, b.ToolCalls)
	out.Latency = mergeLatency(a.Latency, b.Latency)
	out.CallerInterrupted = most(a.CallerInterrupted, b.CallerInterrupted)
	out.AgentInterrupted = most(a.AgentInterrupted, b.AgentInterrupted)
	out.Cost = most(a.Cost, b.Cost)
	out.Successful, out.Voicemail = either(a.Successful, b.Successful), either(a.Voicemail, b.Voicemail)
	mergeLinks(&out, a, b)
	out.Words = union(a.Words, b.Words)
	return out
}

// fuller returns the longer of two texts; of equally long ones the greater.
func fuller(a, b string) string {
	if c := cmp.Compare(len(b), len(a)); c > 0 || c == 0 && b > a {
		return b
	}
	return a
}

func earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// compareEnds orders ends by how much they say. Of two ends with the same platform word, the
// one that names a reached goal, or who is to blame, says more.
func compareEnds(a, b Record) int {
	rank := func(r Record) int {
		switch r.End.Code {
		case "":
			return 0
		case call.EndUnknown:
			return 1
		case call.EndCompleted:
			if r.End.Detail == "ended" {
				return 2 // says only that the call is over
			}
			return 3
		default:
			return 3
		}
	}
	return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.End.Detail, b.End.Detail),
		compareBools(a.End.Code == call.EndCompleted, b.End.Code == call.EndCompleted), cmp.Compare(a.End.Code, b.End.Code),
		compareBools(a.End.Blame != call.BlameUndecided, b.End.Blame != call.BlameUndecided), cmp.Compare(a.End.Blame, b.End.Blame), compareBools(a.NeverAnswered, b.NeverAnswered))
}

// compareTurns orders transcripts: by the amount of speech, then by having times, then by
// the number of turns.
func compareTurns(a, b call.Reported) int {
	return cmp.Or(cmp.Compare(letters(a.Turns), letters(b.Turns)), compareBools(a.Timed, b.Timed),
		cmp.Compare(len(a.Turns), len(b.Turns)), compareJSON(a.Turns, b.Turns))
}

func letters(turns []call.Turn) (n int) {
	for i := range turns {
		for _, r := range turns[i].Text {
			if unicode.IsLetter(r) || unicode.IsNumber(r) {
				n++
			}
		}
	}
	return n
}

func compareBools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// compareJSON orders values by length and text of their JSON. It breaks ties between values
// that are equally good.
func compareJSON(a, b any) int {
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	if errX != nil || errY != nil {
		return 0 // whatever came as JSON can be written as JSON
	}
	return cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(string(x), string(y)))
}

// union returns the keys of both maps; for a key in both, the fuller value.
func union(a, b map[string]any) map[string]any {
	if len(b) == 0 {
		return a
	}
	out := maps.Clone(a)
	if out == nil {
		out = make(map[string]any, len(b))
	}
	for name, value := range b {
		if before, both := out[name]; both && (value == nil || before != nil && compareJSON(before, value) >= 0) {
			continue
		}
		out[name] = value
	}
	return out
}

// mergeTools joins the tool calls of two records. Calls with the same id are one; since some
// agents reuse ids, the first with an id in one record matches the first in the other. Calls
// without an id are matched by content, and each occurs as often as in the record that has
// it most often.
func mergeTools(a, b []call.ToolCall) []call.ToolCall {
	if len(a) == 0 || len(b) == 0 {
		return append(a, b...)
	}
	out, places, unnamed := slices.Clone(a), make(map[string][]int, len(a)), map[string]int{}
	text := func(t call.ToolCall) string { return t.Name + "\x00" + string(t.Arguments) + "\x00" + t.Result }
	for i, t := range a {
		if t.ID == "" {
			unnamed[text(t)]++
			continue
		}
		places[t.ID] = append(places[t.ID], i)
	}
	for _, t := range b {
		left := places[t.ID]
		switch {
		case t.ID == "" && unnamed[text(t)] > 0:
			unnamed[text(t)]--
		case len(left) == 0:
			out = append(out, t)
		default:
			out[left[0]] = fullerTool(out[left[0]], t)
			places[t.ID] = left[1:]
		}
	}
	return out
}

func fullerTool(a, b call.ToolCall) call.ToolCall {
	out := a
	out.Name, out.Result = fuller(a.Name, b.Name), fuller(a.Result, b.Result)
	out.Arguments = json.RawMessage(fuller(string(a.Arguments), string(b.Arguments)))
	if len(out.Arguments) == 0 {
		out.Arguments = nil
	}
	out.At, out.Failed = max(a.At, b.At), a.Failed || b.Failed
	return out
}

func mergeLatency(a, b map[string]call.ReportedLatency) map[string]call.ReportedLatency {
	if len(b) == 0 {
		return a
	}
	out := maps.Clone(a)
	if out == nil {
		out = make(map[string]call.ReportedLatency, len(b))
	}
	for name, figures := range b {
		before, both := out[name]
		if c := cmp.Compare(figures.N, before.N); !both || c > 0 || c == 0 && compareJSON(figures, before) > 0 {
			out[name] = figures
		}
	}
	return out
}

// most returns the greater of two numbers, either of which may be nil.
func most[T cmp.Ordered](a, b *T) *T {
	if a == nil || b != nil && *b > *a {
		return b
	}
	return a
}

// either returns the value that is known, and true when the two contradict each other.
func either(a, b *bool) *bool {
	if a == nil || b != nil && *b {
		return b
	}
	return a
}
