package calllog

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/calllog/lenient"
)

const maxTools = 2_000

// tools are the functions called in a conversation with their answers, in the order of the record.
// Its zero value is ready for use.
type tools struct {
	calls []call.ToolCall
	// open are the unanswered calls by id; those without one are under "".
	open map[string][]int
	// known finds the last call with an id, and early the calls known only from their answer.
	known, early map[string]int
}

// Answer is what a function answered.
type Answer struct {
	// ID and Name are those of the call, as far as the answer tells them.
	ID, Name string
	Result   string
	Failed   bool
	// At is when it came, relative to the start of the call, or Untold.
	At time.Duration
}

// Call adds a function call. One without a time gets the latest time told before it. If its answer
// came first, the two are joined.
func (c *Conversation) Call(t call.ToolCall) {
	if t.ID == "" && t.Name == "" || c.tools.late(t) {
		return
	}
	c.called(t, t.Result != "")
}

// CallsIn returns the function calls of a chat message, in any of the usual fields.
func CallsIn(o lenient.Object) []lenient.Object {
	const maxCalls = 100
	for _, name := range []string{"toolCalls", "tool_calls", "toolCallList"} {
		if calls := o.Elements(name, maxCalls); len(calls) > 0 {
			return calls
		}
	}
	return nil
}

// Calls adds the function calls of one message.
func (c *Conversation) Calls(calls []lenient.Object, at time.Duration) {
	const maxArguments = 256 << 10
	for _, o := range calls {
		f := o.Inside("function")
		if f.Empty() {
			f = o
		}
		c.Call(call.ToolCall{ID: o.Word("id", lenient.MaxName), Name: f.Word("name", lenient.MaxName), Arguments: ArgumentsOf(f, maxArguments), At: at})
	}
}

// ArgumentsOf returns the arguments of a function call, from any of the usual fields.
func ArgumentsOf(o lenient.Object, limit int) json.RawMessage {
	for _, name := range []string{"arguments", "args", "parameters"} {
		if text := o.JSON(name, limit); text != nil {
			return text
		}
	}
	return nil
}

// Answer adds the answer to a function call, which it finds by id, or else by name and order. An
// answer without a call is kept as a call with unknown arguments.
func (c *Conversation) Answer(a Answer) {
	c.last = max(c.last, a.At)
	if i, ok := c.tools.asked(a); ok {
		c.tools.calls[i].Result, c.tools.calls[i].Failed = a.Result, a.Failed
		return
	}
	if a.ID == "" && a.Name == "" && a.Result == "" {
		return
	}
	at := len(c.tools.calls)
	if c.called(call.ToolCall{ID: a.ID, Name: a.Name, Result: a.Result, Failed: a.Failed, At: a.At}, true) && a.ID != "" {
		c.tools.early[a.ID] = at
	}
}

func (c *Conversation) called(t call.ToolCall, answered bool) bool {
	if len(c.tools.calls) == maxTools {
		return false
	}
	if t.At < 0 && c.Timed() {
		t.At = c.last
	}
	c.last = max(c.last, t.At)
	c.tools.add(t, answered)
	c.waits = true // for what the agent makes of the result
	return true
}

func (t *tools) add(called call.ToolCall, answered bool) {
	if t.known == nil {
		t.open, t.known, t.early = map[string][]int{}, map[string]int{}, map[string]int{}
	}
	at := len(t.calls)
	t.calls = append(t.calls, called)
	if called.ID != "" {
		t.known[called.ID] = at
	}
	if !answered {
		t.open[called.ID] = append(t.open[called.ID], at)
	}
}

// late completes a call that only its answer told of so far; ok is false if there is no such call.
func (t *tools) late(called call.ToolCall) (ok bool) {
	at, ok := t.early[called.ID]
	if !ok {
		return false
	}
	delete(t.early, called.ID)
	before := &t.calls[at]
	if before.Arguments = called.Arguments; called.Name != "" {
		before.Name = called.Name
	}
	if called.At >= 0 {
		before.At = called.At
	}
	return true
}

// asked finds the call that an answer belongs to: the first unanswered one that fits, or else the
// last that fits. An answer with only a name may belong to a call with an id. An answer with an id
// may belong to a call without, as long as no call has one.
func (t *tools) asked(a Answer) (at int, ok bool) {
	at, ok = t.askedBy(a)
	switch {
	case ok:
		return at, true
	case a.ID != "" && len(t.known) == 0 && len(t.open[""]) > 0:
		return t.askedBy(Answer{Name: a.Name})
	case a.ID != "" || a.Name == "":
		return 0, false
	}
	for i := range t.calls {
		if t.calls[i].Name == a.Name && t.answer(t.calls[i].ID, i) {
			return i, true
		}
	}
	return 0, false
}

// answer removes a call from those that are unanswered and reports whether it was among them. They
// are sorted.
func (t *tools) answer(id string, at int) bool {
	waiting := t.open[id]
	i, waits := slices.BinarySearch(waiting, at)
	if waits {
		t.open[id] = slices.Concat(waiting[:i], waiting[i+1:])
	}
	return waits
}

func (t *tools) askedBy(a Answer) (at int, ok bool) {
	waiting := t.open[a.ID]
	for i, at := range waiting {
		if a.ID == "" && a.Name != "" && t.calls[at].Name != a.Name {
			continue
		}
		t.open[a.ID] = append(waiting[:i:i], waiting[i+1:]...)
		return at, true
	}
	at, ok = t.known[a.ID]
	return at, ok
}
