package caller

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/ringtrue/ringtrue/internal/chat"
)

// arguments are the arguments of a model's tool call. Small models write booleans and numbers
// as strings ("true", "5") and digits to press as a number; both forms are accepted.
type arguments struct {
	goalReached bool
	keys        string
	seconds     float64
}

// argumentsOf parses the arguments of a tool call. What cannot be parsed is left zero.
func argumentsOf(text string) arguments {
	var given struct {
		GoalReached loose `json:"goal_reached"`
		Keys        loose `json:"keys"`
		Seconds     loose `json:"seconds"`
	}
	if json.Unmarshal([]byte(text), &given) != nil {
		return arguments{}
	}
	seconds, _ := strconv.ParseFloat(string(given.Seconds), 64)
	return arguments{
		goalReached: strings.EqualFold(string(given.GoalReached), "true"),
		keys:        string(given.Keys),
		seconds:     seconds,
	}
}

// isJSON reports whether arguments can be read. None at all are none.
func isJSON(text string) bool { return strings.TrimSpace(text) == "" || json.Valid([]byte(text)) }

// readable returns tool calls as they can be told to the model later: servers refuse a conversation with
// arguments that are not JSON.
func readable(calls []chat.ToolCall) []chat.ToolCall {
	calls = slices.Clone(calls)
	for i := range calls {
		if a := &calls[i].Function.Arguments; !json.Valid([]byte(*a)) {
			*a = "{}"
		}
	}
	return calls
}

// loose is a JSON scalar as text, quoted or not; empty for an object or array.
type loose string

// UnmarshalJSON implements json.Unmarshaler.
func (l *loose) UnmarshalJSON(data []byte) error {
	switch data[0] {
	case '{', '[':
		return nil
	case '"':
		var text string
		if err := json.Unmarshal(data, &text); err != nil {
			return err
		}
		*l = loose(strings.TrimSpace(text))
	default:
		*l = loose(data)
	}
	return nil
}
