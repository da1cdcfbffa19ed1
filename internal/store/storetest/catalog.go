package storetest

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/catalog"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/scenario"
	"github.com/ringtrue/ringtrue/internal/store"
)

// Two tenants; what is of one must be missing for the other.
const (
	ours   = "ws_ours"
	theirs = "ws_theirs"
)

func anAgent(source string) scenario.Agent {
	return scenario.Agent{
		ID: store.NewID("agt"), WorkspaceID: ours, Name: "Front desk", SourceID: source,
		Defaults:  scenario.TestDefaults{Trunk: "carrier", Scorers: []string{"polite@live"}, CallsPerSecond: 0.5},
		CreatedAt: start, UpdatedAt: start,
	}
}

func agents(t *testing.T, b *bench) {
	a, other := anAgent("desk-1"), anAgent("")
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.InsertAgent(ctx, a) })
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.InsertAgent(ctx, other) })
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.InsertAgent(ctx, anAgent("")) })
	byID := func(workspaceID string) func(context.Context, *store.Tx) error {
		return func(ctx context.Context, tx *store.Tx) error {
			_, err := tx.AgentByID(ctx, workspaceID, a.ID)
			return err
		}
	}
	same(t, "agent", get(t, b, func(ctx context.Context, tx *store.Tx) (scenario.Agent, error) { return tx.AgentByID(ctx, ours, a.ID) }), a)
	b.refused(t, problem.NotFound, byID(theirs))
	b.refused(t, problem.Conflict, func(ctx context.Context, tx *store.Tx) error { return tx.InsertAgent(ctx, anAgent("desk-1")) })

	a.Name, a.UpdatedAt = "Back desk", start.Add(time.Hour)
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.UpdateAgent(ctx, a) })
	stolen := a
	stolen.WorkspaceID = theirs
	b.refused(t, problem.NotFound, func(ctx context.Context, tx *store.Tx) error { return tx.UpdateAgent(ctx, stolen) })
	other.SourceID = "desk-1"
	b.refused(t, problem.Conflict, func(ctx context.Context, tx *store.Tx) error { return tx.UpdateAgent(ctx, other) })
	bySource := func(workspaceID, source string) bool {
		return get(t, b, func(ctx context.Context, tx *store.Tx) (bool, error) {
			found, ok, err := tx.AgentBySourceID(ctx, workspaceID, source)
			if ok {
				same(t, "agent by source", found, a)
			}
			return ok, err
		})
	}
	if !bySource(ours, "desk-1") || bySource(theirs, "desk-1") || bySource(ours, "") {
		t.Error("agents are found by the wrong source ids")
	}
	b.refused(t, problem.NotFound, func(ctx context.Context, tx *store.Tx) error { return tx.DeleteAgent(ctx, theirs, a.ID, start) })
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.DeleteAgent(ctx, ours, a.ID, start) })
	b.refused(t, problem.NotFound, byID(ours))
	if bySource(ours, "desk-1") {
		t.Error("a deleted agent is found by its source id")
	}
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.InsertAgent(ctx, anAgent("desk-1")) })
	list := get(t, b, func(ctx context.Context, tx *store.Tx) ([]scenario.Agent, error) { return tx.Agents(ctx, ours, 10, "") })
	if len(list) != 3 {
		t.Errorf("%d agents, want the three that are not deleted", len(list))
	}
}

func datasets(t *testing.T, b *bench) {
	var ids []string
	for range 5 {
		d := scenario.Dataset{ID: store.NewID("ds"), WorkspaceID: ours, Name: "Bookings", Version: 1, CreatedAt: start, UpdatedAt: start}
		ids = append([]string{d.ID}, ids...)
		b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.InsertDataset(ctx, d) })
		time.Sleep(2 * time.Millisecond) // ids of one millisecond have no order
	}
	var seen []string
	for cursor := ""; ; cursor = seen[len(seen)-1] {
		page := get(t, b, func(ctx context.Context, tx *store.Tx) ([]scenario.Dataset, error) {
			return tx.Datasets(ctx, ours, 2, cursor)
		})
		for _, d := range page {
			seen = append(seen, d.ID)
		}
		if len(page) < 2 {
			break
		}
	}
	same(t, "pages, newest first", seen, ids)
	b.must(t, func(ctx context.Context, tx *store.Tx) error {
		d, err := tx.LockDataset(ctx, ours, ids[0])
		if err != nil {
			return err
		}
		d.Version, d.Items, d.Description = 2, 7, "moved"
		if err := tx.UpdateDataset(ctx, d); err != nil {
			return err
		}
		return tx.InsertVersion(ctx, d.ID, catalog.Version{Version: 2, Items: 7, CreatedAt: start})
	})
	d := get(t, b, func(ctx context.Context, tx *store.Tx) (scenario.Dataset, error) {
		return tx.DatasetByID(ctx, ours, ids[0])
	})
	if d.Version != 2 || d.Items != 7 || d.Description != "moved" || !d.CreatedAt.Equal(start) {
		t.Errorf("updated dataset: %+v", d)
	}
	same(t, "versions", get(t, b, func(ctx context.Context, tx *store.Tx) ([]catalog.Version, error) {
		return tx.DatasetVersions(ctx, d.ID)
	}),
		[]catalog.Version{{Version: 2, Items: 7, CreatedAt: start}})
	for name, f := range map[string]func(context.Context, *store.Tx) error{
		"get":    func(ctx context.Context, tx *store.Tx) error { _, err := tx.DatasetByID(ctx, theirs, d.ID); return err },
		"lock":   func(ctx context.Context, tx *store.Tx) error { _, err := tx.LockDataset(ctx, theirs, d.ID); return err },
		"delete": func(ctx context.Context, tx *store.Tx) error { return tx.DeleteDataset(ctx, theirs, d.ID, start) },
	} {
		t.Run(name, func(t *testing.T) { b.refused(t, problem.NotFound, f) })
	}
}

func anItem(key string) scenario.Item {
	return scenario.Item{
		ID: store.NewID("di"), Key: key,
		Input:  scenario.Input{Goal: "book", Facts: map[string]string{"name": "Zoë"}, Script: []scenario.Step{{Say: "Hello"}}},
		Output: scenario.Output{Say: []string{"booked"}},
	}
}

func itemVersions(t *testing.T, b *bench) {
	d := scenario.Dataset{ID: store.NewID("ds"), WorkspaceID: ours, CreatedAt: start, UpdatedAt: start}
	first, second, third := anItem("1"), anItem("2"), anItem("3")
	changed := second
	changed.Input.Goal = "cancel"
	again := second
	again.Input.Goal = "move"
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.InsertDataset(ctx, d) })
	b.must(t, func(ctx context.Context, tx *store.Tx) error {
		return tx.InsertItems(ctx, d.ID, 1, []scenario.Item{first, second})
	})
	b.must(t, func(ctx context.Context, tx *store.Tx) error {
		return tx.InsertItems(ctx, d.ID, 2, []scenario.Item{third})
	})
	b.must(t, func(ctx context.Context, tx *store.Tx) error {
		if err := tx.ReplaceItem(ctx, d.ID, 3, again); err != nil {
			return err
		}
		return tx.ReplaceItem(ctx, d.ID, 3, changed) // twice within one version
	})
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.EndItems(ctx, d.ID, 4, []string{first.ID}) })
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.EndItems(ctx, d.ID, 5, nil) })
	for version, want := range [][]scenario.Item{
		nil, {first, second}, {first, second, third}, {first, changed, third}, {changed, third}, nil,
	} {
		got := get(t, b, func(ctx context.Context, tx *store.Tx) ([]scenario.Item, error) {
			return tx.ItemsOf(ctx, d.ID, version, 100)
		})
		same(t, fmt.Sprintf("version %d", version), got, want)
	}
	old := get(t, b, func(ctx context.Context, tx *store.Tx) (scenario.Item, error) {
		return tx.ItemByID(ctx, d.ID, second.ID, 2)
	})
	same(t, "item as of version 2", old, second)
	for _, f := range []func(context.Context, *store.Tx) error{
		func(ctx context.Context, tx *store.Tx) error {
			_, err := tx.ItemByID(ctx, d.ID, first.ID, 4)
			return err
		},
		func(ctx context.Context, tx *store.Tx) error { return tx.EndItems(ctx, d.ID, 6, []string{first.ID}) },
		func(ctx context.Context, tx *store.Tx) error { return tx.ReplaceItem(ctx, d.ID, 6, first) },
	} {
		b.refused(t, problem.NotFound, f)
	}
}

func itemPage(t *testing.T, b *bench) {
	d := scenario.Dataset{ID: store.NewID("ds"), WorkspaceID: ours, CreatedAt: start, UpdatedAt: start}
	var items []scenario.Item
	for i := range 300 { // more than one INSERT holds
		items = append(items, anItem(fmt.Sprint(i)))
	}
	b.must(t, func(ctx context.Context, tx *store.Tx) error {
		if err := tx.InsertDataset(ctx, d); err != nil {
			return err
		}
		return tx.InsertItems(ctx, d.ID, 1, items)
	})
	same(t, "all pages", pagesOf(t, b, d.ID, 1, 300), items)
	backwards := slices.Clone(items)
	slices.Reverse(backwards)
	b.must(t, func(ctx context.Context, tx *store.Tx) error { // as an import that replaces does it
		if err := tx.EndItems(ctx, d.ID, 2, nil); err != nil {
			return err
		}
		return tx.InsertItems(ctx, d.ID, 2, backwards)
	})
	b.must(t, func(ctx context.Context, tx *store.Tx) error {
		return tx.EndItems(ctx, d.ID, 3, []string{backwards[99].ID})
	})
	same(t, "all pages of the items in another order", pagesOf(t, b, d.ID, 2, 300), backwards)
	same(t, "all pages of the version before", pagesOf(t, b, d.ID, 1, 300), items)
	next := get(t, b, func(ctx context.Context, tx *store.Tx) ([]scenario.Item, error) {
		return tx.ItemPage(ctx, d.ID, 3, 100, backwards[99].ID)
	})
	same(t, "the page after an item that was taken out meanwhile", next, backwards[100:200])
}

// pagesOf reads the version's items in pages of a hundred, and no more than there are.
func pagesOf(t *testing.T, b *bench, datasetID string, version, count int) (seen []scenario.Item) {
	t.Helper()
	for cursor := ""; len(seen) < count; cursor = seen[len(seen)-1].ID {
		page := get(t, b, func(ctx context.Context, tx *store.Tx) ([]scenario.Item, error) {
			return tx.ItemPage(ctx, datasetID, version, 100, cursor)
		})
		if len(page) == 0 {
			break
		}
		seen = append(seen, page...)
	}
	return seen
}
