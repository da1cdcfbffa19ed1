package calllog

import (
	"slices"

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
		values, ok := o.values.Get(name).(*strictjson.Object)
		if ok && values.Len() > 0 && (o.values.Len() == 1 || slices.ContainsFunc(o.Names(), isWrapping)) {
			return o.Inside(name), true
		}
	}
	return o, false
}

// isWrapping reports whether a field can stand beside a webhook's body.
func isWrapping(name string) bool {
	switch name {
	case "headers", "params", "query", "webhookUrl", "executionMode", "method", "url", "path", "pairedItem", "binary", "index":
		return true
	}
	return false
}
