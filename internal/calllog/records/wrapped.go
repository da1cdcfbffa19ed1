package records

import (
	"bytes"
	"encoding/json"
	"strings"
)

// structure is the object or list that a value is, which may be there as text; nil when it is neither.
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

// membersOf are the members of the object that a value is, nil when it is none.
func membersOf(value []byte) (members map[string]json.RawMessage) {
	if object := structure(value); object != nil && object[0] == '{' {
		_ = json.Unmarshal(withoutTypes(object), &members) // it is valid
	}
	return members
}

// inner is what an object holds that is to be read in its place, nil when it is to be read itself.
func inner(members map[string]json.RawMessage, writer string, depth int) []byte {
	if depth <= 0 {
		return nil
	}
	switch message := membersOf(members["message"]); {
	case writer == "":
		return wrapped(members, depth)
	case writer == "platform_b" && isRecord(message) && (writerOf(message) != "platform_b" || structure(message["message"]) != nil):
		return structure(members["message"]) // of a line of a log, and not of a webhook of platform B
	}
	return nil
}

// wrappers are the names under which a record is kept: the body of a request, beside its headers, an
// item of a flow, a row of a table.
var wrappers = []string{"body", "json", "payload", "data", "detail", "Message", "raw", "request"} //nolint:gochecknoglobals // a constant

// wrapped is what an object that is no record itself may hold one in, which may be there as text; nil
// when there is nothing of the kind. A record that does not tell who wrote it is under one of the usual names.
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

// recordIn is what surely holds a record: what is called as usual or else, as in a line of a log or an
// answer of a queue, the only member that does.
func recordIn(members map[string]json.RawMessage, depth int) []byte {
	for _, name := range wrappers {
		if held := structure(members[name]); held != nil && holdsRecord(held, depth-1) {
			return held
		}
	}
	return onlyRecord(members, depth)
}

// onlyRecord is the one member that holds a record, nil where none or several do: nobody knows which is meant.
func onlyRecord(members map[string]json.RawMessage, depth int) (only []byte) {
	if members["call_id"] != nil || members["callId"] != nil || members["transcript"] != nil {
		return nil // a call itself, and what is said in it may be anything
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

// holdsRecord reports whether an object is a record or has one in it, and of a list whether one of
// its elements does.
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

// isRecord reports whether an object is surely a record. A message alone, which much else has, makes no
// webhook of platform B.
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
