package api_test

import (
	"testing"

	"github.com/ringtrue/ringtrue/internal/api"
)

func TestCheckItemsStoresNothing(t *testing.T) {
	t.Parallel()
	r := newResources(t)
	kind := func(name string) map[string]string { return map[string]string{"Content-Type": name} }
	twice := `{"key":"a","input":{"goal":"x"}}` + "\n" + `{"key":"a","input":{"goal":"y"}}`
	r.all([]exchange{
		{name: "good", method: "POST", path: "/datasets/check", body: "[" + saysHello + "]", status: 200, has: []string{`"item_count":1`, `"problems":[]`, `"input":{`}},
		{name: "csv", method: "POST", path: "/datasets/check?format=csv", body: "key,goal\na,Book\nb,Move\n", status: 200, has: []string{`"item_count":2`, `"goal":"Move"`}},
		{name: "all problems", method: "POST", path: "/datasets/check", header: kind("application/yaml"), body: "- input:\n    gaol: x\n- input: {}\n", status: 200, has: []string{`"item_count":0`, `"items":[]`, `"path":"items[0].input.gaol","line":2`, `"suggestion":"goal"`, `"path":"items[1]`}},
		{name: "keys given twice", method: "POST", path: "/datasets/check?format=jsonl", body: twice, status: 200, has: []string{`"path":"items[1].key"`}},
		{name: "no kind", method: "POST", path: "/datasets/check", body: "x", header: kind("text/plain"), status: 415, code: "unsupported_media_type"},
		{name: "nothing stored", method: "GET", path: "/datasets", status: 200, has: []string{`"data":[]`}},
	})
}

func TestScorerKindsCanBeBuiltFrom(t *testing.T) {
	t.Parallel()
	r := newResources(t)
	var kinds api.ScorerKinds
	r.make("GET", "/scorer-kinds", "", &kinds)
	if len(kinds.Data) < 10 {
		t.Fatalf("%d kinds", len(kinds.Data))
	}
	for _, k := range kinds.Data {
		if k.Summary == "" || len(k.Params) == 0 {
			t.Errorf("%s says nothing of itself", k.Kind)
		}
	}
}
