package storetest

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/scenario"
	"github.com/ringtrue/ringtrue/internal/score"
	"github.com/ringtrue/ringtrue/internal/store"
)

func versions(t *testing.T, b *bench) {
	prompt := func(ctx context.Context, tx *store.Tx, ref string) int {
		p, err := tx.PromptByRef(ctx, ours, ref)
		if err != nil && !problem.Is(err, problem.NotFound) {
			t.Error(err)
		}
		return p.Version
	}
	for v := 1; v <= 3; v++ {
		p := scenario.Prompt{ID: store.NewID("pr"), WorkspaceID: ours, Slug: "angry", Version: v, Text: fmt.Sprint("v", v), CreatedAt: start}
		if v == 2 {
			p.Labels = []string{"live", "best"}
		}
		b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.InsertPrompt(ctx, p) })
		b.refused(t, problem.Conflict, func(ctx context.Context, tx *store.Tx) error {
			p.ID = store.NewID("pr")
			return tx.InsertPrompt(ctx, p)
		})
	}
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.LabelPrompt(ctx, ours, "angry", "live", 1) })
	b.refused(t, problem.NotFound, func(ctx context.Context, tx *store.Tx) error { return tx.LabelPrompt(ctx, ours, "angry", "live", 9) })
	b.refused(t, problem.NotFound, func(ctx context.Context, tx *store.Tx) error { return tx.LabelPrompt(ctx, theirs, "angry", "live", 1) })
	got := get(t, b, func(ctx context.Context, tx *store.Tx) ([]int, error) {
		var found []int
		for _, ref := range []string{"angry", "angry@live", "angry@best", "angry@3", "angry@4", "angry@none", "other", "angry@"} {
			found = append(found, prompt(ctx, tx, ref))
		}
		return found, nil
	})
	same(t, "versions by reference", got, []int{3, 1, 2, 3, 0, 0, 0, 0})
	b.refused(t, problem.NotFound, func(ctx context.Context, tx *store.Tx) error {
		_, err := tx.PromptByRef(ctx, theirs, "angry")
		return err
	})
	all := get(t, b, func(ctx context.Context, tx *store.Tx) ([]scenario.Prompt, error) {
		return tx.PromptVersions(ctx, ours, "angry")
	})
	if len(all) != 3 || all[0].Version != 3 || all[2].Version != 1 {
		t.Fatalf("versions: %+v", all)
	}
	same(t, "labels", [][]string{all[0].Labels, all[1].Labels, all[2].Labels}, [][]string{nil, {"best"}, {"live"}})
	scorerPages(t, b)
}

func scorerPages(t *testing.T, b *bench) {
	for _, slug := range []string{"b", "a", "c"} {
		for v := 1; v <= 2; v++ {
			s := score.Config{
				ID: store.NewID("sc"), WorkspaceID: ours, Slug: slug, Name: slug, Kind: "say", Version: v, Optional: v == 2,
				Params: json.RawMessage(`{"phrases": [1.50]}`), Labels: []string{"live"}, CreatedAt: start,
			}
			b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.InsertScorer(ctx, s) })
			same(t, "scorer", get(t, b, func(ctx context.Context, tx *store.Tx) (score.Config, error) {
				return tx.ScorerByRef(ctx, ours, slug+"@live")
			}), s)
		}
	}
	page := func(cursor string) (slugs []string) {
		for _, s := range get(t, b, func(ctx context.Context, tx *store.Tx) ([]score.Config, error) {
			return tx.Scorers(ctx, ours, 2, cursor)
		}) {
			slugs = append(slugs, fmt.Sprint(s.Slug, s.Version, s.Labels))
		}
		return slugs
	}
	same(t, "first page", page(""), []string{"a2 [live]", "b2 [live]"})
	same(t, "second page", page("b"), []string{"c2 [live]"})
	if n := len(get(t, b, func(ctx context.Context, tx *store.Tx) ([]score.Config, error) { return tx.Scorers(ctx, theirs, 9, "") })); n != 0 {
		t.Errorf("another workspace sees %d scorers", n)
	}
}
