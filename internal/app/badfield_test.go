package app

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// oddValues are what no place of a body expects, as they stand in JSON.
func oddValues() map[string]string {
	return map[string]string{
		"null": `null`, "true": `true`, "zero": `0`, "minus one": `-1`, "a fraction": `1.5`, "beyond int64": `9223372036854775808`,
		"beyond all numbers": `1e999`, "tiny": `-1e-999`, "no text": `""`, "a blank": `" "`, "a NUL": `"a\u0000b"`, "half a character": `"a\ud800"`,
		"turned round": `"\u202e\ufeffx"`, "a long text": `"` + strings.Repeat("x", 70_000) + `"`, "a number as text": `"1"`,
		"no list": `[]`, "a list of null": `[null]`, "a list of lists": `[[["x"]]]`, "no object": `{}`, "an object": `{"a":{"b":[1]}}`, "a nameless key": `{"":1}`,
		"10,000 lists": strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000), "10,000 objects": strings.Repeat(`{"a":`, 10_000) + "1" + strings.Repeat("}", 10_000),
		"a key twice": `{"a":1,"a":2}`,
	}
}

// bodiesByHand are bodies of operations whose schema says less than what they
// take, or whose examples would name what is not there.
func bodiesByHand() map[string]string {
	item := `{"key":"k","input":{"goal":"Ask.","persona":{"name":"Ann","voice":"slt"},"facts":{"a":"b"},"language":"en-US","limits":{"max_duration_ms":60000,"max_silence_ms":9000},` +
		`"script":["wait_for_agent",{"say":"Hello."},{"press":"12#"},{"stay_silent_ms":500},{"wait_for_words":{"any":["hours"],"timeout_ms":900,"otherwise":["hang_up"]}},` +
		`{"interrupt":{"after_ms":900,"say":"Sorry."}},{"repeat_if_misunderstood":{"words":["pardon"],"times":2}},"hang_up"]},` +
		`"output":{"say":["hello"],"facts_stated":{"price":"$40"},"tool_calls":[{"name":"get_price","arguments":{"service":"x"}}],"outcome":{"end_reasons":["completed"]},` +
		`"timing":{"duration_max_ms":60000},"rubric":["It is kind."]},"metadata":{"any":"thing"}}`
	return map[string]string{
		"create-dataset":       `{"name":"x","description":"y","items":[` + item + `]}`,
		"add-dataset-items":    `{"items":[` + item + `]}`,
		"replace-dataset-item": item,
		"import-dataset-items": `[` + item + `]`,
		"check-dataset-items":  `[` + item + `]`,
		"create-scorer":        `{"slug":"odd","name":"Odd","kind":"say","params":{"phrase":"hello"},"optional":true,"labels":["l"]}`,
		"submit-call-log": `{"provider":"custom","externalAgentId":"x","metadata":{"a":{"b":1}},"payload":{"call_id":"odd","recording_url":"https://example.com/a.wav","from_number":"+15550123",` +
			`"to_number":"+15550100","start_timestamp":1760000000000,"end_timestamp":1760000060000,"status":"ended","transcript":{"kind":"chat_completion","messages":[` +
			`{"role":"assistant","start":10,"content":"Hello","tool_calls":[{"id":"t","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"t","content":"1"}]}}}`,
	}
}

// shortForms are the operations that take scenarios in shorter forms than the
// plain one, which the document shows: a step as a word, an item without a list.
func shortForms() []string {
	return []string{"create-dataset", "add-dataset-items", "replace-dataset-item", "import-dataset-items", "check-dataset-items"}
}

// place is one place of a body: the way to it, as a problem would name it.
type place struct {
	at  string
	way []any // keys and indices
}

// placesOf lists all places of a value.
func placesOf(value any, at string, way []any) (out []place) {
	if len(way) > 0 {
		out = append(out, place{at, way})
	}
	switch v := value.(type) {
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			out = append(out, placesOf(v[k], strings.TrimPrefix(at+"."+k, "."), append(slices.Clip(way), k))...)
		}
	case []any:
		for i, one := range v {
			out = append(out, placesOf(one, at+"["+strconv.Itoa(i)+"]", append(slices.Clip(way), i))...)
		}
	}
	return out
}

// with is a copy of the value that has something else at the place.
func (p place) with(value any, something any) any {
	if len(p.way) == 0 {
		return something
	}
	rest := place{way: p.way[1:]}
	switch v := value.(type) {
	case map[string]any:
		out := maps.Clone(v)
		key, _ := p.way[0].(string)
		out[key] = rest.with(v[key], something)
		return out
	case []any:
		out := slices.Clone(v)
		i, _ := p.way[0].(int)
		out[i] = rest.with(v[i], something)
		return out
	}
	return something
}

// related says that one path names the other, something in it, or what it is in.
func related(one, other string) bool {
	if len(one) > len(other) {
		one, other = other, one
	}
	rest, ok := strings.CutPrefix(other, one)
	return ok && (rest == "" || one == "" || rest[0] == '.' || rest[0] == '[')
}

// torture is one operation whose body is spoilt.
type torture struct {
	*rig
	doc  document
	op   documented
	who  tenant
	path string
	// schema is what the document says of the body, empty where more is taken than that.
	schema map[string]any
}

// TestEveryFieldOfEveryBody puts something else in the place of one value after
// the other, in the body of every operation that the document lists: never a
// fault of ours, never an answer that the document does not know, and what the
// document forbids is refused with the field named.
func TestEveryFieldOfEveryBody(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	doc, operations := r.document(t)
	table, tried, refused := reaches(), 0, 0
	for _, id := range slices.Sorted(maps.Keys(operations)) {
		op := operations[id]
		content, ok := op.RequestBody.Content["application/json"]
		if !ok {
			continue
		}
		row := table[id]
		row.query = ""
		c := torture{rig: r, doc: doc, op: op, who: row.as(r.mine), path: row.fill(op.path, r.mine, "", ""), schema: content.Schema}
		if slices.Contains(shortForms(), id) {
			c.schema = map[string]any{}
		}
		var body any
		text := bodiesByHand()[id]
		if text == "" {
			text = r.mine.filled(row.body)
		}
		if text == "" {
			body = doc.plausible(content.Schema, 0)
		} else {
			must(t, json.Unmarshal([]byte(text), &body))
		}
		for _, p := range placesOf(body, "", nil) {
			for what, odd := range oddValues() {
				tried++
				if c.spoil(t, body, p, what, odd) >= 400 {
					refused++
				}
			}
		}
	}
	if tried < 3000 || refused < tried/3 {
		t.Errorf("%d bodies were tried and %d refused", tried, refused)
	}
	t.Logf("%d bodies, %d refused", tried, refused)
	r.conforms(t)
	r.checkLog(t)
}

// spoil sends the body with something odd at a place and returns the status.
func (c torture) spoil(t *testing.T, body any, p place, what, odd string) int {
	t.Helper()
	const here = "@@here@@"
	frame, err := json.Marshal(p.with(body, here))
	must(t, err)
	text := strings.Replace(string(frame), `"`+here+`"`, odd, 1)
	name := fmt.Sprintf("%s with %s at %s", c.op.OperationID, what, p.at)
	began := time.Now()
	a := c.ask(t, c.who, c.op.method, c.path, []byte(text))
	if took := time.Since(began); took > 30*time.Second {
		t.Errorf("%s: answered after %v", name, took)
	}
	c.fits(t, name, a)
	if a.status >= 500 && a.status != 503 {
		t.Errorf("%s: %d %s\nto %.300s", name, a.status, a.body, text)
	}
	var value any
	// null is taken for a field that was left out, wherever that may be.
	forbidden := odd != "null" && json.Unmarshal([]byte(text), &value) == nil && c.doc.breaks(c.schema, value, "") != ""
	if forbidden && a.status < 400 {
		t.Errorf("%s: %d, although %s", name, a.status, c.doc.breaks(c.schema, value, ""))
	}
	if a.status == 422 {
		var problem wire
		must(t, json.Unmarshal(a.body, &problem))
		plain(t, name, problem)
		if forbidden && !slices.ContainsFunc(problem.paths(), func(path string) bool { return related(path, p.at) }) {
			t.Errorf("%s: faults at %v", name, problem.paths())
		}
	}
	return a.status
}

// fits checks an answer against what the document says of it.
func (c torture) fits(t *testing.T, name string, a answer) {
	t.Helper()
	said, ok := c.op.Responses[strconv.Itoa(a.status)]
	if !ok && a.status < 400 {
		t.Errorf("%s: answered %d, which the document does not know", name, a.status)
		return
	}
	if !ok || len(said.Content) == 0 {
		said = c.op.Responses["default"]
	}
	if a.status == 204 || a.status == 302 {
		return
	}
	kind, _, _ := strings.Cut(a.header.Get("Content-Type"), ";")
	content, ok := said.Content[kind]
	if !ok {
		t.Errorf("%s: %d answered as %q, which the document does not know", name, a.status, kind)
		return
	}
	if !strings.HasSuffix(kind, "json") {
		return
	}
	var value any
	if err := json.Unmarshal(a.body, &value); err != nil {
		t.Errorf("%s: %d %.200s: %v", name, a.status, a.body, err)
		return
	}
	if wrong := c.doc.breaks(content.Schema, value, ""); wrong != "" {
		t.Errorf("%s: the answer %d is not what the document promises: %s\n%.600s", name, a.status, wrong, a.body)
	}
}

// conforms reads everything that can be read and checks each answer against the document.
func (r *rig) conforms(t *testing.T) {
	t.Helper()
	doc, operations := r.document(t)
	table := reaches()
	for id, op := range operations {
		if op.method != "GET" || id == "stream-events" {
			continue
		}
		c := torture{rig: r, doc: doc, op: op, who: table[id].as(r.mine)}
		a := c.ask(t, c.who, "GET", table[id].fill(op.path, r.mine, "", ""), nil)
		c.fits(t, id, a)
		if a.status >= 500 {
			t.Errorf("%s: %d %s", id, a.status, a.body)
		}
	}
}
