package client

import (
	"context"
	"net/url"
)

// CallLog is the record of a finished call. Payload is what the provider's
// rules demand; for "custom" use CustomPayload.
type CallLog struct {
	// Provider is "custom", "platform_a" or "platform_b".
	Provider        string         `json:"provider"`
	Metadata        map[string]any `json:"metadata,omitempty"`
	Payload         any            `json:"payload"`
	ExternalAgentID string         `json:"externalAgentId,omitempty"`
}

// CustomPayload is the payload of the provider "custom". Times are milliseconds since 1970.
type CustomPayload struct {
	CallID         string `json:"call_id"`
	RecordingURL   string `json:"recording_url"`
	FromNumber     string `json:"from_number"`
	ToNumber       string `json:"to_number"`
	StartTimestamp int64  `json:"start_timestamp"`
	EndTimestamp   int64  `json:"end_timestamp"`
	// Status is "ended" or "error".
	Status     string      `json:"status"`
	Transcript *Transcript `json:"transcript,omitempty"`
}

// TranscriptKind is the one kind of transcript there is.
const TranscriptKind = "chat_completion"

// Transcript is what was said and which functions the agent called.
type Transcript struct {
	// Kind is TranscriptKind.
	Kind     string    `json:"kind"`
	Messages []Message `json:"messages"`
}

// Message is one message of a transcript, of the role "user", "assistant" or "tool".
type Message struct {
	Role string `json:"role"`
	// Start is when it began: milliseconds from the start of the call or since 1970; nil when not known.
	Start   *int64 `json:"start,omitempty"`
	Content string `json:"content"`
	// ToolCalls are the functions an assistant message calls.
	ToolCalls []MessageToolCall `json:"tool_calls,omitempty"`
	// ToolCallID names the call that a tool message answers.
	ToolCallID string `json:"tool_call_id,omitempty"`
}

// MessageToolCall is one call of a function.
type MessageToolCall struct {
	ID string `json:"id"`
	// Type is "function".
	Type     string          `json:"type"`
	Function MessageFunction `json:"function"`
}

// MessageFunction names a function and carries its arguments as JSON text.
type MessageFunction struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// CallLogAccepted is the answer to a call log: it is on disk.
type CallLogAccepted struct {
	// ID is the call it became or belongs to.
	ID        string  `json:"id"`
	Status    string  `json:"status"`
	AgentID   *string `json:"agent_id"`
	Duplicate bool    `json:"duplicate"`
}

// SubmitCallLog hands in the record of a finished call. The service knows a
// call by its provider and id, so that sending it twice does no harm.
func (c *Client) SubmitCallLog(ctx context.Context, l CallLog) (CallLogAccepted, error) {
	var out CallLogAccepted
	err := c.do(ctx, request{method: "POST", path: callLogsPath, body: l, safe: true}, &out)
	return out, err
}

// SubmitRawCallLog is SubmitCallLog for a whole submission that is JSON already.
func (c *Client) SubmitRawCallLog(ctx context.Context, submission []byte) (CallLogAccepted, error) {
	var out CallLogAccepted
	err := c.do(ctx, request{method: "POST", path: callLogsPath, body: submission, safe: true}, &out)
	return out, err
}

const callLogsPath = "/v2/call-logs"

// CallLogRecord is a call as its records tell it, all submissions of it together.
// What a review found out is not part of it.
type CallLogRecord struct {
	Call
	// Provider is "custom", "platform_a" or "platform_b".
	Provider string `json:"provider"`
	// AgentLink is "given", "inferred" from the platform's own id of the agent, or nil without an agent.
	AgentLink *string `json:"agent_link"`
	// Keeps is "everything", "no_people" or "basics".
	Keeps         string  `json:"keeps"`
	Outcome       *string `json:"outcome"`
	AgentName     *string `json:"agent_name"`
	AgentVersion  *string `json:"agent_version"`
	HasTranscript bool    `json:"has_transcript"`
	// Sentiment, Successful and Summary are the platform's own opinion.
	Sentiment  *string `json:"reported_sentiment"`
	Successful *bool   `json:"reported_successful"`
	Summary    *string `json:"reported_summary"`
	// CostUSD is nil when the platform does not tell it.
	CostUSD     *float64            `json:"cost_usd"`
	Submissions []CallLogSubmission `json:"submissions"`
}

// CallLogSubmission is one record of a call.
type CallLogSubmission struct {
	ID string `json:"id"`
	// Kind is "log", or "patch" for what was added later.
	Kind       string `json:"kind"`
	Provider   string `json:"provider"`
	ExternalID string `json:"external_id"`
	// ReceivedAt is in milliseconds since 1970.
	ReceivedAt int64 `json:"received_at"`
}

// CallLogChange is what is added to a call later. Metadata is laid over what
// there is, key by key; a nil value removes a key. Outcome "" leaves it as it is.
type CallLogChange struct {
	Metadata map[string]any `json:"metadata,omitempty"`
	Outcome  string         `json:"outcome,omitempty"`
}

// CallLog returns what the records of a call tell.
func (c *Client) CallLog(ctx context.Context, callID string) (CallLogRecord, error) {
	var out CallLogRecord
	err := c.get(ctx, callLogsPath+"/"+url.PathEscape(callID), nil, &out)
	return out, err
}

// AmendCallLog adds metadata and outcome to a call that was submitted.
func (c *Client) AmendCallLog(ctx context.Context, callID string, change CallLogChange) (CallLogRecord, error) {
	var out CallLogRecord
	err := c.do(ctx, request{method: "PATCH", path: callLogsPath + "/" + url.PathEscape(callID), body: change, safe: true}, &out)
	return out, err
}
