package custom

import (
	"encoding/json"
	"math"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/calllog"
	"github.com/ringtrue/ringtrue/internal/calllog/lenient"
	"github.com/ringtrue/ringtrue/internal/chat"
)

const (
	maxMessages  = 10_000
	maxToolCalls = 100
	// unknown marks a time that the record does not tell.
	unknown time.Duration = -1
)

// transcript is the state of reading one transcript.
type transcript struct {
	started int64 // ms since 1970
	length  int64 // of the call, in ms
	talk    calllog.Conversation
	tools   []call.ToolCall
	// byID is the index of a tool call by its id; answers are filled in at the end, because the calls
	// they answer may be listed after them.
	byID    map[string]int
	answers []answer
}

type answer struct {
	message lenient.Object
	id      string
	content string
}

func readTranscript(o lenient.Object, kinds map[string]string, started, length int64, r *calllog.Record) {
	kind := o.Text("kind", maxName)
	if ours, ok := kinds[kind]; ok {
		kind = ours
	}
	if kind != "" && kind != TranscriptKind {
		o.Note("kind", "must be "+TranscriptKind)
	}
	t := transcript{started: started, length: length, byID: map[string]int{}}
	messages := o.Objects("messages", maxMessages)
	t.talk.Expect(len(messages))
	for i, at := range t.starts(messages) {
		t.read(messages[i], at)
	}
	for _, a := range t.answers {
		i, ok := t.byID[a.id]
		if !ok {
			a.message.Note("tool_call_id", "does not answer any tool call of this transcript")
			continue
		}
		t.tools[i].Result = a.content
	}
	t.talk.Fill(r, nil)
	r.ToolCalls = t.tools
}

func (t *transcript) read(m lenient.Object, at time.Duration) {
	role := m.Text("role", maxName)
	switch role {
	case "":
	case chat.User:
		if text, ok := m.Prose("content"); ok {
			t.say(call.Caller, at, text)
		}
	case chat.Assistant:
		t.assistant(m, at)
	case chat.ToolRole:
		id := m.Text("tool_call_id", maxName)
		if content, ok := m.Prose("content"); ok && id != "" {
			t.answers = append(t.answers, answer{m, id, content})
		}
	default:
		m.Note("role", "must be user, assistant or tool")
	}
}

// assistant reads what the agent said and called. A message with function calls need not have
// content.
func (t *transcript) assistant(m lenient.Object, at time.Duration) {
	if m.Has("content") || !m.Has("tool_calls") {
		if text, ok := m.Prose("content"); ok {
			t.say(call.Agent, at, text)
		}
	}
	if !m.Has("tool_calls") {
		return
	}
	for _, c := range m.Objects("tool_calls", maxToolCalls) {
		t.call(c, at)
	}
}

func (t *transcript) call(c lenient.Object, at time.Duration) {
	id := c.Text("id", maxName)
	if kind := c.Text("type", maxName); kind != "" && kind != "function" {
		c.Note("type", "must be function")
	}
	f, ok := c.Object("function")
	if !ok {
		return
	}
	name := f.Text("name", maxName)
	arguments, ok := f.Prose("arguments")
	if !ok || id == "" || name == "" {
		return
	}
	if _, used := t.byID[id]; used {
		c.Note("id", "is used by another tool call of this transcript")
		return
	}
	t.byID[id] = len(t.tools)
	t.tools = append(t.tools, call.ToolCall{ID: id, Name: name, Arguments: argumentsOf(arguments), At: at})
}

// argumentsOf returns arguments as JSON. Text that is not JSON is kept as a JSON string: it is a
// mistake of the agent and not of its record.
func argumentsOf(text string) json.RawMessage {
	if text == "" {
		return nil
	}
	if raw := json.RawMessage(text); json.Valid(raw) {
		return raw
	}
	quoted, err := json.Marshal(text)
	if err != nil {
		return nil // text can always be quoted
	}
	return quoted
}

func (t *transcript) say(who call.Speaker, at time.Duration, text string) {
	t.talk.Say(calllog.Utterance{Speaker: who, Start: at, End: at, Text: text})
}

// clocksDiffer is how far two clocks of a client may differ, in milliseconds: a message up to that
// long before or after the call belongs to it.
const clocksDiffer = 60_000

// untold marks a message without a time, in milliseconds.
const untold = math.MinInt64

// starts returns when the messages began, relative to the start of the call. A single message just
// outside the call is moved to its start or end. Several of them mean that they were timed by
// another clock: they keep their distances, and a review aligns them with the recording.
func (t *transcript) starts(messages []lenient.Object) []time.Duration {
	at := make([]int64, len(messages))
	early, late, first := 0, 0, int64(0)
	for i, m := range messages {
		at[i] = t.start(m)
		switch {
		case at[i] == untold:
		case at[i] < 0:
			early, first = early+1, min(first, at[i])
		case at[i] > t.length:
			late++
		}
	}
	if early < 2 {
		first = 0
	}
	out := make([]time.Duration, len(at))
	for i, n := range at {
		if n == untold {
			out[i] = unknown
			continue
		}
		if late < 2 {
			n = min(n, t.length)
		}
		out[i] = time.Duration(max(n-first, 0)) * time.Millisecond
	}
	return out
}

// start reads when a message began, in milliseconds since the start of the call, or untold. The
// number may count from the start of the call or from 1970; its size tells which.
func (t *transcript) start(m lenient.Object) int64 {
	if !m.Has("start") {
		return untold
	}
	n, ok := m.Int("start")
	if !ok {
		return untold
	}
	earliest := int64(0)
	if n >= leastStamp && t.started == 0 { // when the call started is missing or wrong, which was noted
		return untold
	}
	if n >= leastStamp {
		n, earliest = n-t.started, -clocksDiffer
	}
	if n < earliest || n > t.length+clocksDiffer {
		m.Note("start", "must be milliseconds from the start of the call or since 1970, and lie in the call")
		return untold
	}
	return n
}
