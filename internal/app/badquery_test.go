package app

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/ringtrue/ringtrue/internal/scenario"
)

// oddTexts are values that no parameter wants, some of which databases choke on.
func oddTexts() []string {
	return []string{
		"\x00", "a\x00b", "\xff\xfe", "\xed\xa0\x80", "a\xffb", "\x1b[31m", "\r\nX-Evil: 1", "💥", "' OR 1=1 --", "%", "_", "*", "\\", "$1", "{}", "null",
		"-1", "0", "1e9", "0x10", "99999999999999999999999", "NaN", " ", strings.Repeat("a", 129), strings.Repeat("💥", 5000),
	}
}

// parameters are those of an operation's query; needed are those of them that it cannot do without.
func (r *rig) parameters(t *testing.T) (all, needed map[string][]string) {
	t.Helper()
	var doc struct {
		Paths map[string]map[string]struct {
			OperationID string `json:"operationId"`
			Parameters  []struct {
				Name, In string
				Required bool
			}
		}
	}
	must(t, json.Unmarshal(r.ask(t, r.mine, "GET", "/openapi.json", nil).body, &doc))
	all, needed = map[string][]string{}, map[string][]string{}
	for _, methods := range doc.Paths {
		for _, op := range methods {
			for _, p := range op.Parameters {
				if p.In == "query" {
					all[op.OperationID] = append(all[op.OperationID], p.Name)
				}
				if p.In == "query" && p.Required {
					needed[op.OperationID] = append(needed[op.OperationID], p.Name)
				}
			}
		}
	}
	return all, needed
}

// everyOddQuery gives every parameter of every query every odd value: it is
// refused as that parameter's fault, or finds nothing.
func everyOddQuery(t *testing.T, r *rig) {
	t.Helper()
	operations, table := r.operations(t), reaches()
	all, needed := r.parameters(t)
	for id, names := range all {
		op, row := operations[id], table[id]
		row.query = ""
		path := row.fill(op[1], r.mine, "", "")
		for _, name := range names {
			what := fmt.Sprintf("%s with %s twice", id, name)
			twice := r.refused(t, what, r.ask(t, r.mine, op[0], path+"?"+url.Values{name: {"1", "2"}}.Encode(), nil), 422, "invalid_fields")
			if len(twice.Errors) != 1 || twice.Errors[0].Path != "query."+name {
				t.Errorf("%s: faults at %v", what, twice.paths())
			}
			for _, value := range oddTexts() {
				if id == "stream-events" && (name != "after" || value == "0") {
					continue // a stream that nothing happens in stays open
				}
				what := fmt.Sprintf("%s with %s=%.20q", id, name, value)
				var body []byte
				if op[0] != http.MethodGet {
					body = []byte(`[`)
				}
				query := url.Values{}
				for _, other := range needed[id] { // all of them name an experiment
					query.Set(other, r.mine.run)
				}
				query.Set(name, value)
				a := r.ask(t, r.mine, op[0], path+"?"+query.Encode(), body)
				switch {
				case a.status == 200 && op[0] == http.MethodGet && (name != "cursor" || scenario.ValidSlug(value)): // some cursors are slugs
				case a.status == 404: // a call without a recording
					r.refused(t, what, a, 404, "not_found")
				default:
					p := r.refused(t, what, a, 422, "invalid_fields")
					if len(p.Errors) != 1 || p.Errors[0].Path != "query."+name && op[0] == http.MethodGet {
						t.Errorf("%s: faults at %v", what, p.paths())
					}
					plain(t, what, p)
				}
			}
		}
	}
}

func TestOddQueries(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.untouched(t, func() { everyOddQuery(t, r) })
}

// What SQLite takes for a text like any other is an error for PostgreSQL.
func TestOddTextsOnPostgres(t *testing.T) {
	t.Parallel()
	r := newRig(t, onPostgres(t))
	everyForeignThing(t, r)
	r.untouched(t, func() {
		everyOddQuery(t, r)
		everyBadText(t, r)
		everyOddName(t, r)
		everyOddKey(t, r)
	})
}

func TestOddNames(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.untouched(t, func() {
		everyOddName(t, r)
		everyOddKey(t, r)
	})
}

// everyOddName names things in bodies that cannot be there.
func everyOddName(t *testing.T, r *rig) {
	t.Helper()
	for _, text := range []string{`a\u0000b`, `\u0000`, `💥`, `\u001b[31m`, strings.Repeat("a", 5000), `' OR 1=1 --`, `..`, `%00`} {
		for _, one := range [][3]string{
			{"/voice-agent/" + r.mine.agent + "/run", `{"to_number":"+15550123","dataset_id":"$"}`, "dataset_id"},
			{"/agents", `{"name":"x","defaults":{"caller_prompt":"$"}}`, "defaults.caller_prompt"},
			{"/agents", `{"name":"x","defaults":{"scorers":["$"]}}`, "defaults.scorers[0]"},
			{"/v2/call-logs", callLogBody(`"metadata":{"ringtrue_call":"$"}`), "metadata.ringtrue_call"},
		} {
			what := fmt.Sprintf("%s with %.20q", one[2], text)
			p := r.refused(t, what, r.ask(t, r.mine, "POST", one[0], []byte(strings.ReplaceAll(one[1], "$", text))), 422, "invalid_fields")
			if len(p.Errors) != 1 || p.Errors[0].Path != one[2] {
				t.Errorf("%s: faults at %v", what, p.paths())
			}
			plain(t, what, p)
		}
	}
}

// everyOddKey sends an Idempotency-Key that is no word.
func everyOddKey(t *testing.T, r *rig) {
	t.Helper()
	operations := r.takesBody(t)
	for _, key := range []string{"\xff\xfe", "a\xffb", "\xed\xa0\x80", "a\tb", strings.Repeat("k", 256), strings.Repeat("k", 10_000)} {
		for id, body := range map[string]string{
			"create-agent": `{"name":"x"}`, "create-dataset": `{"name":"x"}`, "create-prompt": `{"slug":"x","text":"x"}`,
			"create-scorer": `{"slug":"x","kind":"say","params":{"phrase":"x"}}`, "add-dataset-items": `{"input":{"script":["hang_up"]}}`,
			"run-voice-agent": `{"to_number":"+15550123","dataset_id":"` + r.mine.dataset + `"}`, "rerun-voice-experiment": `{}`,
			"create-media-rooms": `{"datasetId":"` + r.mine.dataset + `"}`,
		} {
			what := fmt.Sprintf("%s with the Idempotency-Key %.20q", id, key)
			op := operations[id]
			p := r.refused(t, what, r.ask(t, r.mine, op[0], op[1], []byte(body), "Idempotency-Key", key), 422, "invalid_fields")
			if len(p.Errors) != 1 || p.Errors[0].Path != "header.Idempotency-Key" {
				t.Errorf("%s: faults at %v", what, p.paths())
			}
			plain(t, what, p)
		}
	}
	for _, key := range []string{"\x00", "\x1b", "a\x7f"} { // these break HTTP itself
		a, err := r.raw(t, "POST /api/rest/agents HTTP/1.1\r\nHost: x\r\n$KEY\r\nConnection: close\r\nContent-Type: application/json\r\nIdempotency-Key: "+key+
			"\r\nContent-Length: 12\r\n\r\n{\"name\":\"x\"}")
		if err != nil || a.status != 400 {
			t.Errorf("the Idempotency-Key %q got %d %v", key, a.status, err)
		}
	}
}
