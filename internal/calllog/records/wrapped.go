package records

import (
	"bytes"
	"encoding/json"
	"strings"
)

// structure returns the object or list that a value is, possibly encoded as text; nil if it is
// neither.
func structure(value []byte) []byte {
	inner := bytes.TrimSpace(value)
	var text string
	if len(inner) > 0 && inner[0] == '"' && json.Unmarshal(inner, &text) == nil {
		inner = []byte(strings.TrimSpace(text))
	}
	if len(inner) > 0 && (inner[0] == '{' || inner[0] == '[') && json.Valid(inner) {
		return inner
	}
	return nil
}

// membersOf returns the members of the object that a value is, nil if it is none.
func membersOf(value []byte) (members map[string]json.RawMessage) {
	if object := structure(value); object != nil && object[0] == '{' {
		_ = json.Unmarshal(withoutTypes(object), &members) // it is valid
	}
	return members
}

// inner returns the value inside an object that is to be read in its place, nil if the object
// itself is to be read.
func inner(members map[string]json.RawMessage, writer string, depth int) []byte {
	if depth <= 0 {
		return nil
	}
	switch message := membersOf(members["message"]); {
	case writer == "":
		return wrapped(members, depth)
	case writer == "platform_b" && isRecord(message) && (writerOf(message) != "platform_b" || structure(message["message"]) != nil):
		return structure(members["message"]) // of a log line, not of a webhook of platform B
	}
	return nil
}

// wrappers are the usual names of fields that hold a record: the body of a request, an item of a
// workflow, a row of a table.
var wrappers = []string{"body", "json", "payload", "data", "detail", "Message", "raw", "request"} //nolint:gochecknoglobals // a constant

// wrapped returns what an object that is no record itself may hold one in, possibly encoded as
// text; nil if there is nothing of the kind. A record of unknown provider is only found under one
// of the usual names.
func wrapped(members map[string]json.RawMessage, depth int) []byte {
	if held := recordIn(members, depth); held != nil {
		return held
	}
	for _, name := range wrappers {
		if held := structure(members[name]); held != nil {
			return held
		}
	}
	return nil
}

// recordIn returns a value that certainly holds a record: one with a usual name or, as in a log
// line or a queue's message, the only member that does.
func recordIn(members map[string]json.RawMessage, depth int) []byte {
	for _, name := range wrappers {
		if held := structure(members[name]); held != nil && holdsRecord(held, depth-1) {
			return held
		}
	}
	return onlyRecord(members, depth)
}

// onlyRecord returns the only member that holds a record. It is nil if several do, because then it
// is unclear which is meant.
func onlyRecord(members map[string]json.RawMessage, depth int) (only []byte) {
	if members["call_id"] != nil || members["callId"] != nil || members["transcript"] != nil {
		return nil // a call itself, whose fields may hold anything
	}
	for _, value := range members {
		switch held := structure(value); {
		case held == nil || !holdsRecord(held, depth-1):
		case only != nil:
			return nil
		default:
			only = held
		}
	}
	return only
}

// holdsRecord reports whether an object is or contains a record, or a list has an element that
// does.
func holdsRecord(value []byte, depth int) bool {
	if value[0] != '[' {
		members := membersOf(value)
		return isRecord(members) || depth > 0 && recordIn(members, depth) != nil
	}
	var all []json.RawMessage
	_ = json.Unmarshal(value, &all) // it is valid
	for _, element := range all {
		if held := structure(element); held != nil && held[0] == '{' && holdsRecord(held, depth) {
			return true
		}
	}
	return false
}

// isRecord reports whether an object is certainly a record. A message alone, which many other
// things have, does not make it a webhook of platform B.
func isRecord(members map[string]json.RawMessage) bool {
	if members["provider"] != nil && members["payload"] != nil {
		return true
	}
	writer, message := writerOf(members), membersOf(members["message"])
	if writer == "platform_b" && message != nil {
		return isObject(message["call"]) || writerOf(message) != ""
	}
	return writer != ""
}
