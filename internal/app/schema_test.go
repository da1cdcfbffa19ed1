package app

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// document is the service's own OpenAPI document, as far as tests need it.
type document struct {
	Paths      map[string]map[string]documented
	Components struct{ Schemas map[string]map[string]any }
}

// documented is one operation of it.
type documented struct {
	OperationID string `json:"operationId"`
	Parameters  []struct {
		Name, In string
		Required bool
		Schema   map[string]any
	}
	RequestBody struct {
		Content map[string]struct{ Schema map[string]any }
	}
	Responses map[string]struct {
		Content map[string]struct{ Schema map[string]any }
	}
	method, path string
}

// document reads it, and gives the operations by their ids.
func (r *rig) document(t *testing.T) (document, map[string]documented) {
	t.Helper()
	var doc document
	must(t, json.Unmarshal(r.ask(t, r.mine, "GET", "/openapi.json", nil).body, &doc))
	out := map[string]documented{}
	for path, methods := range doc.Paths {
		for method, op := range methods {
			op.method, op.path = strings.ToUpper(method), path
			out[op.OperationID] = op
		}
	}
	return doc, out
}

// resolved follows a reference.
func (d document) resolved(schema map[string]any) map[string]any {
	for {
		ref, ok := schema["$ref"].(string)
		if !ok {
			return schema
		}
		schema = d.Components.Schemas[ref[strings.LastIndex(ref, "/")+1:]]
	}
}

// typesOf lists what a schema says that a value may be; nil when it may be anything.
func typesOf(schema map[string]any) (out []string) {
	switch kind := schema["type"].(type) {
	case string:
		return []string{kind}
	case []any:
		for _, k := range kind {
			out = append(out, fmt.Sprint(k))
		}
	}
	return out
}

// kindOf is what a value is in the words of a schema.
func kindOf(value any) string {
	switch v := value.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case float64:
		if v == math.Trunc(v) {
			return "integer"
		}
		return "number"
	case string:
		return "string"
	case []any:
		return "array"
	}
	return "object"
}

// breaks says where and how a value is not what the schema promises; "" when it is.
func (d document) breaks(schema map[string]any, value any, at string) string {
	schema = d.resolved(schema)
	for _, some := range []string{"anyOf", "oneOf"} {
		if list, ok := schema[some].([]any); ok {
			return d.breaksAll(list, value, at)
		}
	}
	kind := kindOf(value)
	if types := typesOf(schema); types != nil && !slices.Contains(types, kind) && (kind != "integer" || !slices.Contains(types, "number")) {
		return fmt.Sprintf("%s is of the type %s, not %v", at, kind, types)
	}
	if list, ok := schema["enum"].([]any); ok && value != nil && !slices.Contains(list, value) {
		return fmt.Sprintf("%s is %v, none of %v", at, value, list)
	}
	switch v := value.(type) {
	case float64:
		if low, ok := schema["minimum"].(float64); ok && v < low {
			return fmt.Sprintf("%s is %v, below %v", at, v, low)
		}
		if high, ok := schema["maximum"].(float64); ok && v > high {
			return fmt.Sprintf("%s is %v, above %v", at, v, high)
		}
	case []any:
		items, _ := schema["items"].(map[string]any)
		for i, one := range v {
			if wrong := d.breaks(items, one, at+"["+strconv.Itoa(i)+"]"); wrong != "" {
				return wrong
			}
		}
	case map[string]any:
		return d.breaksObject(schema, v, at)
	}
	return ""
}

// breaksAll says how a value breaks each of several schemas; "" when it fits one.
func (d document) breaksAll(list []any, value any, at string) string {
	var wrong []string
	for _, one := range list {
		schema, _ := one.(map[string]any)
		w := d.breaks(schema, value, at)
		if w == "" {
			return ""
		}
		wrong = append(wrong, w)
	}
	return strings.Join(wrong, "; ")
}

func (d document) breaksObject(schema map[string]any, value map[string]any, at string) string {
	required, _ := schema["required"].([]any)
	for _, name := range required {
		if _, ok := value[fmt.Sprint(name)]; !ok {
			return fmt.Sprintf("%s has no %v", at, name)
		}
	}
	properties, _ := schema["properties"].(map[string]any)
	for name, one := range value {
		place := strings.TrimPrefix(at+"."+name, ".")
		declared, ok := properties[name].(map[string]any)
		if !ok {
			switch more := schema["additionalProperties"].(type) {
			case map[string]any:
				declared = more
			case bool:
				if !more && name != "$schema" {
					return place + " is not declared"
				}
			}
		}
		if wrong := d.breaks(declared, one, place); wrong != "" {
			return wrong
		}
	}
	return ""
}

// plausible makes a value as a schema wants it: by its examples, its first
// choice, or what is plainest, with everything that it declares.
func (d document) plausible(schema map[string]any, depth int) any {
	schema = d.resolved(schema)
	if examples, ok := schema["examples"].([]any); ok && len(examples) > 0 {
		return examples[0]
	}
	for _, key := range []string{"enum", "anyOf", "oneOf"} {
		list, ok := schema[key].([]any)
		if !ok || len(list) == 0 {
			continue
		}
		if one, ok := list[0].(map[string]any); ok {
			return d.plausible(one, depth)
		}
		return list[0]
	}
	types := typesOf(schema)
	if depth > 5 || len(types) == 0 {
		return map[string]any{}
	}
	switch types[0] {
	case "string":
		return "x"
	case "integer", "number":
		if low, ok := schema["minimum"].(float64); ok {
			return low
		}
		return float64(1)
	case "boolean":
		return true
	case "array":
		items, _ := schema["items"].(map[string]any)
		return []any{d.plausible(items, depth+1)}
	}
	out := map[string]any{}
	properties, _ := schema["properties"].(map[string]any)
	for name, one := range properties {
		declared, _ := one.(map[string]any)
		out[name] = d.plausible(declared, depth+1)
	}
	return out
}

func TestASchemaTellsRightFromWrong(t *testing.T) {
	t.Parallel()
	var d document
	must(t, json.Unmarshal([]byte(`{"components":{"schemas":{"A":{"type":"object","required":["n"],"additionalProperties":false,
		"properties":{"n":{"type":"integer","minimum":1},"list":{"type":["array","null"],"items":{"$ref":"#/components/schemas/A"}},"word":{"enum":["a","b"]}}}}}}`), &d))
	a := map[string]any{"$ref": "#/components/schemas/A"}
	for text, want := range map[string]string{
		`{"n":1}`: "", `{"n":2,"list":[{"n":3}],"word":"b"}`: "", `{"n":1,"list":null}`: "",
		`{}`: "has no n", `{"n":0}`: "below", `{"n":1.5}`: "number", `{"n":"1"}`: "string", `{"n":1,"list":[{"n":null}]}`: "list[0].n",
		`{"n":1,"more":1}`: "not declared", `{"n":1,"word":"c"}`: "none of", `[]`: "array",
	} {
		var value any
		must(t, json.Unmarshal([]byte(text), &value))
		if got := d.breaks(a, value, ""); (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
