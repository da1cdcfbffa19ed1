package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"mime"
	"slices"

	"github.com/ringtrue/ringtrue/internal/api/rest"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/scenario"
	"github.com/ringtrue/ringtrue/internal/strictjson"
)

// readItems reads {"items": […]} or a single item.
func readItems(contentType string, data []byte) ([]scenario.Item, error) {
	if err := checkJSON(contentType, data); err != nil {
		return nil, err
	}
	var shape map[string]json.RawMessage
	if json.Unmarshal(data, &shape) == nil && shape["items"] == nil {
		item, fields := scenario.DecodeItem(data, "")
		if len(fields) > 0 {
			return nil, invalidItem(fields)
		}
		return []scenario.Item{item}, nil
	}
	parts, err := readObject(contentType, data, "items")
	if err != nil {
		return nil, err
	}
	items, fields := parts.items("items")
	if len(fields) > 0 {
		return nil, problem.Invalid(fields...)
	}
	return items, nil
}

// invalidItem reports what is wrong with an item that is the whole body.
func invalidItem(fields []problem.Field) error {
	for i := range fields {
		if fields[i].Path == "" {
			fields[i].Path = "body"
		}
	}
	return problem.Invalid(fields...)
}

// checkJSON refuses a body that is not JSON, with the place where it breaks.
func checkJSON(contentType string, data []byte) error {
	if contentType != "" {
		if kind, _, err := mime.ParseMediaType(contentType); err != nil || kind != "application/json" {
			return problem.New(problem.UnsupportedType, "the body's media type is not supported").
				WithHint("send Content-Type: application/json")
		}
	}
	if len(bytes.TrimSpace(data)) == 0 {
		return problem.New(problem.InvalidJSON, "the body is empty")
	}
	if fault := strictjson.CheckButNames(data, rest.MaxDepth); fault != nil {
		e := problem.New(problem.InvalidJSON, "the body is not valid JSON")
		e.Fields = []problem.Field{{Path: "body", Message: fault.Error()}}
		return e
	}
	return nil
}

// objectParts is a JSON object whose values are still to be read.
type objectParts map[string]json.RawMessage

// readObject reads a JSON object that has no keys but the known ones, each once.
func readObject(contentType string, data []byte, known ...string) (objectParts, error) {
	if err := checkJSON(contentType, data); err != nil {
		return nil, err
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	if open, err := dec.Token(); err != nil || open != json.Delim('{') {
		return nil, problem.Invalid(problem.Field{Path: "body", Message: "must be an object"})
	}
	parts := objectParts{}
	var fields []problem.Field
	for dec.More() {
		token, err := dec.Token()
		name, ok := token.(string)
		var value json.RawMessage
		if err == nil && ok {
			err = dec.Decode(&value)
		}
		if err != nil || !ok {
			return nil, problem.New(problem.InvalidJSON, "the body is not valid JSON")
		}
		switch {
		case !slices.Contains(known, name):
			fields = append(fields, problem.Field{Path: rest.Short(name), Message: "is not a known field", Suggestion: problem.Nearest(name, known)})
		case parts[name] != nil:
			fields = append(fields, problem.Field{Path: name, Message: "is given twice"})
		}
		parts[name] = value
		if len(fields) >= rest.MaxShown {
			break
		}
	}
	if len(fields) > 0 {
		return nil, problem.Invalid(fields...)
	}
	return parts, nil
}

// text reads a text; a missing or null one is left empty.
func (p objectParts) text(fields []problem.Field, name string, to *string) []problem.Field {
	if p[name] == nil {
		return fields
	}
	if err := json.Unmarshal(p[name], to); err != nil {
		return append(fields, problem.Field{Path: name, Message: "must be a text"})
	}
	return fields
}

// items reads a list of items and names everything that is wrong with any of them.
func (p objectParts) items(name string) ([]scenario.Item, []problem.Field) {
	if p[name] == nil || string(p[name]) == "null" {
		return nil, nil
	}
	var raw []json.RawMessage
	if err := json.Unmarshal(p[name], &raw); err != nil {
		return nil, []problem.Field{{Path: name, Message: "must be a list of items"}}
	}
	if len(raw) > scenario.MaxItems {
		return nil, []problem.Field{{Path: name, Message: fmt.Sprintf("holds %d items; at most %d are allowed", len(raw), scenario.MaxItems)}}
	}
	items := make([]scenario.Item, 0, len(raw))
	var fields []problem.Field
	for i := range raw {
		item, wrong := scenario.DecodeItem(raw[i], fmt.Sprintf("%s[%d]", name, i))
		items = append(items, item)
		if fields = append(fields, wrong...); len(fields) > rest.MaxShown {
			return nil, fields[:rest.MaxShown]
		}
	}
	return items, fields
}
