package api

import "github.com/danielgtaylor/huma/v2"

// callLogSchema describes the body of a call log: its parts go into the
// document's schemas, and the reference to the whole comes back.
func callLogSchema(schemas map[string]*huma.Schema) *huma.Schema {
	part := func(name string, s *huma.Schema) *huma.Schema {
		schemas[name] = s
		return &huma.Schema{Ref: "#/components/schemas/" + name}
	}
	function := part("CallLogFunction", object("A function and how it was called", []string{"name", "arguments"}, map[string]*huma.Schema{
		"name":      text("Name of the function"),
		"arguments": text("JSON as text"),
	}))
	toolCall := part("CallLogToolCall", object("One call of a function", []string{"id", "type", "function"}, map[string]*huma.Schema{
		"id":       text("Names the call within the transcript"),
		"type":     oneOf("The kind of tool", "function"),
		"function": function,
	}))
	message := part("CallLogMessage", object("A message of the conversation", []string{"role"}, map[string]*huma.Schema{
		"role":         oneOf("Who it is from: the caller, the agent, or a function that answers", "user", "assistant", "tool"),
		"start":        whole("When it began: milliseconds from the start of the call, or since 1970"),
		"content":      text("What was said, or what the function answered; an assistant message that calls functions may leave it out"),
		"tool_calls":   {Type: huma.TypeArray, Items: toolCall, Description: "Functions that an assistant message calls"},
		"tool_call_id": text("The call that a tool message answers; required there"),
	}))
	transcript := part("CallLogTranscript", object("Transcript with tool calls", []string{"kind", "messages"}, map[string]*huma.Schema{
		"kind":     oneOf("The form of the messages", "chat_completion"),
		"messages": {Type: huma.TypeArray, Items: message, Description: "The messages in order"},
	}))
	payload := part("CustomPayload", customPayload(transcript))
	return part("CallLog", object("The record of a finished call", []string{"provider", "payload"}, map[string]*huma.Schema{
		"provider":        oneOf("Who wrote the payload; platform_a and platform_b are not available yet", "custom", "platform_a", "platform_b"),
		"metadata":        {Type: huma.TypeObject, AdditionalProperties: true, Description: "Free key-value pairs; ringtrue_call carries the value of the X-Ringtrue-Call header of a test call"},
		"externalAgentId": text("Links the call to the agent with this sourceId"),
		"payload":         payload,
	}))
}

func customPayload(transcript *huma.Schema) *huma.Schema {
	required := []string{"call_id", "recording_url", "from_number", "to_number", "start_timestamp", "end_timestamp", "status"}
	return object("The payload of the provider custom", required, map[string]*huma.Schema{
		"call_id":         text("Unique identifier of the call"),
		"recording_url":   {Type: huma.TypeString, Format: "uri", Description: "Location of the recording, http or https"},
		"from_number":     text("Caller's phone number"),
		"to_number":       text("Callee's phone number"),
		"start_timestamp": whole("Call start, milliseconds since 1970"),
		"end_timestamp":   whole("Call end, milliseconds since 1970"),
		"status":          oneOf("How it went, in the client's word", "ended", "error"),
		"transcript":      transcript,
	})
}

func text(doc string) *huma.Schema { return &huma.Schema{Type: huma.TypeString, Description: doc} }

func whole(doc string) *huma.Schema { return &huma.Schema{Type: huma.TypeInteger, Description: doc} }

func oneOf(doc string, words ...any) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Enum: words, Description: doc}
}

func object(doc string, required []string, properties map[string]*huma.Schema) *huma.Schema {
	return &huma.Schema{Type: huma.TypeObject, Description: doc, Required: required, Properties: properties, AdditionalProperties: true}
}
