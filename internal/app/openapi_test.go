package app_test

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/ringtrue/ringtrue/internal/app"
)

func TestOpenAPIDocumentIsUpToDate(t *testing.T) {
	t.Parallel()
	want, err := app.OpenAPI("dev")
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../../docs/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(bytes.TrimSpace(got), bytes.TrimSpace(want)) {
		t.Error("docs/openapi.json does not say what the interface does: run `make generate`")
	}
}

// told is what the document says in words.
type told struct {
	Paths map[string]map[string]struct {
		Parameters []struct {
			Name, Description string
			Required          bool
		}
		Description string
	}
	Components struct {
		Schemas map[string]struct {
			Properties map[string]struct {
				Description string
				Ref         string `json:"$ref"`
				Enum        []any
			}
		}
	}
}

func documentTold(t *testing.T) (d told) {
	t.Helper()
	text, err := app.OpenAPI("dev")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &d); err != nil {
		t.Fatal(err)
	}
	return d
}

// A developer who writes a client reads the document before any page: every field and every
// parameter says what it is. What stands behind a reference may be described there, and a word
// that is always the same says it itself.
func TestDocumentDescribesEveryFieldAndParameter(t *testing.T) {
	t.Parallel()
	d := documentTold(t)
	for path, methods := range d.Paths {
		for method, op := range methods {
			for _, p := range op.Parameters {
				if p.Description == "" {
					t.Errorf("%s %s does not describe its parameter %s", method, path, p.Name)
				}
			}
		}
	}
	for name, schema := range d.Components.Schemas {
		for field, p := range schema.Properties {
			if p.Description == "" && p.Ref == "" && len(p.Enum) != 1 {
				t.Errorf("%s does not describe %s", name, field)
			}
		}
	}
}

// parameters are the names of what an operation takes, with "!" behind what it cannot do without.
func (d told) parameters(method, path string) (names []string) {
	for _, p := range d.Paths[path][method].Parameters {
		if p.Required {
			p.Name += "!"
		}
		names = append(names, p.Name)
	}
	return names
}

func TestDocumentSaysWhatAComparisonCannotDoWithout(t *testing.T) {
	t.Parallel()
	got := documentTold(t).parameters("get", "/voice-experiments/compare")
	if !slices.Contains(got, "base!") || !slices.Contains(got, "with!") {
		t.Errorf("a comparison takes %v", got)
	}
}

// A breakdown takes one dimension, by; the one that narrows other questions is refused with a word about it.
func TestDocumentOffersABreakdownNoOtherDimension(t *testing.T) {
	t.Parallel()
	got := documentTold(t).parameters("get", "/monitoring/breakdown")
	slices.Sort(got)
	if want := []string{"agent_id", "by", "from", "metric", "origin", "until"}; !slices.Equal(got, want) {
		t.Errorf("a breakdown takes %v, want %v", got, want)
	}
}

// Who may ask is decided in one place, and the document says it from there.
func TestDocumentSaysWhoMayAsk(t *testing.T) {
	t.Parallel()
	d := documentTold(t)
	for _, want := range []struct{ method, path, words string }{
		{"post", "/session", "Needs no sign-in."},
		{"post", "/agents", "Takes the role member or higher."},
		{"put", "/prices", "Takes the role admin or higher."},
		{"post", "/session/password", "API keys are refused."},
		{"post", "/invitations", "Takes the role admin or higher. Only for a person"},
	} {
		if got := d.Paths[want.path][want.method].Description; !strings.Contains(got, want.words) {
			t.Errorf("%s %s says %q, not %q", want.method, want.path, got, want.words)
		}
	}
	if got := d.Paths["/agents"]["get"].Description; strings.Contains(got, "role") {
		t.Errorf("to look takes no more than to be signed in, but the document says %q", got)
	}
}
