package app

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// brokenJSON are bodies that are no JSON, or none that all programs read alike.
func brokenJSON() map[string]string {
	return map[string]string{
		"empty":          "",
		"blank":          " \n\t",
		"truncated":      `{"name": "` + planted,
		"no end":         `{"name": "` + planted + `"`,
		"only a bracket": "{",
		"trailing comma": `{"name": "` + planted + `",}`,
		"garbage behind": `{"name": "` + planted + `"} ` + planted,
		"two values":     `{} {}`,
		"BOM":            "\ufeff" + `{"name": "` + planted + `"}`,
		"UTF-16":         "\xff\xfe{\x00}\x00",
		"NaN":            `{"name": NaN}`,
		"Infinity":       `{"name": -Infinity}`,
		"single quotes":  `{'name': '` + planted + `'}`,
		"comment":        `{"name": "x" /* ` + planted + ` */}`,
		"no quotes":      `{name: "x"}`,
		"invalid UTF-8":  "{\"name\": \"" + planted + "\xff\"}",
		"surrogate":      `{"name": "` + planted + `\ud800"}`,
		"bare newline":   "{\"name\": \"" + planted + "\n\"}",
		"bare NUL":       "{\"name\": \"\x00\"}",
		"hex":            `{"name": 0x1F}`,
		"plus":           `{"name": +1}`,
		"deep lists":     strings.Repeat("[", 100_000),
		"deep objects":   strings.Repeat(`{"name":`, 100_000),
		"deep and whole": strings.Repeat(`{"m":`, 100_000) + "1" + strings.Repeat("}", 100_000),
		"huge number":    `{"version": 1` + strings.Repeat("0", 4000) + `, "name": 1e400`,
		"XML":            `<name>` + planted + `</name>`,
		"form":           "name=" + planted,
	}
}

// wrongJSON are bodies that are JSON and fit no operation.
func wrongJSON() map[string]string {
	return map[string]string{
		"null": "null", "true": "true", "number": "1", "text": `"` + planted + `"`, "list of numbers": "[1]",
		"unknown key":            `{"` + planted + `": 1}`,
		"nameless key":           `{"": 1}`,
		"long key":               `{"` + strings.Repeat("k", 500_000) + `": 1}`,
		"a key of controls":      `{"\u0000\u001b[31m\r\n": 1}`,
		"many unknown keys":      `{` + manyKeys(20_000) + `"x":1}`,
		"prototype":              `{"__proto__": {"name": "x"}}`,
		"everything is null":     `{"name":null,"slug":null,"items":null,"input":null,"to_number":null,"dataset_id":null,"version":null,"only":1,"payload":null}`,
		"everything is a list":   `{"name":[],"slug":[],"items":{},"input":[],"to_number":[],"dataset_id":[],"version":[],"only":[],"payload":[],"provider":[]}`,
		"everything is a number": `{"name":1,"slug":1,"items":1,"input":1,"to_number":15550123,"dataset_id":1,"version":1.5,"only":1,"payload":1,"provider":1}`,
	}
}

func manyKeys(n int) string {
	var text strings.Builder
	for i := range n {
		fmt.Fprintf(&text, `"key%d":1,`, i)
	}
	return text.String()
}

// takesBody are the operations with a body, and where to send it.
func (r *rig) takesBody(t *testing.T) map[string][2]string {
	t.Helper()
	out := map[string][2]string{}
	table := reaches()
	for id, op := range r.operations(t) {
		if op[0] == "POST" || op[0] == "PUT" || op[0] == "PATCH" {
			row := table[id]
			row.query = ""
			out[id] = [2]string{op[0], row.fill(op[1], r.mine, "", "")}
		}
	}
	return out
}

func TestBrokenAndWrongBodies(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.untouched(t, func() { everyBrokenBody(t, r) })
}

// refusalOf is how a broken body is refused, and whether with its place.
func refusalOf(id, name, body string) (status int, code string, placed bool) {
	switch {
	case id == "import-dataset-items" && body != "": // the file is the body; its places are lines
		return 422, "invalid_fields", strings.TrimSpace(body) != ""
	case id == "submit-call-log" && name == "BOM": // the mark says nothing, and programs write it that nobody can mend
		return 422, "invalid_fields", false
	}
	return 400, "invalid_json", strings.TrimSpace(body) != ""
}

func everyBrokenBody(t *testing.T, r *rig) {
	t.Helper()
	for id, op := range r.takesBody(t) {
		if id == "cancel-voice-experiment" || id == "review-call" || id == "resume-review" {
			continue // they take no body
		}
		for name, body := range brokenJSON() {
			what := id + ": " + name
			if id == "rerun-voice-experiment" && body == "" {
				continue // its body is optional
			}
			a := r.ask(t, reaches()[id].as(r.mine), op[0], op[1], []byte(body))
			if id == "check-dataset-items" && body != "" {
				plain(t, what, r.checked(t, what, a))
				continue
			}
			status, code, placed := refusalOf(id, name, body)
			p := r.refused(t, what, a, status, code)
			if placed && (len(p.Errors) != 1 || !strings.Contains(p.Errors[0].Message, "line ") && p.Errors[0].Line == 0) {
				t.Errorf("%s: the place is not told: %s", what, a.body)
			}
			plain(t, what, p)
		}
		for name, body := range wrongJSON() {
			what := id + ": " + name
			a := r.ask(t, reaches()[id].as(r.mine), op[0], op[1], []byte(body))
			if id == "check-dataset-items" {
				plain(t, what, r.checked(t, what, a))
				continue
			}
			p := r.refused(t, what, a, 422, "invalid_fields")
			if len(p.Errors) == 0 || len(p.Errors) > 201 {
				t.Errorf("%s: %d fields are named", what, len(p.Errors))
			}
			plain(t, what, p)
		}
	}
}

// checked is the answer of the one operation that tells what is wrong with its
// body when all goes well: at least one problem, and places for all.
func (r *rig) checked(t *testing.T, what string, a answer) wire {
	t.Helper()
	var found struct {
		Count    *int             `json:"item_count"`
		Items    []any            `json:"items"`
		Problems *json.RawMessage `json:"problems"`
	}
	var p wire
	if err := json.Unmarshal(a.body, &found); err != nil || a.status != 200 || found.Count == nil || found.Problems == nil {
		t.Errorf("%s: got %d %.200q", what, a.status, a.body)
		return p
	}
	must(t, json.Unmarshal(*found.Problems, &p.Errors))
	if *found.Count != 0 || len(found.Items) > 0 || len(p.Errors) == 0 || len(p.Errors) > 201 || len(a.body) > 128<<10 {
		t.Errorf("%s: %d items are counted and %d shown, %d problems in %d bytes", what, *found.Count, len(found.Items), len(p.Errors), len(a.body))
	}
	for _, f := range p.Errors {
		if f.Message == "" || f.Path == "" && f.Line == 0 {
			t.Errorf("%s: a problem without place or message: %+v", what, f)
		}
	}
	return p
}

// plain checks that a refusal can be shown to a person as it is: short, without
// control characters, and in the words of this interface.
func plain(t *testing.T, what string, p wire) {
	t.Helper()
	texts := []string{p.Detail, p.Hint}
	for _, f := range p.Errors {
		texts = append(texts, f.Path, f.Message, f.Suggestion)
	}
	for _, text := range texts {
		if len(text) > 400 || !utf8.ValidString(text) || strings.ContainsFunc(text, func(c rune) bool { return c < ' ' || c >= 0x7f && c < 0xa0 }) {
			t.Errorf("%s: not fit to be shown: %.400q", what, text)
		}
		for _, jargon := range []string{"expected ", "unexpected property", "json:", "reflect", "huma", "yaml:", "sql", "goroutine", "cannot unmarshal", "strconv"} {
			if strings.Contains(text, jargon) && !strings.Contains(text, "is not valid YAML: ") { // its own grammar is the best that can be said

				t.Errorf("%s: the words are the library's: %q", what, text)
			}
		}
	}
}

// controlTexts are what no field for one line of text may hold, and what no text may.
func controlTexts() map[string]string {
	return map[string]string{
		"NUL": `a\u0000b`, "escape": `\u001b[31mred`, "bell": `\u0007`, "delete": `a\u007f`, "C1": `a\u0085b`, "line break": `a\nb`, "carriage return": `a\r\nX-Evil: 1`,
	}
}

// oneField is an operation whose body has a text at $, which has a path.
type oneField struct{ name, id, body, path string }

func lineFields() []oneField {
	item := func(input, output string) string {
		return `{"input":{"script":["wait_for_agent","hang_up"]` + input + `},"output":{` + output + `}}`
	}
	return []oneField{
		{"agent name", "create-agent", `{"name":"$"}`, "name"},
		{"agent source", "create-agent", `{"name":"x","sourceId":"$"}`, "sourceId"},
		{"agent number", "create-agent", `{"name":"x","defaults":{"to_number":"$"}}`, "defaults.to_number"},
		{"agent trunk", "create-agent", `{"name":"x","defaults":{"trunk":"$"}}`, "defaults.trunk"},
		{"agent prompt", "create-agent", `{"name":"x","defaults":{"caller_prompt":"$"}}`, "defaults.caller_prompt"},
		{"agent scorer", "update-agent", `{"defaults":{"scorers":["$"]}}`, "defaults.scorers[0]"},
		{"dataset name", "create-dataset", `{"name":"$"}`, "name"},
		{"dataset renamed", "update-dataset", `{"name":"$"}`, "name"},
		{"item id", "add-dataset-items", `{"id":"$","input":{"script":["hang_up"]}}`, "id"},
		{"item key", "add-dataset-items", `{"key":"$","input":{"script":["hang_up"]}}`, "key"},
		{"persona", "replace-dataset-item", item(`,"persona":{"name":"$"}`, ""), "input.persona.name"},
		{"voice", "replace-dataset-item", item(`,"persona":{"voice":"$"}`, ""), "input.persona.voice"},
		{"language", "replace-dataset-item", item(`,"language":"$"`, ""), "input.language"},
		{"keys", "replace-dataset-item", `{"input":{"script":[{"press":"$"}]}}`, "input.script[0].press"},
		{"tool", "replace-dataset-item", item("", `"tool_calls":[{"name":"$"}]`), "output.tool_calls[0].name"},
		{"end reason", "replace-dataset-item", item("", `"outcome":{"end_reasons":["$"]}`), "output.outcome.end_reasons[0]"},
		{"prompt slug", "create-prompt", `{"slug":"$","text":"x"}`, "slug"},
		{"prompt label", "create-prompt", `{"slug":"x","text":"x","labels":["$"]}`, "labels[0]"},
		{"scorer slug", "create-scorer", `{"slug":"$","kind":"say","params":{"phrase":"x"}}`, "slug"},
		{"scorer name", "create-scorer", `{"slug":"x","name":"$","kind":"say","params":{"phrase":"x"}}`, "name"},
		{"scorer kind", "create-scorer", `{"slug":"x","kind":"$","params":{"phrase":"x"}}`, "kind"},
		{"run number", "run-voice-agent", `{"to_number":"$","dataset_id":"ds_x"}`, "to_number"},
		{"room worker", "create-media-rooms", `{"datasetId":"ds_x","agentName":"$"}`, "agentName"},
		{"rerun", "rerun-voice-experiment", `{"only":"$"}`, "only"},
		{"first person", "set-up", `{"token":"x","name":"$","email":"a@example.com","password":"long enough 1"}`, "name"},
		{"own name", "change-person", `{"name":"$"}`, "name"},
		{"key name", "create-api-key", `{"name":"$"}`, "name"},
		{"workspace", "create-workspace", `{"name":"$"}`, "name"},
		{"workspace renamed", "change-workspace", `{"name":"$"}`, "name"},
		{"invited address", "create-invitation", `{"email":"$@example.com","role":"viewer"}`, "email"},
		{"invited role", "create-invitation", `{"email":"a@example.com","role":"$"}`, "role"},
		{"password", "change-password", `{"new":"$"}`, "new"},
		{"provider", "submit-call-log", `{"provider":"$","payload":{}}`, "provider"},
		{"log's agent", "submit-call-log", callLogBody(`"externalAgentId":"$"`), "externalAgentId"},
		{"log's test call", "submit-call-log", callLogBody(`"metadata":{"ringtrue_call":"$"}`), "metadata.ringtrue_call"},
		{"log's call", "submit-call-log", strings.Replace(callLogBody(`"metadata":{}`), `"c1"`, `"$"`, 1), "payload.call_id"},
		{"log's number", "submit-call-log", strings.Replace(callLogBody(`"metadata":{}`), `"+15550123"`, `"$"`, 1), "payload.from_number"},
		{"log's address", "submit-call-log", strings.Replace(callLogBody(`"metadata":{}`), `"https://example.com/a.wav"`, `"https://example.com/$"`, 1), "payload.recording_url"},
		{"log's status", "submit-call-log", strings.Replace(callLogBody(`"metadata":{}`), `"ended"`, `"$"`, 1), "payload.status"},
	}
}

// proseFields hold text of several lines; of the control characters they take
// line breaks and tabs alone.
func proseFields() []oneField {
	item := func(input, output string) string {
		return `{"input":{"script":["wait_for_agent","hang_up"]` + input + `},"output":{` + output + `}}`
	}
	return []oneField{
		{"description", "create-dataset", `{"name":"x","description":"$"}`, "description"},
		{"goal", "replace-dataset-item", item(`,"goal":"$"`, ""), "input.goal"},
		{"line", "replace-dataset-item", `{"input":{"script":[{"say":"$"}]}}`, "input.script[0].say"},
		{"fact", "replace-dataset-item", item(`,"facts":{"a":"$"}`, ""), "input.facts.a"},
		{"expected words", "replace-dataset-item", item("", `"say":["$"]`), "output.say[0]"},
		{"rubric", "replace-dataset-item", item("", `"rubric":["$"]`), "output.rubric[0]"},
		{"prompt", "create-prompt", `{"slug":"x","text":"$"}`, "text"},
	}
}

func TestControlCharactersAndEndlessTexts(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.untouched(t, func() { everyBadText(t, r) })
}

func everyBadText(t *testing.T, r *rig) {
	t.Helper()
	operations := r.takesBody(t)
	try := func(f oneField, what, text string) {
		op := operations[f.id]
		body := strings.ReplaceAll(f.body, "$", text)
		a := r.ask(t, reaches()[f.id].as(r.mine), op[0], op[1], []byte(body))
		if a.status == 413 {
			r.refused(t, f.name+" with "+what, a, 413, "too_large")
			return
		}
		p := r.refused(t, f.name+" with "+what, a, 422, "invalid_fields")
		// A text may also be too long for what it stands in.
		if !slices.Contains(p.paths(), f.path) || slices.ContainsFunc(p.paths(), func(path string) bool { return !strings.HasPrefix(f.path, path) }) {
			t.Errorf("%s with %s: faults at %v, want %s", f.name, what, p.paths(), f.path)
		}
		plain(t, f.name+" with "+what, p)
	}
	for _, f := range lineFields() {
		for what, text := range controlTexts() {
			try(f, what, text)
		}
		try(f, "1 MB", strings.Repeat(planted[:10], 104_000))
		try(f, "900 kB", strings.Repeat(planted[:10], 90_000))
	}
	for _, f := range proseFields() {
		for what, text := range controlTexts() {
			if what != "line break" && what != "carriage return" {
				try(f, what, text)
			}
		}
		try(f, "1 MB", strings.Repeat(planted[:10], 104_000))
		try(f, "900 kB", strings.Repeat(planted[:10], 90_000))
	}
}
