package api_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ringtrue/ringtrue/internal/api"
)

const saysHello = `{"key":"hello","input":{"script":[{"say":"Hello"},{"wait_for_agent":{}}]},"output":{"say":["welcome"]}}`

func TestDatasets(t *testing.T) {
	t.Parallel()
	r := newResources(t)
	var d api.Dataset
	r.make("POST", "/datasets", `{"name":"Booking","description":"x","items":[`+saysHello+`,{"input":{"goal":"Cancel"}}]}`, &d)
	if !strings.HasPrefix(d.ID, "ds_") || d.Version != 1 || d.ItemCount != 2 {
		t.Fatalf("%+v", d)
	}
	r.all([]exchange{
		{method: "GET", path: "/datasets/" + d.ID, status: 200, has: []string{`"name":"Booking"`}, hasNot: []string{"ws_a"}},
		{method: "GET", path: "/datasets/" + d.ID, key: "b", status: 404, code: "not_found", hasNot: []string{"Booking"}},
		{method: "GET", path: "/datasets/" + d.ID + "/items", key: "b", status: 404, code: "not_found"},
		{method: "GET", path: "/datasets/" + d.ID + "/versions", key: "b", status: 404, code: "not_found"},
		{method: "PATCH", path: "/datasets/" + d.ID, key: "b", body: `{"name":"x"}`, status: 404, code: "not_found"},
		{method: "DELETE", path: "/datasets/" + d.ID, key: "b", status: 404, code: "not_found"},
		{method: "POST", path: "/datasets/" + d.ID + "/items", key: "b", body: saysHello, status: 404, code: "not_found"},
		{method: "POST", path: "/datasets/" + d.ID + "/import", key: "b", body: "[" + saysHello + "]", status: 404, code: "not_found"},
		{method: "PATCH", path: "/datasets/" + d.ID, body: `{"description":"of appointments"}`, status: 200, has: []string{`"name":"Booking"`, `"version":1`}},
		{name: "empty", method: "POST", path: "/datasets", body: `{"name":"Empty"}`, status: 201, has: []string{`"item_count":0`}},
		{name: "unknown field", method: "POST", path: "/datasets", body: `{"name":"x","itmes":[]}`, status: 422, code: "invalid_fields", fields: []string{"itmes"}, has: []string{`"suggestion":"items"`}},
		{name: "unknown key in an item", method: "POST", path: "/datasets", body: `{"name":"x","items":[{"input":{"gaol":"x"}}]}`, status: 422, code: "invalid_fields", has: []string{`"path":"items[0].input.gaol"`, `"suggestion":"goal"`}},
		{name: "no name", method: "POST", path: "/datasets", body: `{"items":[]}`, status: 422, code: "invalid_fields", fields: []string{"name"}},
		{name: "twice", method: "POST", path: "/datasets", body: `{"name":"x","items":[` + saysHello + `,` + saysHello + `]}`, status: 422, code: "invalid_fields", fields: []string{"items[1].key"}},
		{name: "name twice", method: "POST", path: "/datasets", body: `{"name":"x","name":"y"}`, status: 422, code: "invalid_fields", fields: []string{"name"}},
		{name: "wrong kinds", method: "POST", path: "/datasets", body: `{"name":7,"items":{}}`, status: 422, code: "invalid_fields", fields: []string{"name", "items"}},
		{name: "malformed", method: "POST", path: "/datasets", body: "{\n\"name\": x}", status: 400, code: "invalid_json", has: []string{"line 2"}},
		{name: "a list", method: "POST", path: "/datasets", body: `[]`, status: 422, code: "invalid_fields"},
		{name: "no body", method: "POST", path: "/datasets", status: 400, code: "invalid_json"},
		{name: "too large", method: "POST", path: "/datasets", body: `{"name":"` + strings.Repeat("x", 70_000) + `"}`, status: 413, code: "too_large"},
		{name: "not JSON", method: "POST", path: "/datasets", body: "name: x", header: map[string]string{"Content-Type": "application/yaml"}, status: 415, code: "unsupported_media_type"},
		{name: "bad cursor", method: "GET", path: "/datasets?cursor=x", status: 422, code: "invalid_fields", fields: []string{"query.cursor"}},
		{method: "GET", path: "/datasets?limit=1", status: 200, has: []string{"Empty", `"next_cursor":"ds_`}, hasNot: []string{"Booking"}},
		{method: "GET", path: "/datasets", key: "b", status: 200, has: []string{`"data":[]`}},
		{method: "DELETE", path: "/datasets/" + d.ID, status: 204},
		{method: "GET", path: "/datasets/" + d.ID, status: 404, code: "not_found"},
		{method: "GET", path: "/datasets/" + d.ID + "/items", status: 404, code: "not_found"},
	})
}

// What the pages on scenarios show may be written so by the document too:
// conforming holds each of these requests to it.
func TestItemsMayBeWrittenInShortForms(t *testing.T) {
	t.Parallel()
	r := newResources(t)
	short := `{"input":{"facts":{"party":4},"script":["wait_for_agent",{"say":"Hello"},{"wait_for_agent":true},"say: Bye","hang_up"]},"output":{"facts_stated":{"price":40}}}`
	goal := `{"input":{"goal":"Cancel"}}`
	deep := `{"input":{"script":[{"wait_for_words":{"any":["one"],"otherwise":["hang_up"]}},{"branch":{"cases":[{"any":["two"],"then":["hang_up"]}],"otherwise":["repeat_if_misunderstood"]}}]}}`
	var d api.Dataset
	r.make("POST", "/datasets", `{"name":"Short","items":[`+short+`,`+goal+`,`+deep+`]}`, &d)
	r.all([]exchange{
		{name: "items", method: "POST", path: "/datasets/" + d.ID + "/items", body: `{"items":[` + short + `]}`, status: 201},
		{name: "one item", method: "POST", path: "/datasets/" + d.ID + "/items", body: short, status: 201},
		{name: "a case without steps", method: "POST", path: "/datasets/" + d.ID + "/items", body: `{"input":{"script":[{"wait_for_agent":{}},{"branch":{"cases":[{"any":["two"]}]}}]}}`, status: 201},
		{name: "a list", method: "POST", path: "/datasets/check", body: `[` + short + `,` + deep + `]`, status: 200, has: []string{`"problems":[]`}},
		{name: "a whole dataset", method: "POST", path: "/datasets/" + d.ID + "/import", body: `{"name":"x","items":[` + goal + `]}`, status: 200},
	})
}

func TestItems(t *testing.T) {
	t.Parallel()
	r := newResources(t)
	var d api.Dataset
	r.make("POST", "/datasets", `{"name":"Booking","items":[`+saysHello+`]}`, &d)
	items := "/datasets/" + d.ID + "/items"
	var added api.ItemsAdded
	r.make("POST", items, `{"input":{"goal":"Ask for the price"}}`, &added)
	if added.DatasetVersion != 2 || len(added.Items) != 1 || !strings.HasPrefix(added.Items[0].ID, "di_") {
		t.Fatalf("%+v", added)
	}
	one := items + "/" + added.Items[0].ID
	r.all([]exchange{
		{method: "POST", path: items, body: `{"items":[{"key":"x","input":{"goal":"Complain"}}]}`, status: 201, has: []string{`"dataset_version":3`}},
		{method: "GET", path: one, status: 200, has: []string{"Ask for the price"}},
		{method: "GET", path: one, key: "b", status: 404, code: "not_found"},
		{method: "PUT", path: one, key: "b", body: saysHello, status: 404, code: "not_found"},
		{method: "DELETE", path: one, key: "b", status: 404, code: "not_found"},
		{method: "GET", path: one + "?version=1", status: 404, code: "not_found"},
		{method: "GET", path: items + "?version=9", status: 404, code: "not_found"},
		{method: "GET", path: items + "?version=1", status: 200, has: []string{"Hello"}, hasNot: []string{"price", "Complain"}},
		{method: "GET", path: items, status: 200, has: []string{"Hello", "price", "Complain", `"dataset_version":3`}},
		{method: "GET", path: items + "?limit=1", status: 200, has: []string{"Hello", `"next_cursor":"di_`}, hasNot: []string{"price"}},
		{method: "GET", path: items + "?cursor=nonsense", status: 422, code: "invalid_fields", fields: []string{"query.cursor"}},
		{name: "no list", method: "POST", path: items, body: `{"items":[]}`, status: 422, code: "invalid_fields", fields: []string{"items"}},
		{name: "bad step", method: "POST", path: items, body: `{"items":[{"input":{"script":[{"sya":"x"}]}}]}`, status: 422, code: "invalid_fields", has: []string{`"path":"items[0].input.script[0].sya"`, `"suggestion":"say"`}},
		{name: "bad item", method: "POST", path: items, body: `{"inptu":{}}`, status: 422, code: "invalid_fields", has: []string{`"path":"inptu"`, `"suggestion":"input"`}},
		{name: "key taken", method: "POST", path: items, body: saysHello, status: 422, code: "invalid_fields", fields: []string{"items[0].key"}},
		{name: "empty item", method: "PUT", path: one, body: `{}`, status: 422, code: "invalid_fields", fields: []string{"input"}},
		{name: "key of a neighbour", method: "PUT", path: one, body: saysHello, status: 422, code: "invalid_fields", fields: []string{"key"}},
		{name: "malformed", method: "PUT", path: one, body: `{"input"}`, status: 400, code: "invalid_json"},
		{name: "too large", method: "PUT", path: one, body: `{"input":{"goal":"` + strings.Repeat("x", 5000) + `"}}`, status: 413, code: "too_large"},
		{name: "none such", method: "PUT", path: items + "/di_none", body: `{"input":{"goal":"x"}}`, status: 404, code: "not_found"},
		{method: "PUT", path: one, body: `{"input":{"goal":"Ask for opening hours"}}`, status: 200, has: []string{added.Items[0].ID, "opening hours"}},
		{method: "GET", path: items, status: 200, has: []string{"opening hours", `"dataset_version":4`}, hasNot: []string{"price"}},
		{method: "DELETE", path: one, status: 204},
		{method: "GET", path: one, status: 404, code: "not_found"},
		{method: "GET", path: one + "?version=4", status: 200},
		{method: "GET", path: "/datasets/" + d.ID + "/versions", status: 200, has: []string{`"version":5,"item_count":2`, `"version":1,"item_count":1`}, hasNot: []string{`"version":6`}},
	})
}

func TestAddingItemsTwiceWithOneKeyAddsThemOnce(t *testing.T) {
	t.Parallel()
	r := newResources(t)
	var d api.Dataset
	r.make("POST", "/datasets", `{"name":"x","items":[`+saysHello+`]}`, &d)
	add := exchange{
		method: "POST", path: "/datasets/" + d.ID + "/items", status: 201, header: map[string]string{"Idempotency-Key": "k"},
		body: `{"items":[{"input":{"goal":"one"}},{"input":{"goal":"two"}}]}`,
	}
	_, first := r.do(add)
	_, again := r.do(add)
	if first != again {
		t.Errorf("a repeat answered otherwise:\n%s\n%s", first, again)
	}
	r.do(exchange{method: "GET", path: "/datasets/" + d.ID, status: 200, has: []string{`"item_count":3`, `"version":2`}})
}

func TestImport(t *testing.T) {
	t.Parallel()
	r := newResources(t)
	var d api.Dataset
	r.make("POST", "/datasets", `{"name":"x"}`, &d)
	path := "/datasets/" + d.ID + "/import"
	kind := func(name string) map[string]string { return map[string]string{"Content-Type": name} }
	r.all([]exchange{
		{name: "json", method: "POST", path: path, body: "[" + saysHello + "]", status: 200, has: []string{`"imported":1`, `"item_count":1`, `"version":2`}},
		{name: "jsonl", method: "POST", path: path, body: `{"input":{"goal":"a"}}` + "\n" + `{"input":{"goal":"b"}}`, header: kind("application/x-ndjson"), status: 200, has: []string{`"imported":2`, `"item_count":3`}},
		{name: "yaml", method: "POST", path: path, body: "- key: y\n  input:\n    goal: c\n", header: kind("application/yaml; charset=utf-8"), status: 200, has: []string{`"item_count":4`}},
		{name: "by name", method: "POST", path: path + "?format=yaml&mode=replace", body: "- key: y\n  input:\n    goal: d\n", header: kind("application/octet-stream"), status: 200, has: []string{`"imported":1`, `"item_count":1`, `"version":5`}},
		{name: "all problems with their lines", method: "POST", path: path, header: kind("application/yaml"), body: "- input:\n    gaol: x\n- input:\n    goal: ok\n    script:\n    - sya: hello\n", status: 422, code: "invalid_fields", has: []string{`"path":"items[0].input.gaol","line":2`, `"line":6`, `"suggestion":"say"`}},
		{name: "malformed", method: "POST", path: path, body: "[{", status: 422, code: "invalid_fields"},
		{name: "no kind", method: "POST", path: path, body: "x", header: kind("text/plain"), status: 415, code: "unsupported_media_type"},
		{name: "bad mode", method: "POST", path: path + "?mode=merge", body: "[" + saysHello + "]", status: 422, code: "invalid_fields"},
		{name: "bad format", method: "POST", path: path + "?format=xml", body: "<a/>", status: 422, code: "invalid_fields"},
		{name: "too large", method: "POST", path: path, body: "[" + strings.Repeat(" ", 70_000) + "]", status: 413, code: "too_large"},
		{name: "none such", method: "POST", path: "/datasets/ds_none/import", body: "[" + saysHello + "]", status: 404, code: "not_found"},
		{name: "nothing of all that", method: "GET", path: "/datasets/" + d.ID, status: 200, has: []string{`"version":5`, `"item_count":1`}},
	})
}

func TestPromptsAndScorers(t *testing.T) {
	t.Parallel()
	r := newResources(t)
	for thing, content := range map[string][2]string{
		"prompts": {`"text":"one"`, `"text":"two"`},
		"scorers": {`"kind":"say","params":{"phrase":"one"}`, `"kind":"say","params":{"phrase":"two"}`},
	} {
		create := func(content, more string) string { return fmt.Sprintf(`{"slug":"greets",%s%s}`, content, more) }
		one := "/" + thing + "/greets"
		r.all([]exchange{
			{method: "POST", path: "/" + thing, body: create(content[0], `,"labels":["prod"]`), status: 201, has: []string{`"version":1`, `"labels":["prod"]`}},
			{method: "POST", path: "/" + thing, body: create(content[1], ""), status: 201, has: []string{`"version":2`, `"labels":[]`}},
			{method: "GET", path: one, status: 200, has: []string{"two"}, hasNot: []string{"ws_a"}},
			{method: "GET", path: one + "?at=prod", status: 200, has: []string{"one"}},
			{method: "GET", path: one + "?at=1", status: 200, has: []string{"one"}},
			{method: "GET", path: one + "?at=3", status: 404, code: "not_found"},
			{method: "GET", path: one + "?at=nightly", status: 404, code: "not_found"},
			{method: "GET", path: one, key: "b", status: 404, code: "not_found"},
			{method: "GET", path: one + "/versions", status: 200, has: []string{`"version":2`, `"version":1`}},
			{method: "GET", path: one + "/versions", key: "b", status: 404, code: "not_found"},
			{method: "PUT", path: one + "/labels/prod", body: `{"version":2}`, status: 200, has: []string{`"version":2`, `"labels":["prod"]`}},
			{method: "GET", path: one + "?at=prod", status: 200, has: []string{"two"}},
			{method: "PUT", path: one + "/labels/prod", key: "b", body: `{"version":1}`, status: 404, code: "not_found"},
			{method: "PUT", path: one + "/labels/prod", body: `{"version":9}`, status: 422, code: "invalid_fields", fields: []string{"version"}, has: []string{"there is no such version"}},
			{method: "PUT", path: "/" + thing + "/none/labels/prod", body: `{"version":9}`, status: 404, code: "not_found"},
			{
				method: "PUT", path: one + "/labels/prod", body: `{"version":9223372036854775808}`, status: 422, code: "invalid_fields",
				fields: []string{"version"}, has: []string{`"the number 9223372036854775808 is out of range"`},
			},
			{method: "PUT", path: one + "/labels/7", body: `{"version":1}`, status: 422, code: "invalid_fields", fields: []string{"label"}},
			{method: "POST", path: "/" + thing, body: strings.Replace(create(content[0], ""), "greets", "Not a slug", 1), status: 422, code: "invalid_fields", fields: []string{"slug"}},
			{method: "POST", path: "/" + thing, body: create(content[0], `,"lables":["x"]`), status: 422, code: "invalid_fields", has: []string{`"suggestion":"labels"`}},
			{method: "GET", path: "/" + thing, status: 200, has: []string{`"version":2`, `"next_cursor":null`}, hasNot: []string{`"version":1`}},
			{method: "GET", path: "/" + thing + "?cursor=A%20b", status: 422, code: "invalid_fields", fields: []string{"query.cursor"}},
			{method: "GET", path: "/" + thing, key: "b", status: 200, has: []string{`"data":[]`}},
		})
	}
	r.all([]exchange{
		{name: "no such kind", method: "POST", path: "/scorers", body: `{"slug":"x","kind":"sya"}`, status: 422, code: "invalid_fields", fields: []string{"kind"}, has: []string{`"suggestion":"say"`}},
		{name: "unknown parameter", method: "POST", path: "/scorers", body: `{"slug":"x","kind":"say","params":{"phrases":["x"]}}`, status: 422, code: "invalid_fields"},
		{name: "used by an agent", method: "POST", path: "/agents", body: `{"name":"x","defaults":{"scorers":["greets@prod"],"caller_prompt":"greets@2"}}`, status: 201},
	})
	once := map[string]string{"Idempotency-Key": "k"}
	body := `{"slug":"twice","text":"x"}`
	_, first := r.do(exchange{method: "POST", path: "/prompts", header: once, body: body, status: 201})
	if _, again := r.do(exchange{method: "POST", path: "/prompts", header: once, body: body, status: 201}); first != again {
		t.Errorf("a repeat made another version:\n%s\n%s", first, again)
	}
}
