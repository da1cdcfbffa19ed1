package api_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// conforming holds every answer of the interface to what its own document says
// of it, and every body that was taken to what the document says may be sent:
// clients are generated out of that document. All tests of this package go
// through it.
func conforming(t *testing.T, inner http.Handler) http.Handler {
	t.Helper()
	d := readDocument(t, inner)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		op := d.operation(r.Method, r.URL.Path)
		if op == nil || r.URL.Path == "/api/rest/events" {
			inner.ServeHTTP(w, r)
			return
		}
		var sent bytes.Buffer
		r.Body = io.NopCloser(io.TeeReader(r.Body, &sent))
		seen := &witness{ResponseWriter: w, status: http.StatusOK}
		inner.ServeHTTP(seen, r)
		for _, fault := range d.faults(op, r, sent.Bytes(), seen) {
			t.Errorf("%s %s answers %d against its own document: %s", r.Method, r.URL.Path, seen.status, fault)
		}
	})
}

// witness remembers what was answered.
type witness struct {
	http.ResponseWriter
	status int
	body   bytes.Buffer
}

// WriteHeader implements http.ResponseWriter.
func (w *witness) WriteHeader(status int) {
	if status >= http.StatusOK {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (w *witness) Write(p []byte) (int, error) {
	w.body.Write(p)
	return w.ResponseWriter.Write(p)
}

// Unwrap lets http.ResponseController through.
func (w *witness) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// described is the document as generic JSON.
type described struct {
	schemas map[string]any
	paths   map[string]map[string]any
	ways    map[string]*regexp.Regexp
}

func readDocument(t *testing.T, h http.Handler) *described {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/openapi.json", nil))
	var whole struct {
		Paths      map[string]map[string]any
		Components struct{ Schemas map[string]any }
	}
	if err := json.Unmarshal(w.Body.Bytes(), &whole); err != nil {
		t.Fatal(err)
	}
	d := &described{schemas: whole.Components.Schemas, paths: whole.Paths, ways: map[string]*regexp.Regexp{}}
	for path := range d.paths {
		d.ways[path] = regexp.MustCompile("^/api/rest" + regexp.MustCompile(`\\\{[^/]+\\\}`).ReplaceAllString(regexp.QuoteMeta(path), "[^/]+") + "$")
	}
	return d
}

// operation is what the document says of a request, nil when it knows none
// like it. A path without parameters goes before one with.
func (d *described) operation(method, path string) map[string]any {
	for _, way := range slices.SortedFunc(maps.Keys(d.ways), func(a, b string) int {
		return strings.Count(a, "{") - strings.Count(b, "{")
	}) {
		if op, ok := d.paths[way][strings.ToLower(method)].(map[string]any); ok && d.ways[way].MatchString(path) {
			return op
		}
	}
	return nil
}

func (d *described) faults(op map[string]any, r *http.Request, sent []byte, got *witness) []string {
	if r.Context().Err() != nil {
		return nil // the client has gone
	}
	responses, _ := op["responses"].(map[string]any)
	response, ok := responses[strconv.Itoa(got.status)].(map[string]any)
	if !ok {
		if response, ok = responses["default"].(map[string]any); !ok || got.status < http.StatusBadRequest {
			return []string{"this status is not told of"}
		}
	}
	faults := d.content("answer", response, got.Header().Get("Content-Type"), got.body.Bytes())
	kind := r.Header.Get("Content-Type")
	if kind == "application/octet-stream" {
		return faults // taken with a format in the query, and not advertised
	}
	if request, ok := op["requestBody"].(map[string]any); ok && got.status < http.StatusMultipleChoices && len(sent) > 0 {
		faults = append(faults, d.content("request", request, kind, sent)...)
	}
	return faults
}

func (d *described) content(where string, of map[string]any, kind string, data []byte) []string {
	if len(data) == 0 {
		return nil
	}
	if kind, _, _ = mime.ParseMediaType(kind); kind == "" {
		kind = "application/json"
	}
	content, _ := of["content"].(map[string]any)
	media, ok := content[kind].(map[string]any)
	if !ok {
		return []string{where + " is " + kind + ", which is not told of"}
	}
	var value any
	if !strings.HasSuffix(kind, "json") || json.Unmarshal(data, &value) != nil {
		return nil
	}
	if sent, ok := value.(map[string]any); ok && where == "request" {
		maps.DeleteFunc(sent, func(_ string, v any) bool { return v == nil }) // as if it were not there
	}
	return d.check(where, media["schema"], value)
}

// check holds a value to a schema: what the document uses of JSON Schema, and
// no more. It returns what is wrong, with its place.
func (d *described) check(where string, schema, value any) []string {
	s, ok := schema.(map[string]any)
	if !ok {
		return nil
	}
	if ref, ok := s["$ref"].(string); ok {
		return d.check(where, d.schemas[ref[strings.LastIndex(ref, "/")+1:]], value)
	}
	if either := slices.Concat(list(s["anyOf"]), list(s["oneOf"])); len(either) > 0 {
		return d.either(where, either, value)
	}
	if kinds := typesOf(s); len(kinds) > 0 && !slices.ContainsFunc(kinds, func(k string) bool { return isKind(k, value) }) {
		return []string{fmt.Sprintf("%s is %T and not %v", where, value, kinds)}
	}
	if words := list(s["enum"]); len(words) > 0 && !slices.Contains(words, value) {
		return []string{fmt.Sprintf("%s is %v and none of %v", where, value, words)}
	}
	var faults []string
	switch v := value.(type) {
	case []any:
		for i, part := range v {
			faults = append(faults, d.check(fmt.Sprintf("%s[%d]", where, i), s["items"], part)...)
		}
	case map[string]any:
		faults = d.object(where, s, v)
	case string:
		if s["format"] == "date-time" {
			if _, err := time.Parse(time.RFC3339, v); err != nil {
				faults = append(faults, where+" is no time")
			}
		}
	}
	return faults
}

func (d *described) either(where string, schemas []any, value any) (faults []string) {
	for _, one := range schemas {
		wrong := d.check(where, one, value)
		if len(wrong) == 0 {
			return nil
		}
		faults = append(faults, wrong...)
	}
	return faults
}

func (d *described) object(where string, s map[string]any, value map[string]any) (faults []string) {
	for _, name := range list(s["required"]) {
		if _, ok := value[name.(string)]; !ok {
			faults = append(faults, fmt.Sprintf("%s lacks %v", where, name))
		}
	}
	known, _ := s["properties"].(map[string]any)
	for name, part := range value {
		switch of, ok := known[name]; {
		case ok:
			faults = append(faults, d.check(where+"."+name, of, part)...)
		case s["additionalProperties"] == false:
			faults = append(faults, where+" holds "+name+", which is not told of")
		default:
			faults = append(faults, d.check(where+"."+name, s["additionalProperties"], part)...)
		}
	}
	return faults
}

func list(v any) []any {
	l, _ := v.([]any)
	return l
}

func typesOf(s map[string]any) (kinds []string) {
	switch t := s["type"].(type) {
	case string:
		kinds = append(kinds, t)
	case []any:
		for _, one := range t {
			kinds = append(kinds, one.(string))
		}
	}
	return kinds
}

func isKind(kind string, value any) bool {
	switch v := value.(type) {
	case nil:
		return kind == "null"
	case bool:
		return kind == "boolean"
	case float64:
		return kind == "number" || kind == "integer" && v == float64(int64(v))
	case string:
		return kind == "string"
	case []any:
		return kind == "array"
	default:
		return kind == "object"
	}
}
