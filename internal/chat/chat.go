// Package chat is the chat-completion message format in Go: what a language
// model is asked and answers, and how a client writes a transcript down. It
// imports the standard library alone. Packages caller and score/judge talk to
// a Model, package speech is one over HTTP, and calllog/custom reads messages.
package chat

import (
	"context"
	"encoding/json"
)

// The roles of a message.
const (
	System    = "system"
	User      = "user"
	Assistant = "assistant"
	ToolRole  = "tool"
)

// Message is one message of a conversation.
type Message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
	// ToolCalls are the functions an assistant calls.
	ToolCalls []ToolCall `json:"tool_calls,omitempty"`
	// ToolCallID says which call a tool message answers.
	ToolCallID string `json:"tool_call_id,omitempty"`
	// Start is when it was said, in ms; only in transcripts.
	Start *int64 `json:"start,omitempty"`
	// Cut is true of an answer that ended before the model had finished: at its limit, or by a filter.
	Cut bool `json:"-"`
}

// ToolCall is one call of a function.
type ToolCall struct {
	ID       string   `json:"id"`
	Type     string   `json:"type"` // "function"
	Function Function `json:"function"`
}

// Function names the function and carries its arguments as JSON text.
type Function struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// Tool is a function the model may call. Parameters is a JSON Schema.
type Tool struct {
	Name        string
	Description string
	Parameters  json.RawMessage
}

// Request is one question to a model.
type Request struct {
	Messages    []Message
	Tools       []Tool
	Temperature float64
	Seed        int64
	MaxTokens   int
	// JSON asks for an answer that is one JSON object.
	JSON bool
}

// Model answers conversations.
type Model interface {
	// Name is the model's name and where it runs, for reports.
	Name() string
	// Complete asks and returns the whole answer. onText, when not nil, is
	// given the text piece by piece as it comes.
	Complete(ctx context.Context, r Request, onText func(string)) (Message, error)
}
