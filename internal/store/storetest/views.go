package storetest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/archive"
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/experiment"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/savedview"
	"github.com/ringtrue/ringtrue/internal/store"
)

func callIDs(calls []call.Call) (ids []string) {
	for _, c := range calls {
		ids = append(ids, c.ID)
	}
	return ids
}

func (b *bench) listed(t *testing.T, f archive.Filter) []string {
	t.Helper()
	return callIDs(get(t, b, func(ctx context.Context, tx *store.Tx) ([]call.Call, error) {
		return tx.Calls(ctx, ours, f, 100, archive.Place{})
	}))
}

// callsByEnd: a call is found by whose doing its end was and by the item it played.
func callsByEnd(t *testing.T, b *bench) {
	one, two, foreign := aCall(""), aCall(""), aCall("")
	two.ExternalID, two.ItemID, two.EndReason = "conv_2", "di_other", call.EndOf(call.EndBusy, "")
	foreign.WorkspaceID, foreign.EndReason = theirs, two.EndReason
	b.insert(t, one, two, foreign)
	if got := b.listed(t, archive.Filter{Blame: call.BlameAgent}); !slices.Equal(got, []string{two.ID}) {
		t.Errorf("by blame: %v", got)
	}
	if got := b.listed(t, archive.Filter{ItemID: "di_other", Search: "conv"}); !slices.Equal(got, []string{two.ID}) {
		t.Errorf("by item: %v", got)
	}
}

// callsByMetadata: rare and frequent values are found in different ways, and alike.
func callsByMetadata(t *testing.T, b *bench) {
	const many = 2050
	long := fmt.Sprintf("%0200d", 7)
	calls := make([]call.Call, many)
	for i := range calls {
		calls[i] = aCall("")
		calls[i].Metadata = map[string]any{"plan": "gold", "half": fmt.Sprint(i % 2)}
	}
	calls[3].Metadata["rare"], calls[5].Metadata["rare"], calls[9].Metadata["rare"] = long, long+"x", long
	calls[9].Metadata["plan"] = "silver"
	calls[11].Metadata[noise(5000)] = noise(40_000) // more than an index holds
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.InsertCalls(ctx, calls, nil) })
	for name, c := range map[string]struct {
		metadata map[string]string
		want     []string
	}{
		"rare":          {map[string]string{"rare": long}, []string{calls[9].ID, calls[3].ID}},
		"rare and many": {map[string]string{"rare": long, "plan": "gold"}, []string{calls[3].ID}},
		"none":          {map[string]string{"rare": "7"}, nil},
	} {
		if got := b.listed(t, archive.Filter{Metadata: c.metadata}); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
	if got := b.listed(t, archive.Filter{Metadata: map[string]string{"plan": "gold"}}); len(got) != 100 || !slices.IsSortedFunc(got, func(a, b string) int { return strings.Compare(b, a) }) || slices.Contains(got, calls[9].ID) {
		t.Errorf("many: %d calls", len(got))
	}
	changed := calls[9]
	changed.Metadata = map[string]any{"plan": "silver", "rare": long + "x"}
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.UpdateCall(ctx, changed) })
	for value, want := range map[string][]string{long: {calls[3].ID}, long + "x": {calls[9].ID, calls[5].ID}} {
		if got := b.listed(t, archive.Filter{Metadata: map[string]string{"rare": value}}); !slices.Equal(got, want) {
			t.Errorf("after a change, %s: %v, want %v", value, got, want)
		}
	}
}

// noise is a text that cannot be compressed much.
func noise(n int) string {
	random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // it is no secret
	text := make([]byte, n)
	for i := range text {
		text[i] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+-"[random.IntN(64)]
	}
	return string(text)
}

func foundAndPast(t *testing.T, b *bench) {
	e := anExperiment()
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.InsertExperiment(ctx, e) })
	half := 0.5
	over, never, foreign := aCall(e.ID), aCall(e.ID), aCall("")
	over.Status, over.StartedAt, over.AnsweredAt, over.EndedAt = call.Ended, start, start.Add(time.Second), start.Add(time.Minute)
	never.EndedAt = start.Add(time.Minute)
	foreign.WorkspaceID, foreign.Status, foreign.AnsweredAt, foreign.EndedAt = theirs, over.Status, over.AnsweredAt, over.EndedAt
	b.insert(t, over, never, foreign)
	b.must(t, func(ctx context.Context, tx *store.Tx) error {
		return tx.SaveReview(ctx, call.Review{CallID: over.ID, Scores: []call.Score{{Name: "say:1", Verdict: call.Passed, Value: &half, Evidence: []call.Evidence{{Quote: "x"}}}},
			Metrics: []call.Metric{{Name: "turn_latency", Version: 2, Unit: "s", Value: &half, Spread: &call.Spread{N: 2, Values: []float64{0.4, 0.6}}}}})
	})
	found := get(t, b, func(ctx context.Context, tx *store.Tx) (map[string]experiment.Found, error) {
		return tx.FoundOf(ctx, e.ID)
	})
	f := found[over.ID]
	if len(found) != 1 || len(f.Scores) != 1 || *f.Scores[0].Value != half || f.Scores[0].Verdict != call.Passed || !slices.Equal(f.Metrics[0].Values(), []float64{0.4, 0.6}) {
		t.Errorf("found %+v", found)
	}
	// What was reviewed before its call belonged to an experiment has nothing kept by itself.
	older := aCall(e.ID)
	b.must(t, func(ctx context.Context, tx *store.Tx) error {
		return tx.SaveReview(ctx, call.Review{CallID: older.ID, Scores: []call.Score{{Name: "say:2"}}})
	})
	b.insert(t, older)
	of := func() map[string]experiment.Found {
		return get(t, b, func(ctx context.Context, tx *store.Tx) (map[string]experiment.Found, error) {
			return tx.FoundOf(ctx, e.ID)
		})
	}
	if found := of(); len(found) != 2 || found[older.ID].Scores[0].Name != "say:2" {
		t.Errorf("with an older review: %+v", found)
	}
	b.must(t, func(ctx context.Context, tx *store.Tx) error {
		return tx.SaveReview(ctx, call.Review{CallID: over.ID, Scores: []call.Score{{Name: "say:3"}}})
	})
	if found := of(); found[over.ID].Scores[0].Name != "say:3" {
		t.Errorf("after another review: %+v", found[over.ID])
	}
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.EraseReview(ctx, over.ID, "") })
	if _, left := of()[over.ID]; left {
		t.Error("an erased review is still found")
	}
	canceled := over
	canceled.ID, canceled.Status, canceled.EndedAt = store.NewID("call"), call.Canceled, over.AnsweredAt.Add(time.Second)
	b.insert(t, canceled)
	past := get(t, b, func(ctx context.Context, tx *store.Tx) ([]experiment.PastCall, error) {
		return tx.PastCalls(ctx, ours, "agt_1", 10)
	})
	same(t, "past calls", past, []experiment.PastCall{{ItemID: "di_1", StartedAt: over.StartedAt, AnsweredAt: over.AnsweredAt, EndedAt: over.EndedAt}})
}

func savedViews(t *testing.T, b *bench) {
	view := func(workspace, person, page string, shared bool) savedview.View {
		v := savedview.View{ID: store.NewID("view"), WorkspaceID: workspace, PersonID: person, Page: page, Name: "n", Query: "a=b&c=%20", Shared: shared, CreatedAt: start, UpdatedAt: start}
		b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.InsertView(ctx, v) })
		return v
	}
	byKey, mine, shared, hers, foreign := view(ours, "", "calls", true), view(ours, "per_1", "calls", false), view(ours, "per_2", "trends", true), view(ours, "per_2", "calls", false), view(theirs, "", "calls", true)
	list := func(person, page, cursor string, limit int) []savedview.View {
		return get(t, b, func(ctx context.Context, tx *store.Tx) ([]savedview.View, error) {
			return tx.Views(ctx, ours, person, page, limit, cursor)
		})
	}
	same(t, "a key's", list("", "", "", 9), []savedview.View{shared, byKey})
	same(t, "a person's", list("per_1", "", "", 9), []savedview.View{shared, mine, byKey})
	same(t, "of a page", list("per_2", "calls", "", 9), []savedview.View{hers, byKey})
	same(t, "the second page", list("per_1", "", shared.ID, 1), []savedview.View{mine})
	if n := get(t, b, func(ctx context.Context, tx *store.Tx) (int, error) { return tx.CountViews(ctx, ours, "per_2") }); n != 2 {
		t.Errorf("%d views of one person", n)
	}
	mine.Name, mine.Query, mine.Shared, mine.UpdatedAt = "m", "", true, start.Add(time.Hour)
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.UpdateView(ctx, mine) })
	same(t, "changed", get(t, b, func(ctx context.Context, tx *store.Tx) (savedview.View, error) {
		return tx.ViewByID(ctx, ours, mine.ID)
	}), mine)
	for name, do := range map[string]func(ctx context.Context, tx *store.Tx) error{
		"get": func(ctx context.Context, tx *store.Tx) error {
			_, err := tx.ViewByID(ctx, ours, foreign.ID)
			return err
		},
		"delete": func(ctx context.Context, tx *store.Tx) error { return tx.DeleteView(ctx, ours, foreign.ID) },
		"update": func(ctx context.Context, tx *store.Tx) error {
			v := foreign
			v.WorkspaceID = ours
			return tx.UpdateView(ctx, v)
		},
	} {
		t.Log(name)
		b.refused(t, problem.NotFound, do)
	}
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.DeleteView(ctx, ours, mine.ID) })
	if got := list("per_1", "", "", 9); len(got) != 2 {
		t.Errorf("%d views after one was deleted", len(got))
	}
}

// viewsOfAForgottenPerson: those that others see stay, and are nobody's own.
func viewsOfAForgottenPerson(t *testing.T, b *bench) {
	gone := aPerson("gone@example.com")
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.InsertPerson(ctx, gone) })
	view := func(person string, shared bool) savedview.View {
		v := savedview.View{ID: store.NewID("view"), WorkspaceID: ours, PersonID: person, Page: "calls", Name: "n", Shared: shared, CreatedAt: start, UpdatedAt: start}
		b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.InsertView(ctx, v) })
		return v
	}
	own, shared, others := view(gone.ID, false), view(gone.ID, true), view("per_1", false)
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.DeletePerson(ctx, gone.ID) })
	b.refused(t, problem.NotFound, func(ctx context.Context, tx *store.Tx) error {
		_, err := tx.ViewByID(ctx, ours, own.ID)
		return err
	})
	shared.PersonID = ""
	same(t, "what stays", get(t, b, func(ctx context.Context, tx *store.Tx) ([]savedview.View, error) {
		return tx.Views(ctx, ours, "per_1", "", 9, "")
	}), []savedview.View{others, shared})
}
