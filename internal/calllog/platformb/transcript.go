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

// conversation is a list of messages while it is read.
type conversation struct {
	talk *calllog.Conversation
	// started is when the call did; zero when that is not known.
	started time.Time
	// nodes are the workflow's nodes that were not entered yet, in order.
	nodes []node
	// begun is where the seconds of a message count from by the clock, offset how much
	// later that is now than it was first, and last the latest place so far.
	begun        time.Time
	offset, last time.Duration
}

// node is a part of the workflow with the moment of its first message; zero when it has none.
type node struct {
	name  string
	since time.Time
}

// readTranscript reads what was said and done, and returns when the call
// started: as it was told, or as the messages let it be known.
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
		talk.TakeBothSides(text, again)      // the text writes numbers and names otherwise at times
		if talk.Turns() == 0 && text != "" { // nobody can tell who said it
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

// callSides tells by what names the sides go in the text: those that the client had the
// platform write there, for this call before for all, or else the assistant's own.
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

// readItems reads a list of messages, and the nodes that were entered meanwhile.
func (b *body) readItems(items []lenient.Object, started time.Time, talk *calllog.Conversation) {
	k := conversation{talk: talk, started: started, nodes: b.nodes()}
	talk.Expect(len(items))
	for _, item := range items {
		k.read(item)
	}
	for _, n := range k.nodes {
		talk.Enter(n.name, k.since(n.since))
	}
}

// messages are the first list of messages that holds any; given is false when there is no list at all.
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

// startOf is when the call must have started, by the first message that tells
// both its time and its place in the call.
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

// enter enters the nodes that had been reached by a message's time.
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

// lengthOf is how long a message took by its times. Where it has but one of them its
// duration must do, whose unit varies: nobody speaks for hundreds of seconds in one
// breath, nor for less than a tenth of one.
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

// longest is how long no utterance is.
const longest = 24 * time.Hour

// place is where in the call a message belongs. Its seconds count from the start,
// but begin again when another assistant takes over: a message that would fall
// behind what came before it is placed by its clock.
func (k *conversation) place(item lenient.Object) time.Duration {
	const slack = 2 * time.Second // the two clocks differ by less
	at := item.Moment("time")
	d, ok := item.Span("secondsFromStart", time.Second)
	if !ok {
		return k.since(at)
	}
	if !at.IsZero() {
		begun := at.Add(-d)
		if k.begun.IsZero() {
			k.begun = begun
		}
		if moved := begun.Sub(k.begun); d+k.offset < k.last && moved > k.offset+slack && moved < longest {
			k.offset = moved
		}
	}
	k.last = max(k.last, d+k.offset)
	return d + k.offset
}

func (k *conversation) since(at time.Time) time.Duration {
	if at.IsZero() || k.started.IsZero() {
		return calllog.Untold
	}
	switch d := at.Sub(k.started); {
	case d < -time.Minute || d > 7*longest:
		return calllog.Untold
	default:
		return max(d, 0)
	}
}

// calls reads the functions that a message calls: several, or as the older ones do a single one.
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

// isFault reports whether an answer tells of an error, which stands alone where there is no
// result. An error of nothing, as some write it, is none: many functions answer nothing.
func isFault(item lenient.Object, alone bool) bool {
	switch item.Answer("error", maxResult) {
	case "false", "0", "[]":
		return false
	case "{}": // alone it is what is left of an error that was written as JSON
		return alone
	case "":
		return alone && item.Has("error") && item.Raw("error") != "" // it is more than is kept
	}
	return true
}
