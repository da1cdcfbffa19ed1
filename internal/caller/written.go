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

// beforeCalls splits text into the part to be said and the tool calls written after it.
func beforeCalls(text string) (said, written string) {
	said, written, _ = strings.Cut(text, callBegin)
	return said, written
}

// writtenCalls parses tool calls written into the text. Those that cannot be parsed are skipped.
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
