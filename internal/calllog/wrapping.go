package calllog

import (
	"slices"
	"strings"

	"github.com/ringtrue/ringtrue/internal/strictjson"
)

// Unwrapped is the webhook itself where what passes webhooks on has wrapped it: as
// the body beside what else came with the request, or as the json of an item.
func (o Object) Unwrapped() Object {
	for range maxWrappings {
		inner, ok := o.wrapped()
		if !ok {
			break
		}
		o = inner
	}
	return o
}

// maxWrappings is in how many wrappings a webhook is looked for.
const maxWrappings = 3

func (o Object) wrapped() (Object, bool) {
	for _, name := range []string{"body", "json"} {
		if o.values.Len() > 1 && !slices.ContainsFunc(o.Names(), isWrapping) {
			continue
		}
		if values, ok := written(o.values.Get(name)).(*strictjson.Object); ok && values.Len() > 0 {
			o.read(name)
			return o.inner(name, values), true
		}
	}
	return o, false
}

// written is what a text holds that is JSON, as gateways pass bodies on; any other value stays as it is.
func written(value any) any {
	text, ok := strictjson.Text(value)
	if !ok || !strings.HasPrefix(strings.TrimSpace(text), "{") {
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
	return withoutNUL(inner)
}

// isWrapping reports whether a field can stand beside a webhook's body.
func isWrapping(name string) bool {
	switch name {
	case "headers", "params", "query", "webhookUrl", "executionMode", "method", "url", "path", "pairedItem", "binary", "index":
		return true
	}
	return false
}
