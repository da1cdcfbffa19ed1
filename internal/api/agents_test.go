package api_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/ringtrue/ringtrue/internal/api"
	"github.com/ringtrue/ringtrue/internal/api/rest"
)

func TestAgents(t *testing.T) {
	t.Parallel()
	r := newResources(t)
	var a api.Agent
	r.make("POST", "/agents", `{"name":"Front desk","sourceId":"desk-1","defaults":{"to_number":"+15550100","repetitions":3}}`, &a)
	if !strings.HasPrefix(a.ID, "agt_") || a.SourceID == nil || *a.SourceID != "desk-1" || a.Defaults.Repetitions == nil || *a.Defaults.Repetitions != 3 || a.CreatedAt == 0 {
		t.Fatalf("%+v", a)
	}
	r.all([]exchange{
		{method: "GET", path: "/agents/" + a.ID, status: 200, has: []string{`"sourceId":"desk-1"`, `"to_number":"+15550100"`}, hasNot: []string{"ws_a"}},
		{method: "GET", path: "/agents/" + a.ID, key: "b", status: 404, code: "not_found", hasNot: []string{"Front desk"}},
		{method: "PATCH", path: "/agents/" + a.ID, key: "b", body: `{"name":"Mine"}`, status: 404, code: "not_found"},
		{method: "DELETE", path: "/agents/" + a.ID, key: "b", status: 404, code: "not_found"},
		{method: "PATCH", path: "/agents/" + a.ID, body: `{"defaults":{"pass_threshold":0.9,"repetitions":0}}`, status: 200, has: []string{`"name":"Front desk"`, `"pass_threshold":0.9`, `"to_number":"+15550100"`}, hasNot: []string{"repetitions"}},
		{name: "unknown field", method: "POST", path: "/agents", body: `{"nam":"x"}`, status: 422, code: "invalid_fields", has: []string{`"suggestion":"name"`}},
		{name: "a field in capitals", method: "POST", path: "/agents", body: `{"NAME":"x"}`, status: 422, code: "invalid_fields", has: []string{`"suggestion":"name"`}},
		{name: "a field twice, once in capitals", method: "POST", path: "/agents", body: `{"name":"x","NAME":""}`, status: 422, code: "invalid_fields", fields: []string{"NAME"}},
		{name: "unknown default", method: "POST", path: "/agents", body: `{"name":"x","defaults":{"trunks":"t"}}`, status: 422, code: "invalid_fields", fields: []string{"defaults.trunks"}},
		{name: "a short unknown default", method: "POST", path: "/agents", body: `{"name":"x","defaults":{"to":"+15550100"}}`, status: 422, code: "invalid_fields", fields: []string{"defaults.to"}, hasNot: []string{"suggestion"}},
		{name: "bad defaults", method: "POST", path: "/agents", body: `{"name":"","defaults":{"to_number":"112","caller_prompt":"X Y"}}`, status: 422, code: "invalid_fields", fields: []string{"name", "defaults.to_number", "defaults.caller_prompt"}},
		{name: "no such scorer", method: "POST", path: "/agents", body: `{"name":"x","defaults":{"scorers":["nothing"]}}`, status: 422, code: "invalid_fields", fields: []string{"defaults.scorers[0]"}},
		{name: "taken", method: "POST", path: "/agents", body: `{"name":"y","sourceId":"desk-1"}`, status: 409, code: "conflict"},
		{name: "not taken there", method: "POST", path: "/agents", key: "b", body: `{"name":"y","sourceId":"desk-1"}`, status: 201},
		{name: "malformed", method: "POST", path: "/agents", body: `{"name":`, status: 400, code: "invalid_json"},
		{name: "too large", method: "POST", path: "/agents", body: `{"name":"` + strings.Repeat("x", 5000) + `"}`, status: 413, code: "too_large"},
		{name: "not JSON", method: "POST", path: "/agents", body: "name=x", header: map[string]string{"Content-Type": "application/x-www-form-urlencoded"}, status: 415, code: "unsupported_media_type"},
		{name: "bad cursor", method: "GET", path: "/agents?cursor=ds_1", status: 422, code: "invalid_fields", fields: []string{"query.cursor"}},
		{name: "bad limit", method: "GET", path: "/agents?limit=0", status: 422, code: "invalid_fields"},
		{name: "two limits", method: "GET", path: "/agents?limit=1&limit=2", status: 422, code: "invalid_fields", fields: []string{"query.limit"}},
		{name: "unknown query", method: "GET", path: "/agents?limits=1", status: 422, code: "invalid_fields"},
		{name: "no key", method: "GET", path: "/agents", key: "c", status: 401, code: "unauthenticated"},
		{
			method: "PATCH", path: "/agents/" + a.ID, body: `{"defaults":{"repetitions":1e30}}`, status: 422, code: "invalid_fields",
			fields: []string{"defaults.repetitions"}, has: []string{`"the number 1e30 is out of range"`},
		},
		{method: "GET", path: "/agents", status: 200, has: []string{a.ID, `"next_cursor":null`}, hasNot: []string{`"name":"y"`}},
		{method: "DELETE", path: "/agents/" + a.ID, status: 204},
		{method: "GET", path: "/agents/" + a.ID, status: 404, code: "not_found"},
		{method: "DELETE", path: "/agents/" + a.ID, status: 404, code: "not_found"},
	})
}

func TestAgentsPagesAndIdempotency(t *testing.T) {
	t.Parallel()
	r := newResources(t)
	once := map[string]string{"Idempotency-Key": "k1"}
	_, first := r.do(exchange{method: "POST", path: "/agents", header: once, body: `{"name":"one"}`, status: 201})
	_, again := r.do(exchange{method: "POST", path: "/agents", header: once, body: `{"name":"one"}`, status: 201})
	if first != again {
		t.Errorf("a repeat answered otherwise:\n%s\n%s", first, again)
	}
	r.do(exchange{method: "POST", path: "/agents", header: once, body: `{"name":"two"}`, status: 409, code: "conflict"})
	for _, name := range []string{"two", "three"} {
		r.do(exchange{method: "POST", path: "/agents", body: `{"name":"` + name + `"}`, status: 201})
	}
	var names []string
	for cursor := ""; ; {
		_, text := r.do(exchange{method: "GET", path: "/agents?limit=2&cursor=" + cursor, status: 200})
		var page rest.Page[api.Agent]
		if err := json.Unmarshal([]byte(text), &page); err != nil {
			t.Fatal(err)
		}
		for _, a := range page.Data {
			names = append(names, a.Name)
		}
		if page.NextCursor == nil {
			break
		}
		cursor = *page.NextCursor
	}
	if got := strings.Join(names, " "); got != "three two one" {
		t.Errorf("%s", got)
	}
}
