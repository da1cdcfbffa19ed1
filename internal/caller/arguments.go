package caller

import (
	"encoding/json"
	"strconv"
	"strings"
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
