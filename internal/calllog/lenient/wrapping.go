package lenient

import (
	"slices"
	"strings"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/strictjson"
)

// Unwrapped returns the webhook itself where a forwarder has wrapped it: as the body beside the
// rest of the request, or as the json of an item. keep is how much may be kept according to the
// webhook and its wrapping.
func (o Object) Unwrapped() (webhook Object, keep call.Keep) {
	for range maxWrappings {
		inner, ok := o.wrapped()
		if !ok {
			break
		}
		keep = keep.Stricter(KeepIn(o))
		o = inner
	}
	return o, keep.Stricter(KeepIn(o))
}

// maxWrappings limits how many wrappings are removed.
const maxWrappings = 3

func (o Object) wrapped() (Object, bool) {
	if isWebhook(o.values) {
		return o, false // whatever was added beside its call
	}
	beside := o.values.Len() == 1 || slices.ContainsFunc(o.Names(), isWrapping)
	for _, name := range []string{"body", "json", "payload", "data", "detail", "Message"} {
		values, ok := objectIn(o.values.Get(name))
		switch {
		case !ok || values.Len() == 0:
		case isWebhook(values), beside && (isCall(values) || !isCall(o.values)):
			o.read(name)
			return o.inner(name, values), true
		}
	}
	return o, false
}

// isWebhook reports whether an object is a webhook, which has a call or message inside.
func isWebhook(values *strictjson.Object) bool {
	for _, name := range []string{"call", "message"} {
		if _, ok := objectIn(values.Get(name)); ok {
			return true
		}
	}
	return false
}

// isCall reports whether an object describes a call, so that its other fields belong to that call.
func isCall(values *strictjson.Object) bool {
	if isWebhook(values) {
		return true
	}
	return slices.ContainsFunc([]string{"call_id", "callId", "endedReason", "endedAt"}, func(name string) bool { return values.Get(name) != nil })
}

// objectIn returns the object that a value is or holds: as the only element of a list, or encoded
// as text.
func objectIn(value any) (*strictjson.Object, bool) {
	value = written(value)
	if list, ok := value.([]any); ok && len(list) == 1 {
		value = written(list[0])
	}
	values, ok := value.(*strictjson.Object)
	return values, ok
}

// written decodes text that is JSON, as gateways pass on bodies and databases export columns; any
// other value is returned unchanged.
func written(value any) any {
	text, ok := strictjson.Text(value)
	if !ok {
		return value
	}
	text = strings.TrimSpace(strings.TrimPrefix(text, "\ufeff"))
	if n := len(text); n < 2 || text[0] != '{' && text[0] != '[' || text[n-1] != text[0]+2 { // "}" and "]" are two after their opening brackets in ASCII
		return value
	}
	body := []byte(text)
	if whole, changed := strictjson.MendPairs(body); changed {
		body = whole
	}
	inner, fault := strictjson.Decode(body, maxDepth)
	if fault != nil {
		return value
	}
	return withoutTypes(asWritten(withoutNUL(inner)))
}

// isWrapping reports whether a field is typically found beside a webhook's body.
func isWrapping(name string) bool {
	switch name {
	case "headers", "params", "query", "webhookUrl", "executionMode", "method", "url", "path", "pairedItem", "binary", "index":
		return true
	}
	return false
}
