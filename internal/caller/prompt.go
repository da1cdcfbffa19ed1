package caller

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/ringtrue/ringtrue/internal/chat"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

// defaultPrompt tells a language model how to play the caller when no prompt
// is configured. What the item says about the caller follows it.
const defaultPrompt = `You are a person making a telephone call. You called; the messages of the user are what the agent at the other end says, as you understood it over the telephone, so single words may be wrong.
Stay in your role for the whole call. You are the customer, never the agent: do not offer help, do not answer for the agent, and do not say that you are a program.
Speak as people do on the telephone: one or two short sentences at a time, plain words, no lists, no headings, no stage directions, no emoji. Write numbers the way they are spoken.
Pursue your goal. Tell a fact when the agent asks for it or when it is needed, not all at once. When you are asked for something that you do not know, say so; never invent facts.
When you did not understand, ask the agent to repeat. When the agent gets something wrong, correct it.
When a menu asks for keys, use press_keys. When the agent asks you to hold on, use wait.
When your goal is reached, or it is clear that it cannot be reached, say goodbye and use hang_up in the same answer.`

const (
	toolHangUp = "hang_up"
	toolPress  = "press_keys"
	toolWait   = "wait"
)

// instructions returns the system message: the prompt, then the description of the caller.
func instructions(prompt string, item scenario.Item) string {
	if prompt == "" {
		prompt = defaultPrompt
	}
	var b strings.Builder
	b.WriteString(strings.TrimSpace(prompt))
	in := &item.Input
	fmt.Fprintf(&b, "\n\nYour goal: %s\n", in.Goal)
	if in.Persona.Name != "" {
		fmt.Fprintf(&b, "Your name: %s\n", in.Persona.Name)
	}
	fmt.Fprintf(&b, "The language you speak: %s\n", item.Language())
	if len(in.Facts) > 0 {
		b.WriteString("What you know:\n")
		names := make([]string, 0, len(in.Facts))
		for name := range in.Facts {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, name := range names {
			fmt.Fprintf(&b, "- %s: %s\n", name, in.Facts[name])
		}
	}
	return b.String()
}

// tools are what the model can do besides speaking.
func tools() []chat.Tool {
	return []chat.Tool{
		{
			Name:        toolHangUp,
			Description: "End the call after what you say in this answer has been spoken.",
			Parameters: json.RawMessage(`{"type":"object","properties":{"goal_reached":{"type":"boolean",` +
				`"description":"whether you got what you called for"}},"required":["goal_reached"]}`),
		},
		{
			Name:        toolPress,
			Description: "Press telephone keys, for example in a menu.",
			Parameters: json.RawMessage(`{"type":"object","properties":{"keys":{"type":"string",` +
				`"description":"0-9, * and #, for example 1#"}},"required":["keys"]}`),
		},
		{
			Name:        toolWait,
			Description: "Say nothing until the agent speaks again, at most for the given time.",
			Parameters: json.RawMessage(`{"type":"object","properties":{"seconds":{"type":"number",` +
				`"description":"1 to 60"}},"required":["seconds"]}`),
		},
	}
}
