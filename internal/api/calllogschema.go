package api

import "github.com/danielgtaylor/huma/v2"

// callLogSchema describes the body of a call log for the document.
func callLogSchema() *huma.Schema {
	return object("A call log", []string{"provider", "payload"}, map[string]*huma.Schema{
		"provider": {
			Type: huma.TypeString, Enum: []any{"custom", "platform_a", "platform_b"},
			Description: "Who wrote the payload; platform_a and platform_b are not available yet",
		},
		"metadata":        {Type: huma.TypeObject, AdditionalProperties: true, Description: "Free key-value pairs; ringtrue_call carries the value of the X-Ringtrue-Call header of a test call"},
		"externalAgentId": {Type: huma.TypeString, Description: "Links the call to the agent with this sourceId"},
		"payload":         customPayloadSchema(),
	})
}

func customPayloadSchema() *huma.Schema {
	text := func(doc string) *huma.Schema { return &huma.Schema{Type: huma.TypeString, Description: doc} }
	millis := func(doc string) *huma.Schema { return &huma.Schema{Type: huma.TypeInteger, Description: doc} }
	required := []string{"call_id", "recording_url", "from_number", "to_number", "start_timestamp", "end_timestamp", "status"}
	return object("The custom payload", required, map[string]*huma.Schema{
		"call_id":         text("Unique identifier of the call"),
		"recording_url":   {Type: huma.TypeString, Format: "uri", Description: "Location of the recording, http or https"},
		"from_number":     text("Caller's phone number"),
		"to_number":       text("Callee's phone number"),
		"start_timestamp": millis("Call start, milliseconds since 1970"),
		"end_timestamp":   millis("Call end, milliseconds since 1970"),
		"status":          {Type: huma.TypeString, Enum: []any{"ended", "error"}},
		"transcript":      transcriptSchema(),
	})
}

func transcriptSchema() *huma.Schema {
	function := object("", []string{"name", "arguments"}, map[string]*huma.Schema{
		"name":      {Type: huma.TypeString},
		"arguments": {Type: huma.TypeString, Description: "JSON as text"},
	})
	toolCall := object("", []string{"id", "type", "function"}, map[string]*huma.Schema{
		"id":       {Type: huma.TypeString},
		"type":     {Type: huma.TypeString, Enum: []any{"function"}},
		"function": function,
	})
	message := object("A message of the conversation", []string{"role", "content"}, map[string]*huma.Schema{
		"role":         {Type: huma.TypeString, Enum: []any{"user", "assistant", "tool"}},
		"start":        {Type: huma.TypeInteger, Description: "When it began: milliseconds from the start of the call, or since 1970"},
		"content":      {Type: huma.TypeString},
		"tool_calls":   {Type: huma.TypeArray, Items: toolCall, Description: "Functions that an assistant message calls"},
		"tool_call_id": {Type: huma.TypeString, Description: "The call that a tool message answers"},
	})
	return object("Transcript with tool calls", []string{"kind", "messages"}, map[string]*huma.Schema{
		"kind":     {Type: huma.TypeString, Enum: []any{"chat_completion"}},
		"messages": {Type: huma.TypeArray, Items: message},
	})
}

func object(doc string, required []string, properties map[string]*huma.Schema) *huma.Schema {
	return &huma.Schema{Type: huma.TypeObject, Description: doc, Required: required, Properties: properties, AdditionalProperties: true}
}
