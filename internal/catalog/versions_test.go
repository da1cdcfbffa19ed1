package catalog

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/ringtrue/ringtrue/internal/problem"
)

func TestPromptVersionsAndLabels(t *testing.T) {
	t.Parallel()
	s, _ := setup(t)
	one := must(s.CreatePrompt(t.Context(), "ws_a", PromptInput{Slug: "caller", Text: "one", Labels: []string{"prod"}}))(t)
	two := must(s.CreatePrompt(t.Context(), "ws_a", PromptInput{Slug: "caller", Text: "two"}))(t)
	must(s.CreatePrompt(t.Context(), "ws_b", PromptInput{Slug: "caller", Text: "foreign", Labels: []string{"prod"}}))(t)
	if one.Version != 1 || two.Version != 2 {
		t.Fatalf("%+v %+v", one, two)
	}
	for at, want := range map[string]string{"": "two", "prod": "one", "1": "one", "2": "two"} {
		if p := must(s.Prompt(t.Context(), "ws_a", "caller", at))(t); p.Text != want {
			t.Errorf("at %q: %+v", at, p)
		}
	}
	p := must(s.LabelPrompt(t.Context(), "ws_a", "caller", "prod", 2))(t)
	if p.Version != 2 || !reflect.DeepEqual(p.Labels, []string{"prod"}) {
		t.Fatalf("%+v", p)
	}
	versions := must(s.PromptVersions(t.Context(), "ws_a", "caller"))(t)
	if len(versions) != 2 || versions[0].Text != "two" || len(versions[1].Labels) != 0 {
		t.Fatalf("the label stands at two versions: %+v", versions)
	}
	for _, at := range []string{"3", "nightly", "0", "-1", "a b", "@"} {
		if _, err := s.Prompt(t.Context(), "ws_a", "caller", at); !problem.Is(err, problem.NotFound) {
			t.Errorf("at %q: %v", at, err)
		}
	}
	if _, err := s.Prompt(t.Context(), "ws_a", "Caller!", ""); err == nil || !strings.Contains(err.Error(), `there is no prompt "Caller!"`) {
		t.Errorf("what cannot be a slug: %v", err)
	}
	if _, err := s.LabelPrompt(t.Context(), "ws_a", "caller", "prod", 7); !problem.Is(err, problem.NotFound) {
		t.Errorf("no such version: %v", err)
	}
	if _, err := s.LabelPrompt(t.Context(), "ws_a", "caller", "3", 1); !reflect.DeepEqual(paths(t, err), []string{"label"}) {
		t.Errorf("a label that looks like a version: %v", err)
	}
	if _, err := s.PromptVersions(t.Context(), "ws_c", "caller"); !problem.Is(err, problem.NotFound) {
		t.Errorf("another workspace: %v", err)
	}
	_, err := s.CreatePrompt(t.Context(), "ws_a", PromptInput{Slug: "Caller!", Labels: []string{"ok", "9"}})
	if got := paths(t, err); len(got) < 2 || got[0] != "slug" || got[len(got)-1] != "labels[1]" {
		t.Errorf("%v", got)
	}
}

// Databases that let several write at once tell all but one of those who make the same
// version that it is there; they get the ones behind it.
func TestWhoeverIsOvertakenGetsTheVersionBehind(t *testing.T) {
	t.Parallel()
	s, f := setup(t)
	others := 3
	overtaken := func() error {
		if others--; others < 0 {
			return nil
		}
		return problem.New(problem.Conflict, "this exists already")
	}
	f.prompts.overtaken = overtaken
	if p := must(s.CreatePrompt(t.Context(), "ws_a", PromptInput{Slug: "caller", Text: "x", Labels: []string{"prod"}}))(t); p.Version != 1 || p.Labels[0] != "prod" {
		t.Errorf("%+v", p)
	}
	others, f.scorers.overtaken = 3, overtaken
	if c := must(s.CreateScorer(t.Context(), "ws_a", ScorerInput{Slug: "polite", Kind: "say", Params: json.RawMessage(`{"phrase":"x"}`)}))(t); c.Version != 1 {
		t.Errorf("%+v", c)
	}
	used := errors.New("the idempotency key has been used")
	f.prompts.overtaken = func() error { return used }
	if _, err := s.CreatePrompt(t.Context(), "ws_a", PromptInput{Slug: "caller", Text: "x"}); !errors.Is(err, used) {
		t.Errorf("not a conflict: %v", err)
	}
	f.prompts.overtaken = func() error { return problem.New(problem.Conflict, "this exists already") }
	if _, err := s.CreatePrompt(t.Context(), "ws_a", PromptInput{Slug: "caller", Text: "x"}); !problem.Is(err, problem.Conflict) {
		t.Errorf("never without a conflict: %v", err)
	}
}

func TestPromptsPageBySlug(t *testing.T) {
	t.Parallel()
	s, _ := setup(t)
	for _, slug := range []string{"c", "a", "b", "a"} {
		must(s.CreatePrompt(t.Context(), "ws_a", PromptInput{Slug: slug, Text: "x"}))(t)
	}
	page, next, err := s.Prompts(t.Context(), "ws_a", 2, "")
	if err != nil || len(page) != 2 || page[0].Slug != "a" || page[0].Version != 2 || next != "b" {
		t.Fatalf("%+v %q %v", page, next, err)
	}
	page, next, err = s.Prompts(t.Context(), "ws_a", 2, next)
	if err != nil || len(page) != 1 || page[0].Slug != "c" || next != "" {
		t.Fatalf("%+v %q %v", page, next, err)
	}
	if _, _, err := s.Prompts(t.Context(), "ws_a", 2, "not a slug"); !reflect.DeepEqual(paths(t, err), []string{"cursor"}) {
		t.Error(err)
	}
}

func TestScorersAreCheckedAndVersioned(t *testing.T) {
	t.Parallel()
	s, f := setup(t)
	one := must(s.CreateScorer(t.Context(), "ws_a", ScorerInput{
		Slug: "greets", Kind: "say", Params: json.RawMessage(`{"any":["hello"]}`), Labels: []string{"prod"},
	}))(t)
	if one.Version != 1 || one.Name != "greets" || !reflect.DeepEqual(one.Labels, []string{"prod"}) {
		t.Fatalf("%+v", one)
	}
	two := must(s.CreateScorer(t.Context(), "ws_a", ScorerInput{Slug: "greets", Name: "Greets", Kind: "say", Optional: true}))(t)
	if two.Version != 2 || !two.Optional {
		t.Fatalf("%+v", two)
	}
	if c := must(s.Scorer(t.Context(), "ws_a", "greets", "prod"))(t); c.Version != 1 || string(c.Params) != `{"any":["hello"]}` {
		t.Fatalf("%+v", c)
	}
	c := must(s.LabelScorer(t.Context(), "ws_a", "greets", "prod", 2))(t)
	if c.Version != 2 || !reflect.DeepEqual(c.Labels, []string{"prod"}) {
		t.Fatalf("%+v", c)
	}
	if all := must(s.ScorerVersions(t.Context(), "ws_a", "greets"))(t); len(all) != 2 || all[0].Version != 2 {
		t.Fatalf("%+v", all)
	}
	page, next, err := s.Scorers(t.Context(), "ws_a", 1, "")
	if err != nil || len(page) != 1 || page[0].Version != 2 || next != "" {
		t.Fatalf("%+v %q %v", page, next, err)
	}
	_, err = s.CreateScorer(t.Context(), "ws_a", ScorerInput{Slug: "", Kind: "bad"})
	if got := paths(t, err); !reflect.DeepEqual(got, []string{"slug", "params.words"}) {
		t.Errorf("%v", got)
	}
	for _, unseen := range []string{" ", "\u200b", "\u202e\ufeff"} {
		_, err = s.CreateScorer(t.Context(), "ws_a", ScorerInput{Slug: "unseen", Name: unseen, Kind: "say"})
		if got := paths(t, err); !reflect.DeepEqual(got, []string{"name"}) {
			t.Errorf("a name of which nothing can be seen, %q: %v", unseen, got)
		}
	}
	if len(f.scorers.rows) != 2 {
		t.Error("a refused scorer was stored")
	}
	if _, err := s.Scorer(t.Context(), "ws_b", "greets", ""); !problem.Is(err, problem.NotFound) {
		t.Errorf("another workspace: %v", err)
	}
	if _, err := s.LabelScorer(t.Context(), "ws_b", "greets", "prod", 1); !problem.Is(err, problem.NotFound) {
		t.Errorf("another workspace: %v", err)
	}
}
