package caller

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/ringtrue/ringtrue/internal/chat"
)

// Marks around tool calls that some models write into their text, if their server does not parse
// them. The text between them must not be spoken.
const callBegin, callEnd = "<tool_call>", "</tool_call>"

// beforeCalls returns the part of text that precedes the first tool call written into it.
func beforeCalls(text string) string {
	said, _, _ := strings.Cut(text, callBegin)
	return said
}

// apart separates what is to be said from the tool calls written into text.
func apart(text string) (said, written string) {
	for {
		before, rest, found := strings.Cut(text, callBegin)
		said += before
		if !found {
			return said, written
		}
		var one string
		one, text, _ = strings.Cut(rest, callEnd)
		written += callBegin + one
	}
}

// writtenCalls parses tool calls that were written into a text. Those that cannot be parsed are skipped.
func writtenCalls(written string) []chat.ToolCall {
	var calls []chat.ToolCall
	for text := range strings.SplitSeq(written, callBegin) {
		text, _, _ = strings.Cut(text, callEnd)
		var c struct {
			Name      string          `json:"name"`
			Arguments json.RawMessage `json:"arguments"`
		}
		if json.Unmarshal([]byte(text), &c) != nil || c.Name == "" {
			continue
		}
		arguments := string(c.Arguments)
		_ = json.Unmarshal(c.Arguments, &arguments) // some write them as text
		calls = append(calls, chat.ToolCall{
			ID: fmt.Sprintf("written%02d", len(calls)+1), Type: "function",
			Function: chat.Function{Name: c.Name, Arguments: arguments},
		})
	}
	return calls
}
