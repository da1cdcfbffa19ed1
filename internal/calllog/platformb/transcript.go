package platformb

import (
	"strings"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/calllog"
	"github.com/ringtrue/ringtrue/internal/calllog/lenient"
)

const (
	maxItems  = 20_000
	maxText   = 1 << 20
	maxResult = 256 << 10
)

// conversation is the state of reading a list of messages.
type conversation struct {
	talk *calllog.Conversation
	// nodes are the workflow's nodes not entered yet, in order.
	nodes []node
	// begun is the clock time at which the messages' seconds first counted from zero; zero if unknown.
	// offset is how much later they count from now, and last the latest place so far.
	begun        time.Time
	offset, last time.Duration
}

// node is a workflow node with the time of its first message, zero if it has none.
type node struct {
	name  string
	since time.Time
}

// readTranscript reads what was said and done. It returns when the call started: as told, or else
// as the messages imply.
func (b *body) readTranscript(started time.Time, talk *calllog.Conversation, r *calllog.Record, words *calllog.Words) time.Time {
	items, given := b.messages()
	b.callSides(r.AgentName, talk)
	if started.IsZero() {
		started = startOf(items)
	}
	b.readItems(items, started, talk)
	for _, o := range b.places {
		_, ok := o.Raw("transcript").(string)
		text := o.Said("transcript", 4*maxText)
		given = given || ok
		again := func(talk *calllog.Conversation) { b.readItems(items, started, talk) }
		talk.FillIn(text, again)
		talk.TakeBothSides(text, again)      // the text may have other spellings of numbers and names
		if talk.Turns() == 0 && text != "" { // without recognisable speakers
			words.Keep("transcript", text)
		}
		for _, name := range []string{"messages", "messagesOpenAIFormatted", "transcript", "nodes"} {
			if _, ok := o.List(name); ok {
				o.Done(name)
			}
		}
	}
	r.HasTranscript = given
	talk.Fill(r, words)
	return started
}

// callSides sets the speakers' names in the text: those that the client configured, for the call
// before the assistant, and the assistant's own name.
func (b *body) callSides(agent string, talk *calllog.Conversation) {
	places := []lenient.Object{b.inside("assistantOverrides"), b.inside("assistant")}
	for _, member := range b.squad() {
		places = append(places, member.Inside("assistantOverrides"), member.Inside("assistant"))
	}
	for _, o := range places {
		plan := o.Inside("artifactPlan").Inside("transcriptPlan")
		talk.Called(plan.Word("assistantName", maxName), call.Agent)
		talk.Called(plan.Word("userName", maxName), call.Caller)
	}
	if _, _, stands := calllog.SpeakerOf(agent); !stands {
		talk.Called(agent, call.Agent)
	}
}

// readItems reads a list of messages and enters the nodes reached meanwhile.
func (b *body) readItems(items []lenient.Object, started time.Time, talk *calllog.Conversation) {
	k := conversation{talk: talk, nodes: b.nodes(), begun: begunOf(items, started)}
	talk.Expect(len(items))
	for _, item := range items {
		k.read(item)
	}
	for _, n := range k.nodes {
		talk.Enter(n.name, k.since(n.since))
	}
}

// messages returns the first list of messages that is not empty; given is false if there is no list
// at all.
func (b *body) messages() (items []lenient.Object, given bool) {
	for _, name := range []string{"messages", "messagesOpenAIFormatted", "transcript"} {
		for _, o := range b.places {
			if _, ok := o.List(name); !ok {
				continue
			}
			given = true
			if items = o.Elements(name, maxItems); len(items) > 0 {
				return items, true
			}
		}
	}
	return nil, given
}

// startOf infers when the call started: from the first message with both a clock time and a place
// in the call, or else from the first clock time.
func startOf(items []lenient.Object) time.Time {
	for _, item := range items {
		at := item.Moment("time")
		if from, ok := item.Span("secondsFromStart", time.Second); ok && !at.IsZero() {
			return at.Add(-from)
		}
	}
	for _, item := range items {
		if at := item.Moment("time"); !at.IsZero() {
			return at
		}
	}
	return time.Time{}
}

// begunOf returns the clock time at which the seconds of the messages counted from zero. That may be
// seconds before the platform says that the call started. Without such a message it is that start.
// The system's message is older than the conversation.
func begunOf(items []lenient.Object, started time.Time) time.Time {
	for _, item := range items {
		at := item.Moment("time")
		from, ok := item.Span("secondsFromStart", time.Second)
		if ok && !at.IsZero() && !strings.EqualFold(item.Word("role", maxName), "system") {
			return at.Add(-from)
		}
	}
	return started
}

func (b *body) nodes() []node {
	var nodes []node
	for _, o := range b.places {
		for _, n := range o.Elements("nodes", maxItems) {
			name := n.Word("nodeName", maxName)
			if name == "" {
				name = n.Word("name", maxName)
			}
			var since time.Time
			for _, m := range n.Elements("messages", maxItems) {
				if since = m.Moment("time"); !since.IsZero() {
					break
				}
			}
			nodes = append(nodes, node{name, since})
		}
		if len(nodes) > 0 {
			break
		}
	}
	return nodes
}

func (k *conversation) read(item lenient.Object) {
	k.enter(item.Moment("time"))
	role := strings.ReplaceAll(strings.ToLower(item.Word("role", maxName)), "-", "_")
	speaker, by, speaks := calllog.SpeakerOf(role)
	switch {
	case speaks:
		k.say(item, speaker, by)
		k.calls(item)
	case role == "tool_calls" || role == "function_call":
		k.calls(item)
	case role == "tool_call_result" || role == "function_result" || role == "tool":
		k.answer(item)
	case role != "system":
		k.talk.Wonder(item)
	}
}

// enter enters the nodes reached by the time of a message.
func (k *conversation) enter(now time.Time) {
	for len(k.nodes) > 0 && !now.IsZero() {
		n := k.nodes[0]
		if n.since.IsZero() || n.since.After(now) {
			return
		}
		k.talk.Enter(n.name, k.since(n.since))
		k.nodes = k.nodes[1:]
	}
}

func (k *conversation) say(item lenient.Object, speaker call.Speaker, by string) {
	text := item.Said("message", maxText)
	if text == "" {
		text = item.Said("content", maxText)
	}
	start := k.place(item)
	end := start
	if start >= 0 {
		end += lengthOf(item)
	}
	k.talk.Say(calllog.Utterance{Speaker: speaker, By: by, Start: start, End: end, Text: text})
}

// lengthOf returns the length of a message from its times, or else from its duration. The unit of a
// duration varies: nobody speaks for hundreds of seconds in one breath, or for less than a tenth of
// one.
func lengthOf(item lenient.Object) time.Duration {
	if from, to := item.Moment("time"), item.Moment("endTime"); !from.IsZero() && !to.IsZero() {
		if length := to.Sub(from); length > 0 && length < longest {
			return length
		}
		return 0
	}
	unit := time.Second
	if n, ok := item.Number("duration"); ok && n >= 100 {
		unit = time.Millisecond
	}
	length, _ := item.Span("duration", unit)
	return min(length, longest)
}

// longest is longer than any utterance.
const longest = 24 * time.Hour

// place returns where in the call a message belongs. Its seconds count from the start but start
// over when another assistant takes over: a message that would then precede earlier ones is placed
// by its clock time.
func (k *conversation) place(item lenient.Object) time.Duration {
	const slack = 2 * time.Second // between the two clocks, which differ by less
	at := item.Moment("time")
	d, ok := item.Span("secondsFromStart", time.Second)
	if !ok {
		return k.since(at)
	}
	if !at.IsZero() {
		if moved := at.Add(-d).Sub(k.begun); d+k.offset < k.last && moved > k.offset+slack && moved < longest {
			k.offset = moved
		}
	}
	k.last = max(k.last, d+k.offset)
	return d + k.offset
}

func (k *conversation) since(at time.Time) time.Duration {
	if at.IsZero() || k.begun.IsZero() {
		return calllog.Untold
	}
	switch d := at.Sub(k.begun); {
	case d < -time.Minute || d > 7*longest:
		return calllog.Untold
	default:
		return max(d, 0)
	}
}

// calls reads the function calls of a message: a list, or the single one of older messages.
func (k *conversation) calls(item lenient.Object) {
	if calls := calllog.CallsIn(item); len(calls) > 0 {
		k.talk.Calls(calls, k.place(item))
		return
	}
	if name := item.Word("name", maxName); name != "" && item.Word("role", maxName) != "user" {
		k.talk.Call(call.ToolCall{ID: item.Word("toolCallId", maxName), Name: name, Arguments: calllog.ArgumentsOf(item, maxResult), At: k.place(item)})
	}
}

func (k *conversation) answer(item lenient.Object) {
	id := item.Word("toolCallId", maxName)
	if id == "" {
		id = item.Word("tool_call_id", maxName)
	}
	result := item.Answer("result", maxResult)
	failed := isFault(item, result == "")
	for _, name := range []string{"error", "content", "message"} {
		if result == "" && (failed || name != "error") {
			result = item.Answer(name, maxResult)
		}
	}
	k.talk.Answer(calllog.Answer{ID: id, Name: item.Word("name", maxName), Result: result, Failed: failed, At: k.place(item)})
}

// isFault reports whether an answer says that the function failed. alone means that there is no
// result. Empty errors do not count: many functions return nothing.
func isFault(item lenient.Object, alone bool) bool {
	switch item.Answer("error", maxResult) {
	case "false", "0", "[]":
		return false
	case "{}": // without a result, what remains of an error written as JSON
		return alone
	case "":
		return alone && item.Has("error") && item.Raw("error") != "" // longer than what is kept
	}
	return true
}
