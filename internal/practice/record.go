package practice

import (
	"slices"
	"strconv"
	"time"

	"github.com/ringtrue/ringtrue/internal/chat"
	"github.com/ringtrue/ringtrue/internal/leg"
)

// record is a Record being written.
type record struct {
	incoming     leg.Incoming
	started      time.Time
	length       time.Duration
	callerHungUp bool
	hungUp       bool
	transferred  bool
	turnAt       time.Duration
	tools        int
	late         time.Duration
	messages     []chat.Message
}

// maxMessages bounds the record of an endless call.
const maxMessages = 2000

func (r *record) add(at time.Duration, m chat.Message) {
	if len(r.messages) >= maxMessages {
		return
	}
	ms := at.Milliseconds()
	m.Start = &ms
	r.messages = append(r.messages, m)
}

// callerSpoke records when the turn began whose words are still being recognised.
func (r *record) callerSpoke(at time.Duration) { r.turnAt = at }

func (r *record) understood(text string) {
	r.add(r.turnAt, chat.Message{Role: chat.User, Content: text})
}

func (r *record) pressed(at time.Duration, key string) {
	r.add(at, chat.Message{Role: chat.User, Content: "[pressed " + key + "]"})
}

func (r *record) spoke(at time.Duration, text string) {
	r.add(at, chat.Message{Role: chat.Assistant, Content: text})
}

// cut marks the last line as cut off.
func (r *record) cut() {
	for i, m := range slices.Backward(r.messages) {
		if m.Role == chat.Assistant && m.Content != "" {
			r.messages[i].Content += " [interrupted]"
			return
		}
	}
}

func (r *record) called(at time.Duration, tools []tool) {
	for _, t := range tools {
		r.tools++
		id := "tool_" + strconv.Itoa(r.tools)
		r.add(at, chat.Message{Role: chat.Assistant, ToolCalls: []chat.ToolCall{
			{ID: id, Type: "function", Function: chat.Function{Name: t.name, Arguments: t.arguments}},
		}})
		r.add(at, chat.Message{Role: chat.ToolRole, ToolCallID: id, Content: t.result})
	}
}

func (r *record) end(at time.Duration, byCaller bool) {
	r.length, r.callerHungUp = at, byCaller
}

func (r *record) record() Record {
	out := Record{
		CallID: r.incoming.CallID, From: r.incoming.From, To: r.incoming.To,
		StartedAt: r.started, EndedAt: r.started.Add(r.length), Messages: r.messages, Late: r.late,
		EndReason: "caller_hung_up",
	}
	switch {
	case r.transferred && r.hungUp:
		out.EndReason = "transferred"
	case r.hungUp && !r.callerHungUp:
		out.EndReason = "agent_hung_up"
	}
	return out
}
