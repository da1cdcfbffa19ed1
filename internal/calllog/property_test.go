package calllog_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/ringtrue/ringtrue/internal/calllog"
	"github.com/ringtrue/ringtrue/internal/calllog/custom"
	"github.com/ringtrue/ringtrue/internal/calllog/lenient"
	"github.com/ringtrue/ringtrue/internal/calllog/platforma"
	"github.com/ringtrue/ringtrue/internal/calllog/platformb"
	"github.com/ringtrue/ringtrue/internal/calllog/readertest"
	"github.com/ringtrue/ringtrue/internal/problem"
)

// platform is a reader with the places that its payloads depend on: changing one may cost the
// call, because it is then not finished or has no identity.
type platform struct {
	reader calllog.Reader
	folder string
	vital  *regexp.Regexp
	// optOut matches the places that say how much may be kept.
	optOut *regexp.Regexp
}

func platforms() map[string]platform {
	return map[string]platform{
		"platform_a": {
			platforma.Reader(), "platforma/testdata", regexp.MustCompile(`^(json|json\.body|(json\.body\.)?(event|call|data|((call|data)\.)?(call_id|call_status)))$`),
			regexp.MustCompile(`^(call|(call\.)?(opt_out_sensitive_data_storage|data_storage_setting))$`),
		},
		"platform_b": {
			platformb.Reader(), "platformb/testdata", regexp.MustCompile(`^(body|(body\.)?(message|(message\.)?(call|type|id|status|endedReason)|message\.call\.id))$`), nil,
		},
		// A client can correct its own payload, so a mistake in any known field is refused by name.
		"custom": {
			custom.Reader(nil), "custom/testdata",
			regexp.MustCompile(`^(call_id|recording_url|from_number|to_number|start_timestamp|end_timestamp|status|transcript(\.[^*]*)?)$`), nil,
		},
	}
}

// others returns values to put into a field instead of its own.
func others() []any {
	return []any{
		nil, true, false, json.Number("7"), json.Number("-1"), json.Number("1.5e300"), "", "x", strings.Repeat("long words ", 2000), []any{}, []any{nil, "x", []any{}},
		map[string]any{}, map[string]any{"Ada Example": "x", "name": map[string]any{}}, []any{map[string]any{"role": "user", "content": json.Number("5")}},
	}
}

type walker struct {
	others []any
	turn   int
	visit  func(path string)
}

// walk changes the tree at every place in turn and visits it each time. Each place gets a third
// of the others, in rotation.
func (w *walker) walk(value any, path string, set func(any)) {
	visit := w.visit
	for i := range w.others {
		if set == nil || (i+w.turn)%3 != 0 {
			continue
		}
		set(w.others[i])
		visit(path)
		set(value)
	}
	w.turn++
	switch v := value.(type) {
	case map[string]any:
		v["never heard of"] = map[string]any{"a": []any{"Ada Example", json.Number("1")}}
		visit(path + ".*")
		delete(v, "never heard of")
		for _, name := range slices.Sorted(maps.Keys(v)) {
			inner := v[name]
			place := strings.TrimPrefix(path+"."+name, ".")
			delete(v, name)
			visit(place)
			v[name] = inner
			w.walk(inner, place, func(to any) { v[name] = to })
		}
	case []any:
		for i, inner := range v {
			w.walk(inner, path+"["+strconv.Itoa(i)+"]", func(to any) { v[i] = to })
			if i == 1 {
				break // further elements are alike
			}
		}
	}
}

func decode(t *testing.T, text []byte) map[string]any {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var values map[string]any
	if err := decoder.Decode(&values); err != nil {
		t.Fatal(err)
	}
	return values
}

// A payload changed at any single place must not break a reader or lose the call, and no personal
// data may get past an opt-out.
func TestEveryPlaceOfEveryFixture(t *testing.T) {
	t.Parallel()
	for provider, p := range platforms() {
		for name, payload := range readertest.Fixtures(t, p.folder) {
			t.Run(provider+"/"+name, func(t *testing.T) {
				t.Parallel()
				everyPlace(t, p, decode(t, payload))
			})
		}
	}
}

func everyPlace(t *testing.T, p platform, payload map[string]any) {
	t.Helper()
	whole := p.reader(lenient.Of(payload))
	places := 0
	w := walker{others: others()}
	w.visit = func(path string) {
		places++
		o := lenient.Of(payload)
		r := p.reader(o)
		r = r.Under(r.Keep)
		vital := p.vital.MatchString(path)
		if err := o.Err(); err != nil {
			if e := problem.As(err); !vital || e == nil || e.Fields[0].Path == "" || e.Fields[0].Message == "" {
				t.Fatalf("%s: lost: %v", path, err)
			}
			return
		}
		if r.ExternalID == "" || !vital && r.ExternalID != whole.ExternalID {
			t.Fatalf("%s: the call became %q", path, r.ExternalID)
		}
		if r.EndedAt.Before(r.StartedAt) {
			t.Fatalf("%s: it ends %v before it starts", path, r.StartedAt.Sub(r.EndedAt))
		}
		// What a reader returns must be within its limits.
		if places%7 != 0 && whole.Keep == calllog.KeepEverything {
			return
		}
		written, err := json.Marshal(r)
		if err != nil {
			t.Fatalf("%s: cannot be stored: %v", path, err)
		}
		if len(written) > 200<<10 {
			t.Fatalf("%s: the record has %d bytes", path, len(written))
		}
		if whole.Keep != calllog.KeepEverything && !p.optOut.MatchString(path) {
			nobodyIn(t, path, written)
		}
	}
	w.walk(payload, "", nil)
	if places < 10 {
		t.Errorf("only %d changes", places)
	}
}

// nobodyIn fails if a record says anything about the person in the fixtures.
func nobodyIn(t *testing.T, path string, record []byte) {
	t.Helper()
	for _, mark := range []string{"Ada", "5550100", "5550199", "storage.example.com", "ppointment", "calendar", "14:30", "north"} {
		if bytes.Contains(record, []byte(mark)) {
			t.Fatalf("%s: %q is kept: %s", path, mark, record)
		}
	}
}
