package storetest

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/ringtrue/ringtrue/internal/bucket"
	"github.com/ringtrue/ringtrue/internal/monitor"
	"github.com/ringtrue/ringtrue/internal/store"
)

func monitorRolls(t *testing.T, b *bench) {
	whole := bucket.Series{}
	agent := bucket.Series{Dim: monitor.DimAgent, Value: "agt_1"}
	model := bucket.Series{Agent: "agt_1", Dim: monitor.DimModel, Value: "m-1"}
	var rolls []bucket.Roll
	for day := range 3 {
		for i, s := range []bucket.Series{whole, agent, model} {
			rolls = append(rolls, bucket.Roll{
				WorkspaceID: ours, Origin: "production", Series: s, Day: 20000 + day,
				Light: []byte{1, byte(day)}, Hours: []byte{3, byte(i)}, Failed: []byte{4},
			})
		}
	}
	b.must(t, func(ctx context.Context, tx *store.Tx) error {
		for _, r := range rolls {
			if err := tx.PutRoll(ctx, r); err != nil {
				return err
			}
		}
		rolls[4].Hours = []byte("again")
		return tx.PutRoll(ctx, rolls[4])
	})
	got := get(t, b, func(ctx context.Context, tx *store.Tx) ([]bucket.Roll, error) {
		return tx.Rolls(ctx, ours, "production", agent, 20000, 20002, monitor.Full)
	})
	bare := func(r bucket.Roll) bucket.Roll {
		r.Failed = nil
		return r
	}
	same(t, "a series", got, []bucket.Roll{bare(rolls[1]), bare(rolls[4])})
	light := get(t, b, func(ctx context.Context, tx *store.Tx) ([]bucket.Roll, error) {
		return tx.RollsByValue(ctx, ours, "production", "agt_1", monitor.DimModel, 20002, 20003)
	})
	want := rolls[8]
	want.Hours, want.Failed = nil, nil
	same(t, "by value", light, []bucket.Roll{want})
	day := get(t, b, func(ctx context.Context, tx *store.Tx) ([]bucket.Roll, error) {
		return tx.RollsOfDay(ctx, ours, "production", 20001)
	})
	slices.SortFunc(day, func(x, y bucket.Roll) int { return strings.Compare(x.Dim, y.Dim) })
	same(t, "rows of a day", day, []bucket.Roll{rolls[3], rolls[4], rolls[5]})
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.DeleteRoll(ctx, rolls[0]) })
	if _, ok := got2(t, b, func(ctx context.Context, tx *store.Tx) (bucket.Roll, bool, error) {
		return tx.RollOf(ctx, ours, "production", whole, 20000)
	}); ok {
		t.Error("a deleted row is there")
	}
	if n := len(get(t, b, func(ctx context.Context, tx *store.Tx) ([]bucket.Roll, error) {
		return tx.Rolls(ctx, theirs, "production", whole, 0, 30000, monitor.Light)
	})); n != 0 {
		t.Errorf("another workspace sees %d rows", n)
	}
}

func monitorWeeks(t *testing.T, b *bench) {
	agent := bucket.Series{Dim: monitor.DimAgent, Value: "agt_1"}
	other := bucket.Series{Dim: monitor.DimAgent, Value: "agt_2"}
	var weeks []bucket.Week
	for week := range 3 {
		for i, s := range []bucket.Series{agent, other} {
			weeks = append(weeks, bucket.Week{
				WorkspaceID: ours, Origin: "production", Series: s, Week: 2900 + week, Whole: []byte{1, byte(week)}, Days: []byte{2, byte(i)}, Failed: []byte{3},
			})
		}
	}
	b.must(t, func(ctx context.Context, tx *store.Tx) error {
		for _, w := range weeks {
			if err := tx.PutWeek(ctx, w); err != nil {
				return err
			}
		}
		weeks[2].Whole, weeks[2].Days = []byte("again"), []byte("too")
		return tx.PutWeek(ctx, weeks[2])
	})
	of := func(week int) (bucket.Week, bool) {
		return got2(t, b, func(ctx context.Context, tx *store.Tx) (bucket.Week, bool, error) {
			return tx.WeekOf(ctx, ours, "production", agent, week)
		})
	}
	if w, ok := of(2901); ok {
		same(t, "a week", w, weeks[2])
	} else {
		t.Error("a week is not there")
	}
	short := func(w bucket.Week) bucket.Week {
		w.Days, w.Failed = nil, nil
		return w
	}
	full := func(w bucket.Week) bucket.Week {
		w.Failed = nil
		return w
	}
	failed := weeks[0]
	failed.Days = nil
	same(t, "a series, with examples", get(t, b, func(ctx context.Context, tx *store.Tx) ([]bucket.Week, error) {
		return tx.Weeks(ctx, ours, "production", agent, 2900, 2901, monitor.WithFailed)
	}), []bucket.Week{failed})
	same(t, "a series", get(t, b, func(ctx context.Context, tx *store.Tx) ([]bucket.Week, error) {
		return tx.Weeks(ctx, ours, "production", agent, 2900, 2902, monitor.WholeWeek)
	}), []bucket.Week{short(weeks[0]), short(weeks[2])})
	byValue := func(days bool) []bucket.Week {
		return get(t, b, func(ctx context.Context, tx *store.Tx) ([]bucket.Week, error) {
			return tx.WeeksByValue(ctx, ours, "production", "", monitor.DimAgent, 2901, 2903, days)
		})
	}
	same(t, "by value, with days", byValue(true), []bucket.Week{full(weeks[2]), full(weeks[4]), full(weeks[3]), full(weeks[5])})
	same(t, "by value", byValue(false), []bucket.Week{short(weeks[2]), short(weeks[4]), short(weeks[3]), short(weeks[5])})
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.DeleteWeek(ctx, weeks[2]) })
	if _, ok := of(2901); ok {
		t.Error("a deleted week is there")
	}
	if n := len(get(t, b, func(ctx context.Context, tx *store.Tx) ([]bucket.Week, error) {
		return tx.Weeks(ctx, theirs, "production", agent, 0, 9999, monitor.WholeWeek)
	})); n != 0 {
		t.Errorf("another workspace sees %d weeks", n)
	}
}
