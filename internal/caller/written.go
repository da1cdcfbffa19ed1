package caller

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/ringtrue/ringtrue/internal/chat"
)

// The marks between which some models write their tool calls, where no parser of their server takes
// them out of the text. What stands there is not for anybody's ears.
const callBegin, callEnd = "<tool_call>", "</tool_call>"

// beforeCalls splits a text into what is to be said and the written tool calls that follow it.
func beforeCalls(text string) (said, written string) {
	said, written, _ = strings.Cut(text, callBegin)
	return said, written
}

// writtenCalls parses tool calls that stand in a text, leaving out what cannot be parsed.
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
