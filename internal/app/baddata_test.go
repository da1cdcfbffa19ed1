package app

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

// manyItems are n whole items: as JSON, YAML, JSON lines and CSV.
func manyItems(n int) map[string]string {
	var json, yaml, lines, csv strings.Builder
	csv.WriteString("key,say\n")
	for i := range n {
		one := fmt.Sprintf(`{"key":"k%d","input":{"script":["wait_for_agent",{"say":"Hello number %d."},"hang_up"]}}`, i, i)
		if i > 0 {
			json.WriteByte(',')
		}
		json.WriteString(one)
		lines.WriteString(one + "\n")
		fmt.Fprintf(&yaml, "- key: k%d\n  input: {script: [wait_for_agent, {say: Hello number %d.}, hang_up]}\n", i, i)
		fmt.Fprintf(&csv, "k%d,Hello number %d.\n", i, i)
	}
	return map[string]string{"json": "[" + json.String() + "]", "yaml": yaml.String(), "jsonl": lines.String(), "csv": csv.String()}
}

// mediaTypes are those of the formats of a file.
func mediaTypes() map[string]string {
	return map[string]string{"json": "application/json", "yaml": "application/yaml", "jsonl": "application/x-ndjson", "csv": "text/csv"}
}

// A dataset may be empty and may have 10,000 items; one more is refused at once,
// whatever way it comes.
func TestDatasetsOfNoAndOfTooManyItems(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	const most = 10_000
	small, full, over := manyItems(1), manyItems(most), manyItems(most+1)
	r.untouched(t, func() {
		for format, kind := range mediaTypes() {
			began := time.Now()
			p := r.refused(t, "10,001 items as "+format, r.ask(t, r.mine, "POST", "/datasets/"+r.mine.dataset+"/import?mode=replace", []byte(over[format]), "Content-Type", kind), 422, "invalid_fields")
			if len(p.Errors) != 1 || p.Errors[0].Path != "items" || p.Errors[0].Message != "holds 10001 items; at most 10000 are allowed" {
				t.Errorf("%s: %+v", format, p.Errors)
			}
			if took := time.Since(began); took > time.Minute {
				t.Errorf("%s: refused after %v", format, took)
			}
			empty := map[string]string{"json": "[]", "yaml": "[]", "jsonl": "\n", "csv": "key,say\n"}[format]
			p = r.refused(t, "no items as "+format, r.ask(t, r.mine, "POST", "/datasets/"+r.mine.dataset+"/import?mode=replace", []byte(empty), "Content-Type", kind), 422, "invalid_fields")
			if len(p.Errors) != 1 || p.Errors[0].Path != "items" || p.Errors[0].Message != "the file holds no items" {
				t.Errorf("%s: %+v", format, p.Errors)
			}
		}
		for path, body := range map[string]string{"/datasets": `{"name":"x","items":` + over["json"] + `}`, "/datasets/" + r.mine.dataset + "/items": `{"items":` + over["json"] + `}`} {
			p := r.refused(t, "10,001 items to "+path, r.ask(t, r.mine, "POST", path, []byte(body)), 422, "invalid_fields")
			if len(p.Errors) != 1 || p.Errors[0].Path != "items" || p.Errors[0].Message != "holds 10001 items; at most 10000 are allowed" {
				t.Errorf("%s: %+v", path, p.Errors)
			}
		}
		p := r.refused(t, "no items to add", r.ask(t, r.mine, "POST", "/datasets/"+r.mine.dataset+"/items", []byte(`{"items":[]}`)), 422, "invalid_fields")
		if len(p.Errors) != 1 || p.Errors[0].Path != "items" {
			t.Errorf("%+v", p.Errors)
		}
	})
	for format, kind := range mediaTypes() {
		began := time.Now()
		id := r.made(t, `{"name":"full"}`)
		a := r.ask(t, r.mine, "POST", "/datasets/"+id+"/import", []byte(full[format]), "Content-Type", kind)
		took := time.Since(began)
		if a.status != 200 || took > time.Minute {
			t.Errorf("10,000 items as %s: %d %.300s after %v", format, a.status, a.body, took)
		}
		t.Logf("10,000 items as %s (%d kB) in %v", format, len(full[format])>>10, took.Round(time.Millisecond))
		if format == "csv" {
			r.refused(t, "one more as "+format, r.ask(t, r.mine, "POST", "/datasets/"+id+"/import", []byte(strings.ReplaceAll(small[format], "k0", "more")), "Content-Type", kind), 422, "invalid_fields")
		}
	}
	began := time.Now()
	id := r.made(t, `{"name":"full","items":`+full["json"]+`}`)
	if took := time.Since(began); took > time.Minute {
		t.Errorf("10,000 items inline took %v", took)
	}
	r.refused(t, "one more", r.ask(t, r.mine, "POST", "/datasets/"+id+"/items", []byte(`{"input":{"script":["hang_up"]}}`)), 422, "invalid_fields")

	empty := r.made(t, `{"name":"empty"}`)
	r.untouched(t, func() {
		p := r.refused(t, "a run of an empty dataset", r.ask(t, r.mine, "POST", "/voice-agent/"+r.mine.agent+"/run",
			[]byte(`{"to_number":"+15550123","dataset_id":"`+empty+`"}`)), 422, "invalid_fields")
		if len(p.Errors) != 1 || p.Errors[0].Path != "dataset_id" || p.Errors[0].Message != "has no items to run" {
			t.Errorf("%+v", p.Errors)
		}
	})
}

// made creates a dataset and returns its id.
func (r *rig) made(t *testing.T, body string) string {
	t.Helper()
	a := r.ask(t, r.mine, "POST", "/datasets", []byte(body))
	var d struct{ ID string }
	if err := json.Unmarshal(a.body, &d); err != nil || a.status != http.StatusCreated {
		t.Fatalf("%d %.300s", a.status, a.body)
	}
	return d.ID
}

// Files and items that are built to cost much are refused soon, in few words.
func TestFilesThatAreBuiltToCostMuch(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	steps := strings.Repeat(`{"say":"Hello."},`, 10_000) + `"hang_up"`
	var nested strings.Builder // steps within steps, as far as a body of this size can
	for range 20_000 {
		nested.WriteString(`{"wait_for":{"phrases":["a"],"otherwise":[`)
	}
	var laughs strings.Builder
	laughs.WriteString("a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol, lol]\n")
	for i := range 12 {
		fmt.Fprintf(&laughs, "a%d: &a%d [%s*a%d]\n", i+1, i+1, strings.Repeat(fmt.Sprintf("*a%d, ", i), 9), i)
	}
	files := map[string][2]string{
		"10,000 steps, JSON":         {"json", `[{"input":{"script":[` + steps + `]}}]`},
		"10,000 steps, YAML":         {"yaml", "- input:\n    script:\n" + strings.Repeat("      - say: Hello.\n", 10_000)},
		"an alias bomb":              {"yaml", laughs.String() + "items: *a12\n"},
		"an alias bomb in an item":   {"yaml", strings.Replace(laughs.String(), "a0: ", "name: x\na0: ", 1) + "items:\n  - input: {script: *a12}\n"},
		"an alias of itself":         {"yaml", "- &a\n  input: {script: [*a]}\n"},
		"a list in itself":           {"yaml", "items: &a [*a]\n"},
		"merged for ever":            {"yaml", "- &a\n  <<: *a\n  input: {script: [hang_up]}\n"},
		"100,000 lists, YAML":        {"yaml", strings.Repeat("[", 100_000)},
		"100,000 lists closed, YAML": {"yaml", strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000)},
		"100,000 objects, YAML":      {"yaml", strings.Repeat("{a: ", 100_000)},
		"100,000 dashes, YAML":       {"yaml", strings.Repeat("- ", 100_000) + "x"},
		"100,000 indents, YAML":      {"yaml", indents(2000)},
		"100,000 lists, JSON":        {"json", strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000)},
		"100,000 objects, JSON":      {"json", strings.Repeat(`{"a":`, 100_000) + "1" + strings.Repeat("}", 100_000)},
		"100,000 lists, JSON lines":  {"jsonl", strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000)},
		"steps within steps":         {"json", `[{"input":{"script":[` + nested.String()},
		"a row of 100,000 columns":   {"csv", strings.Repeat("a,", 100_000) + "\n"},
		"one open quote":             {"csv", "key,script\n\"" + strings.Repeat("a\n", 1_000_000)},
		"1,000,000 documents":        {"yaml", strings.Repeat("---\n- a\n", 200_000)},
		"1,000,000 tags":             {"yaml", "- " + strings.Repeat("!!str ", 100_000) + "x\n"},
		"16 MB of wrong values":      {"yaml", "[" + strings.Repeat("1,", 7<<20) + "1]"},
		"16 MB of wrong YAML lines":  {"yaml", strings.Repeat("- 1\n", 4<<20-1)},
		"16 MB of wrong items":       {"json", "[" + strings.Repeat("1,", 7<<20) + "1]"},
		"16 MB of wrong lines":       {"jsonl", strings.Repeat("1\n", 8<<20-1)},
	}
	r.untouched(t, func() {
		for name, f := range files {
			began := time.Now()
			a := r.ask(t, r.mine, "POST", "/datasets/"+r.mine.dataset+"/import?mode=replace", []byte(f[1]), "Content-Type", mediaTypes()[f[0]])
			took := time.Since(began)
			p := r.refused(t, name, a, 422, "invalid_fields")
			plain(t, name, p)
			if took > time.Minute {
				t.Errorf("%s: refused after %v", name, took)
			}
			if len(p.Errors) == 0 {
				t.Errorf("%s: it is not told what is wrong", name)
			}
		}
		item := `{"input":{"script":[` + steps + `]}}`
		for _, to := range [][3]string{
			{"POST", "/datasets/" + r.mine.dataset + "/items", item}, {"POST", "/datasets/" + r.mine.dataset + "/items", `{"items":[` + item + `]}`},
			{"POST", "/datasets", `{"name":"x","items":[` + item + `]}`}, {"PUT", "/datasets/" + r.mine.dataset + "/items/" + r.mine.item, item},
		} {
			p := r.refused(t, "10,000 steps to "+to[1], r.ask(t, r.mine, to[0], to[1], []byte(to[2])), 422, "invalid_fields")
			if len(p.Errors) != 1 || !strings.HasSuffix(p.Errors[0].Path, "input.script") || p.Errors[0].Message != "has more than 500 steps" {
				t.Errorf("%s: %+v", to[1], p.Errors)
			}
		}
	})
}

// indents nests n levels of YAML by spaces.
func indents(n int) string {
	var text strings.Builder
	for i := range n {
		text.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	return text.String()
}
