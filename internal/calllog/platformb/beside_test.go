package platformb_test

import (
	"fmt"
	"strings"
	"testing"
)

// The call's own metadata takes precedence over its assistant's.
func TestMetadata(t *testing.T) {
	t.Parallel()
	for fields, want := range map[string]string{
		`"call":{"id":"c1","assistantOverrides":{"metadata":{"tier":"gold"}}},"assistant":{"metadata":{"tier":"any"}}`: "gold",
		`"call":{"id":"c1","metadata":{},"assistantOverrides":{"metadata":{"tier":"gold"}}}`:                           "gold",
		`"call":{"id":"c1","metadata":{"tier":"gold"},"assistantOverrides":{"metadata":{"tier":"other"}}}`:             "gold",
		`"call":{"id":"c1"},"assistant":{"metadata":{"tier":"any"}}`:                                                   "any",
	} {
		r := read(t, `{"message":{"type":"end-of-call-report",`+fields+`}}`)
		if r.Metadata["tier"] != want {
			t.Errorf("%s: %v", fields, r.Metadata)
		}
	}
	r := read(t, report(`,"assistantOverrides":{"metadata":{"tier":"gold"},"variableValues":{"v":1},"firstMessage":"Hello Ada","voice":{"apiKey":"k"}}`))
	if r.Words["assistantOverrides.firstMessage"] != "Hello Ada" || r.Words["assistantOverrides.metadata"] != nil || r.Words["assistantOverrides.variableValues"] != nil {
		t.Errorf("%v", r.Words)
	}
}

// Metadata beside the call's is kept, and long assistant overrides do not use up the room of
// everything else.
func TestALongAssistant(t *testing.T) {
	t.Parallel()
	var fields strings.Builder
	for i := range 300 {
		fmt.Fprintf(&fields, `,"voice%d":"%s"`, i, strings.Repeat("x", 300))
	}
	r := read(t, `{"message":{"type":"end-of-call-report","later":"kept","customer":{"name":"Ada"},"call":{"id":"c1","metadata":{"a":1},"assistantOverrides":{"metadata":{"b":2}`+fields.String()+`}}}}`)
	if r.Words["later"] != "kept" || r.Words["customer.name"] != "Ada" || r.Words["assistantOverrides.metadata"] == nil || r.Metadata["a"] == nil {
		t.Errorf("%v", r.Metadata)
	}
}

// Fields of partly read objects are kept like all others.
func TestWhatStandsBesideTheNumber(t *testing.T) {
	t.Parallel()
	r := read(t, `{"message":{"type":"end-of-call-report","customer":{"number":"+1","externalId":"crm-7"},"phoneNumber":{"id":"p","number":"+2","name":"Main line","twilioAuthToken":"t"},`+
		`"call":{"id":"c1","customer":{"number":"+1","name":"Ada"},"transport":{"callSid":"CA1"},"phoneCallProviderDetails":{"sip":{"code":486}}}}}`)
	for name, want := range map[string]any{
		"customer.externalId": "crm-7", "customer.name": "Ada", "phoneNumber.name": "Main line", "transport.callSid": "CA1", "customer.number": nil, "phoneNumber.id": nil, "phoneNumber.twilioAuthToken": nil,
	} {
		if r.Words[name] != want {
			t.Errorf("%s: %v", name, r.Words[name])
		}
	}
	if r.Words["phoneCallProviderDetails.sip"] == nil {
		t.Errorf("%v", r.Words)
	}
}
