package api_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

type operation struct {
	OperationID string                `json:"operationId"`
	Summary     string                `json:"summary"`
	Tags        []string              `json:"tags"`
	Security    []map[string][]string `json:"security"`
	Responses   map[string]struct {
		Description string         `json:"description"`
		Content     map[string]any `json:"content"`
	} `json:"responses"`
	Parameters []struct {
		Name   string         `json:"name"`
		Schema map[string]any `json:"schema"`
	} `json:"parameters"`
	RequestBody *struct {
		Content map[string]any `json:"content"`
	} `json:"requestBody"`
}

// open reports whether one need not say who one is.
func (o operation) open() bool {
	return slices.ContainsFunc(o.Security, func(way map[string][]string) bool { return len(way) == 0 })
}

type openAPI struct {
	OpenAPI    string                          `json:"openapi"`
	Servers    []struct{ URL string }          `json:"servers"`
	Paths      map[string]map[string]operation `json:"paths"`
	Components struct {
		Schemas         map[string]any `json:"schemas"`
		SecuritySchemes map[string]any `json:"securitySchemes"`
	} `json:"components"`
}

func document(t *testing.T, b *bundle) openAPI {
	t.Helper()
	var d openAPI
	w := b.ask(t, "GET", "/openapi.json", "", "Authorization", "")
	if err := json.Unmarshal(w.Body.Bytes(), &d); err != nil || w.Code != 200 {
		t.Fatalf("%d %v", w.Code, err)
	}
	return d
}

// Generic validators of OpenAPI 3.1 refuse a document with words of the library's own.
func TestDocumentUsesTheWordsOfOpenAPI(t *testing.T) {
	t.Parallel()
	text := setup(t).ask(t, "GET", "/openapi.json", "", "Authorization", "").Body.String()
	if strings.Contains(text, "patternDescription") || !strings.Contains(text, `"license":`) {
		t.Error("the document has patternDescription, or names no license")
	}
}

func TestDocument(t *testing.T) {
	t.Parallel()
	b := setup(t)
	d := document(t, b)
	if d.OpenAPI != "3.1.0" || len(d.Servers) != 1 || d.Servers[0].URL != "/api/rest" || len(d.Components.SecuritySchemes) != 2 {
		t.Errorf("%s %+v", d.OpenAPI, d.Servers)
	}
	seen := map[string]bool{}
	for path, item := range d.Paths {
		for method, op := range item {
			name := method + " " + path
			if op.Summary == "" || op.OperationID == "" || len(op.Tags) == 0 || seen[op.OperationID] {
				t.Errorf("%s has no summary, tag or id of its own", name)
			}
			seen[op.OperationID] = true
			if len(op.Security) == 0 {
				t.Errorf("%s names no security", name)
			}
			for _, status := range []string{"401", "default"} {
				if _, ok := op.Responses[status].Content["application/problem+json"]; !ok {
					t.Errorf("%s describes no problem for %s", name, status)
				}
			}
			for status, r := range op.Responses {
				if r.Description == "" {
					t.Errorf("%s does not describe %s", name, status)
				}
			}
			if op.RequestBody != nil && op.RequestBody.Content["application/octet-stream"] != nil {
				t.Errorf("%s takes any bytes", name)
			}
		}
	}
	for name, status := range map[string]string{
		"post /voice-agent/{agent_id}/run": "200", "get /voice-experiment/{voice_experiment_id}": "200",
		"get /voice-experiment/{voice_experiment_id}/calls": "200", "post /v2/call-logs": "202", "get /events": "200",
	} {
		method, path, _ := strings.Cut(name, " ")
		if _, ok := d.Paths[path][method].Responses[status]; !ok {
			t.Errorf("%s does not answer %s", name, status)
		}
	}
	for _, stray := range []string{"ErrorModel", "ErrorDetail"} {
		if d.Components.Schemas[stray] != nil {
			t.Errorf("the schema %s is the library's", stray)
		}
	}
}

// A generated client makes whoever reads a time that may be null look for null first: the document
// lets only those times be null that are sometimes not there, and says when.
func TestTimesAreNullOnlyWhereToldSo(t *testing.T) {
	t.Parallel()
	for name, schema := range published(t).Components.Schemas {
		properties, _ := schema.(map[string]any)["properties"].(map[string]any)
		for field, of := range properties {
			if field != "at" && !strings.HasSuffix(field, "_at") {
				continue
			}
			p, _ := of.(map[string]any)
			told, _ := p["description"].(string)
			if null := slices.Contains(list(p["type"]), "null"); null != strings.Contains(told, "null") {
				t.Errorf("%s.%s may be null: %v, and is said to be %q", name, field, null, told)
			}
		}
	}
}

// No list of an answer is ever null, which all answers in these tests are held to. One that is
// sent may be.
func TestListsAreNullOnlyWhereTheyAreSent(t *testing.T) {
	t.Parallel()
	schemas := published(t).Components.Schemas
	for place, null := range map[string]bool{
		"PageCallSummary.data": false, "CallDetail.turns": false, "ExperimentResults.scenarios": false, "Input.script": false,
		"ItemsCreate.items": true, "InputWritten.script": true, "FromCallsRequest.call_ids": true,
	} {
		name, field, _ := strings.Cut(place, ".")
		properties, _ := schemas[name].(map[string]any)["properties"].(map[string]any)
		of, _ := properties[field].(map[string]any)
		if slices.Contains(list(of["type"]), "null") != null {
			t.Errorf("%s has the type %v", place, of["type"])
		}
	}
}

// The document must hold together: every reference leads somewhere.
func TestDocumentReferences(t *testing.T) {
	t.Parallel()
	b := setup(t)
	w := b.ask(t, "GET", "/api/rest/openapi.json", "")
	var whole any
	if err := json.Unmarshal(w.Body.Bytes(), &whole); err != nil {
		t.Fatal(err)
	}
	schemas := document(t, b).Components.Schemas
	var refs []string
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			if ref, ok := v["$ref"].(string); ok {
				refs = append(refs, ref)
			}
			for _, inner := range v {
				walk(inner)
			}
		case []any:
			for _, inner := range v {
				walk(inner)
			}
		}
	}
	walk(whole)
	slices.Sort(refs)
	if len(refs) == 0 {
		t.Fatal("no references at all")
	}
	for _, ref := range slices.Compact(refs) {
		name, ok := strings.CutPrefix(ref, "#/components/schemas/")
		if !ok || schemas[name] == nil {
			t.Errorf("%s leads nowhere", ref)
		}
	}
}

func TestDocsNameEveryTypeThatAValueMayHave(t *testing.T) {
	t.Parallel()
	page := setup(t).ask(t, "GET", "/docs", "", "Authorization", "").Body.String()
	for _, want := range []string{
		`<a href="#schema-Feeling">Feeling</a> or null`, `<code>external_id</code></td><td>string or null, required`, `one of sip, room, loop, &#34;&#34;`,
		`<a href="#schema-EventData">EventData</a> or <a href="#schema-LiveCall">LiveCall</a>`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not hold %s", want)
		}
	}
}

func TestDocsNeedNothingFromElsewhere(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, path := range []string{"/docs", "/api/rest/docs"} {
		w := b.ask(t, "GET", path, "", "Authorization", "")
		page := w.Body.String()
		if w.Code != 200 || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/html") {
			t.Fatalf("%d %v", w.Code, w.Header())
		}
		for _, never := range []string{"<script", "src=", "http://", "https://", "@import", "url("} {
			if strings.Contains(page, never) {
				t.Errorf("%s holds %s", path, never)
			}
		}
		for path, item := range document(t, b).Paths {
			for _, op := range item {
				if !strings.Contains(page, `id="`+op.OperationID+`"`) || !strings.Contains(page, path) {
					t.Errorf("%s is not shown", op.OperationID)
				}
			}
		}
		if !strings.Contains(page, `id="schema-Problem"`) || !strings.Contains(page, "</html>") {
			t.Error("the page is not whole")
		}
	}
}
