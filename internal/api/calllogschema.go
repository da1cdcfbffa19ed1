package api

import "github.com/danielgtaylor/huma/v2"

// callLogSchema describes the body of a call log. It adds the parts to the document's schemas and
// returns a reference to the whole.
func callLogSchema(schemas map[string]*huma.Schema) *huma.Schema {
	part := func(name string, s *huma.Schema) *huma.Schema {
		schemas[name] = s
		return &huma.Schema{Ref: "#/components/schemas/" + name}
	}
	function := part("CallLogFunction", object("A function, and the arguments it was called with", []string{"name", "arguments"}, map[string]*huma.Schema{
		"name":      text("Name of the function"),
		"arguments": text("Arguments of the call, JSON as text"),
	}))
	toolCall := part("CallLogToolCall", object("One call of a function", []string{"id", "type", "function"}, map[string]*huma.Schema{
		"id":       text("Id of the tool call, unique in the transcript"),
		"type":     oneOf("The kind of tool", "function"),
		"function": function,
	}))
	message := part("CallLogMessage", object("A message of the conversation", []string{"role"}, map[string]*huma.Schema{
		"role":         oneOf("Who it is from: the caller, the agent, or a function that answers", "user", "assistant", "tool"),
		"start":        whole("When it began, in milliseconds from the start of the call or since 1970. It must lie within the call, give or take a minute"),
		"content":      text("What was said, or what the function answered. An assistant message with tool_calls may leave it out"),
		"tool_calls":   {Type: huma.TypeArray, Items: toolCall, Description: "Functions that an assistant message calls"},
		"tool_call_id": text("Id of the tool call that is answered; required in messages of the role tool"),
	}))
	transcript := part("CallLogTranscript", object("Transcript with tool calls", []string{"kind", "messages"}, map[string]*huma.Schema{
		"kind":     oneOf("The form of the messages", "chat_completion"),
		"messages": {Type: huma.TypeArray, Items: message, Description: "The messages in order"},
	}))
	payload := &huma.Schema{
		Description: "The record in the form of its provider: CustomPayload for custom, PlatformAPayload for platform_a, PlatformBPayload for platform_b",
		AnyOf: []*huma.Schema{
			part("CustomPayload", customPayload(transcript)), part("PlatformAPayload", platformAPayload()), part("PlatformBPayload", platformBPayload()),
		},
	}
	return part("CallLog", object("The record of a finished call", []string{"provider", "payload"}, map[string]*huma.Schema{
		"provider":        oneOf("Who wrote the payload", "custom", "platform_a", "platform_b"),
		"metadata":        {Type: huma.TypeObject, AdditionalProperties: true, Description: "Anything of yours. Two keys have a meaning: ringtrue_call is the value of the X-Ringtrue-Call header of a test call, agent_name the name of the agent"},
		"externalAgentId": text("Links the call to the agent with this sourceId; when not given, the platform's own id of the agent is tried"),
		"payload":         payload,
	}))
}

// platformAPayload names the parts of the webhook that are required, and those that matter most.
// The platform may add others and leave some out.
func platformAPayload() *huma.Schema {
	c := object("The call", []string{"call_id"}, map[string]*huma.Schema{
		"call_id":                        text("Unique identifier of the call"),
		"call_status":                    text("ended, error or not_connected; needed when no event says that the call is over"),
		"start_timestamp":                whole("When the call began, milliseconds since 1970"),
		"end_timestamp":                  whole("When the call ended, milliseconds since 1970"),
		"disconnection_reason":           text("The platform's word for how it ended"),
		"opt_out_sensitive_data_storage": {Type: huma.TypeBoolean, Description: "true: of this call only ids, times, end reason, latency and cost are stored"},
		"data_storage_setting":           text("How much of the call may be stored: everything, everything_except_pii or basic_attributes_only"),
	})
	return object("The webhook of platform A as it came, or the bare call object", nil, map[string]*huma.Schema{
		"event": text("call_ended or call_analyzed; other events are refused"), "call": c,
	})
}

func platformBPayload() *huma.Schema {
	m := object("The report", nil, map[string]*huma.Schema{
		"type":        text("end-of-call-report; other types are refused"),
		"endedReason": text("The platform's word for how it ended"),
		"startedAt":   text("When the call began, ISO 8601"),
		"endedAt":     text("When the call ended, ISO 8601"),
		"call":        object("The call", []string{"id"}, map[string]*huma.Schema{"id": text("Unique identifier of the call")}),
		"artifact":    object("Messages, transcript, recordings, nodes and latency", nil, nil),
		"analysis":    object("What the platform thinks of the call", nil, nil),
	})
	return object("The webhook of platform B as it came, or the bare call object", nil, map[string]*huma.Schema{"message": m})
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
		"status":          oneOf("ended: the call was completed (end reason completed); error: the agent failed (end reason agent_error)", "ended", "error"),
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
