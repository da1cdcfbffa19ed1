package records

import (
	"bytes"
	"encoding/json"
	"maps"
	"strings"
	"unicode"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/calllog/lenient"
)

// untold is told of what is no call by its form, nor holds one.
const untold = "no call was found in it; if it is one, name its provider with --provider"

// maxWrappings limits how many wrappings are removed.
const maxWrappings = 4

// value reads a record or a list of records, in any wrapping.
func (r *Reader) value(line int, value []byte) error {
	return r.within(line, value, wrapping{depth: maxWrappings})
}

// wrapping is what surrounds a record.
type wrapping struct {
	// depth is how many more wrappings may follow.
	depth int
	// keep are the fields around it that limit how much of the call may be kept.
	keep map[string]json.RawMessage
}

// in returns the wrapping extended by the members of the next one.
func (w wrapping) in(members map[string]json.RawMessage) wrapping {
	in := wrapping{w.depth - 1, maps.Clone(w.keep)}
	least := call.KeepEverything
	for name, value := range members {
		if saysKeep(name) {
			in.say(name, value)
		} else {
			least = least.Stricter(lenient.KeepInText(value))
		}
	}
	switch least {
	case call.KeepEverything:
	case call.KeepNoPeople:
		in.say("data_storage_setting", json.RawMessage(`"everything_except_pii"`))
	case call.KeepBasics:
		in.say("data_storage_setting", json.RawMessage(`"basic_attributes_only"`))
	}
	return in
}

// say adds a field that limits how much of the call may be kept.
func (w *wrapping) say(name string, value json.RawMessage) {
	if w.keep == nil {
		w.keep = map[string]json.RawMessage{}
	}
	for w.keep[name] != nil { // names that differ in punctuation are equal to calllog, and all of them count
		name += "_"
	}
	w.keep[name] = value
}

// saysKeep reports whether a field limits how much of a call may be kept, in any spelling and with
// words before or after the name.
func saysKeep(name string) bool {
	if len(name) > lenient.MaxName {
		return false
	}
	name = lenient.Spelling(name)
	return strings.Contains(name, "optoutsensitivedatastorage") || strings.Contains(name, "datastoragesetting")
}

// withoutTypes removes the types that a database puts around values.
func withoutTypes(value []byte) []byte {
	if plain, ok := lenient.PlainItem(value); ok {
		return plain
	}
	return value
}

func (r *Reader) within(line int, value []byte, w wrapping) error {
	if held := structure(value); held != nil {
		value = held // it may have been text
	}
	if value[0] == '[' {
		return r.list(line, value, w)
	}
	value = withoutTypes(value)
	var members map[string]json.RawMessage
	if err := json.Unmarshal(value, &members); err != nil || members == nil {
		r.Refused(line, "is no record of a call, but another JSON value")
		return nil //nolint:nilerr // reported to Refused
	}
	if members["provider"] != nil && members["payload"] != nil {
		return r.whole(line, value, w)
	}
	if list := listIn(members); list != nil {
		in := w.in(members)
		in.depth = w.depth
		return r.list(line, list, in)
	}
	writer := writerOf(members)
	if inner := inner(members, writer, w.depth); inner != nil {
		return r.within(line, inner, w.in(members))
	}
	switch {
	case r.Provider != "":
		writer = r.Provider
	case writer == "" && isEvent(members["event"]):
		writer = "platform_a" // calllog explains best why it is refused
	case writer == "":
		r.Refused(line, untold)
		return nil
	}
	return r.submit(line, writer, value, w)
}

// whole submits what is a submission already, with the opt-outs found around it and, unless it names
// them itself, the agent and the provider.
func (r *Reader) whole(line int, submission []byte, w wrapping) error {
	if len(w.keep) == 0 && r.ExternalAgentID == "" && r.Provider == "" {
		return r.Found(line, submission)
	}
	var members map[string]json.RawMessage
	err := json.Unmarshal(submission, &members)
	for name, value := range w.keep {
		for members[name] != nil {
			name += "_"
		}
		members[name] = value
	}
	if named := string(members["externalAgentId"]); err == nil && r.ExternalAgentID != "" && (named == "" || named == "null") {
		members["externalAgentId"], err = json.Marshal(r.ExternalAgentID)
	}
	if err == nil && r.Provider != "" && !isProvider(members["provider"]) {
		members["provider"], err = json.Marshal(r.Provider)
	}
	if err == nil {
		submission, err = json.Marshal(members)
	}
	if err != nil {
		r.Refused(line, "it is not JSON: "+err.Error())
		return nil //nolint:nilerr // reported to Refused
	}
	return r.Found(line, submission)
}

// listIn returns the list of records in an answer of a platform's API, nil if there is none. An
// object that describes a call itself may have lists of other things.
func listIn(members map[string]json.RawMessage) []byte {
	if members["call_id"] != nil || members["endedReason"] != nil || isObject(members["call"]) || isObject(members["message"]) {
		return nil
	}
	for _, name := range []string{"calls", "data", "results", "items", "Items"} {
		if list := bytes.TrimSpace(members[name]); len(list) > 0 && list[0] == '[' {
			return list
		}
	}
	return nil
}

func isObject(value json.RawMessage) bool {
	trimmed := bytes.TrimSpace(value)
	return len(trimmed) > 0 && trimmed[0] == '{'
}

func (r *Reader) submit(line int, provider string, payload []byte, w wrapping) error {
	submission, err := json.Marshal(struct {
		Provider string          `json:"provider"`
		Payload  json.RawMessage `json:"payload"`
	}{provider, payload})
	if err != nil {
		r.Refused(line, "it is not JSON: "+err.Error())
		return nil //nolint:nilerr // reported to Refused
	}
	return r.whole(line, submission, w)
}

func (r *Reader) list(line int, list []byte, w wrapping) error {
	var all []json.RawMessage
	if err := json.Unmarshal(list, &all); err != nil {
		r.Refused(line, "it is not JSON: "+err.Error())
		return nil //nolint:nilerr // reported to Refused
	}
	for _, value := range all {
		if err := r.within(line, value, w); err != nil {
			return err
		}
	}
	return nil
}

// isProvider reports whether a value is one of our names of a provider. A service may know other
// names as well, and a row of a table may have a word of its own there.
func isProvider(value json.RawMessage) bool {
	var name string
	_ = json.Unmarshal(value, &name) // none if it is not text
	return name == "custom" || name == "platform_a" || name == "platform_b"
}

// isEvent reports whether a value is the name of an event of platform A.
func isEvent(value json.RawMessage) bool {
	var event string
	_ = json.Unmarshal(value, &event) // no event if it is not text
	for _, about := range []string{"call_", "chat_", "transfer_", "transcript_"} {
		if strings.HasPrefix(event, about) {
			return true
		}
	}
	return false
}

// aroundCall reports whether a value is the call in a webhook of platform A, whose id is named
// call_id.
func aroundCall(value json.RawMessage) bool {
	var inner struct {
		ID json.RawMessage `json:"call_id"`
	}
	return json.Unmarshal(value, &inner) == nil && inner.ID != nil
}

// writerOf returns the provider of a payload, judged by its members; "" if they do not tell.
func writerOf(members map[string]json.RawMessage) string {
	has := func(names ...string) bool {
		for _, name := range names {
			if members[name] != nil {
				return true
			}
		}
		return false
	}
	var kind string
	_ = json.Unmarshal(members["type"], &kind) // no type if it is not text
	switch {
	case has("event") && has("call", "data"), aroundCall(members["call"]):
		return "platform_a"
	case structure(members["message"]) != nil, has("endedReason", "assistantId", "artifact"),
		kind == "end-of-call-report" || has("id") && (strings.HasSuffix(kind, "PhoneCall") || kind == "webCall"):
		return "platform_b"
	case has("call_id") && has("call_status", "call_type", "disconnection_reason", "transcript_object", "agent_id"):
		return "platform_a"
	case has("call_id") && has("status", "recording_url"):
		return "custom"
	}
	return ""
}

// CallIn returns the id by which a submission's payload names its call, "" if it does not. The
// payload may be a webhook, wrapped or not, or a bare call.
func CallIn(submission []byte) string {
	value := submission
	for range maxWrappings {
		var members map[string]json.RawMessage
		if json.Unmarshal(value, &members) != nil {
			return ""
		}
		for _, name := range []string{"call_id", "callId", "id"} {
			var id string
			if json.Unmarshal(members[name], &id) == nil && id != "" {
				return strings.Map(printable, id[:min(len(id), 64)])
			}
		}
		value = nil
		for _, name := range []string{"payload", "body", "json", "message", "call", "data", "detail"} {
			if inner := bytes.TrimSpace(members[name]); value == nil && len(inner) > 0 && inner[0] == '{' {
				value = inner
			}
		}
	}
	return ""
}

// printable removes characters that could affect a terminal.
func printable(r rune) rune {
	if !unicode.IsPrint(r) {
		return -1
	}
	return r
}
