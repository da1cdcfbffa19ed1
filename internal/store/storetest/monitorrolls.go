package storetest

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
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
		return tx.Rolls(ctx, seriesWindow(ours, agent, 20000, 20002), monitor.Full)
	})
	bare := func(r bucket.Roll) bucket.Roll {
		r.Failed = nil
		return r
	}
	same(t, "a series", got, []bucket.Roll{bare(rolls[1]), bare(rolls[4])})
	light := get(t, b, func(ctx context.Context, tx *store.Tx) ([]bucket.Roll, error) {
		return tx.RollsByValue(ctx, seriesWindow(ours, bucket.Series{Agent: "agt_1", Dim: monitor.DimModel}, 20002, 20003))
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
		return tx.Rolls(ctx, seriesWindow(theirs, whole, 0, 30000), monitor.Light)
	})); n != 0 {
		t.Errorf("another workspace sees %d rows", n)
	}
}

// weeksWithin are copies of what EachWeekByValue gives.
func weeksWithin(t *testing.T, b *bench, w monitor.WeekWindow) []bucket.Week {
	t.Helper()
	return get(t, b, func(ctx context.Context, tx *store.Tx) (out []bucket.Week, err error) {
		err = tx.EachWeekByValue(ctx, w, func(one *bucket.Week) error {
			kept := *one
			kept.Whole, kept.Days = bytes.Clone(one.Whole), bytes.Clone(one.Days)
			out = append(out, kept)
			return nil
		})
		return out, err
	})
}

// What monitorWindows keeps: so many values of each window, over so many weeks from the first on.
const windowWeek, windowWeeks, windowValues = 2900, 6, 4

// monitorWindows holds the rows of windows against those of each series by itself.
func monitorWindows(t *testing.T, b *bench) {
	r := rand.New(rand.NewPCG(12, 21))
	windows := putWindows(t, b, r)
	given := 0
	for range 60 {
		w := windows[r.IntN(len(windows))]
		w.From = bucket.FirstDay(windowWeek-1) + r.IntN(7*(windowWeeks+2))
		w.Until = w.From + 1 + r.IntN(7*windowWeeks)
		got, want := weeksWithin(t, b, w), weeksOfSeries(t, b, w)
		if !slices.EqualFunc(got, want, equalWeeks) {
			t.Fatalf("%+v: %d rows, and not the %d of its series", w, len(got), len(want))
		}
		given += len(got)
	}
	if given < 300 {
		t.Errorf("%d rows are too few to tell", given)
	}
	monitorWindowEnds(t, b, windows[0])
}

func equalWeeks(x, y bucket.Week) bool {
	same := x.WorkspaceID == y.WorkspaceID && x.Origin == y.Origin && x.Series == y.Series && x.Week == y.Week
	return same && bytes.Equal(x.Whole, y.Whole) && bytes.Equal(x.Days, y.Days) && x.Failed == nil && y.Failed == nil
}

// seriesWindow are days or weeks of production calls.
func seriesWindow(workspaceID string, s bucket.Series, from, until int) monitor.SeriesWindow {
	return monitor.SeriesWindow{WorkspaceID: workspaceID, Origin: "production", Series: s, From: from, Until: until}
}

// allWeeks are the weeks of a series in which there are rows.
func allWeeks(w monitor.WeekWindow, s bucket.Series) monitor.SeriesWindow {
	return monitor.SeriesWindow{WorkspaceID: w.WorkspaceID, Origin: w.Origin, Series: s, From: windowWeek, Until: windowWeek + windowWeeks}
}

// ofWindow is the series of a value of a window.
func ofWindow(w monitor.WeekWindow, value int) bucket.Series {
	return bucket.Series{Agent: w.Agent, Dim: w.Dim, Value: string(rune('a' + value))}
}

// putWindows puts random rows, and returns windows that find some of them.
func putWindows(t *testing.T, b *bench, r *rand.Rand) (windows []monitor.WeekWindow) {
	t.Helper()
	for i := range 16 {
		windows = append(windows, monitor.WeekWindow{
			WorkspaceID: []string{ours, theirs}[i&1], Origin: []string{"production", "simulated"}[i>>1&1],
			Agent: []string{"", "agt_1"}[i>>2&1], Dim: []string{monitor.DimModel, monitor.DimVersion}[i>>3],
		})
	}
	some := func(n int) []byte {
		out := make([]byte, r.IntN(n))
		for i := range out {
			out[i] = byte(r.Uint32())
		}
		return out
	}
	b.must(t, func(ctx context.Context, tx *store.Tx) error {
		var all error
		for _, w := range windows {
			for range windowValues * windowWeeks {
				all = errors.Join(all, tx.PutWeek(ctx, bucket.Week{
					WorkspaceID: w.WorkspaceID, Origin: w.Origin, Series: ofWindow(w, r.IntN(windowValues)), Week: windowWeek + r.IntN(windowWeeks),
					Whole: some(5000), Days: some(9000), Failed: some(50),
				}))
			}
		}
		return all
	})
	return windows
}

// weeksOfSeries is what a window holds, from the rows of one series after the other.
func weeksOfSeries(t *testing.T, b *bench, w monitor.WeekWindow) (out []bucket.Week) {
	t.Helper()
	for value := range windowValues {
		rows := get(t, b, func(ctx context.Context, tx *store.Tx) ([]bucket.Week, error) {
			return tx.Weeks(ctx, allWeeks(w, ofWindow(w, value)), monitor.WithDays)
		})
		for _, row := range rows {
			begin := bucket.FirstDay(row.Week)
			if begin+7 <= w.From || begin >= w.Until {
				continue
			}
			if begin >= w.From && begin+7 <= w.Until {
				row.Days = nil
			}
			out = append(out, row)
		}
	}
	return out
}

// monitorWindowEnds: who takes the rows may stop, and ask on in the same transaction.
func monitorWindowEnds(t *testing.T, b *bench, w monitor.WeekWindow) {
	w.From, w.Until = bucket.FirstDay(windowWeek), bucket.FirstDay(windowWeek+windowWeeks)
	enough := errors.New("enough")
	n := get(t, b, func(ctx context.Context, tx *store.Tx) (n int, err error) {
		if err := tx.EachWeekByValue(ctx, w, func(*bucket.Week) error {
			n++
			return enough
		}); !errors.Is(err, enough) {
			t.Errorf("the end was told as %v", err)
		}
		_, err = tx.Weeks(ctx, allWeeks(w, bucket.Series{}), monitor.WholeWeek)
		return n, err
	})
	same(t, "rows after which it was enough", n, 1)
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
		return tx.Weeks(ctx, seriesWindow(ours, agent, 2900, 2901), monitor.WithFailed)
	}), []bucket.Week{failed})
	same(t, "a series", get(t, b, func(ctx context.Context, tx *store.Tx) ([]bucket.Week, error) {
		return tx.Weeks(ctx, seriesWindow(ours, agent, 2900, 2902), monitor.WholeWeek)
	}), []bucket.Week{short(weeks[0]), short(weeks[2])})
	within := func(from, until int) []bucket.Week {
		return weeksWithin(t, b, monitor.WeekWindow{WorkspaceID: ours, Origin: "production", Dim: monitor.DimAgent, From: from, Until: until})
	}
	monday := bucket.FirstDay(2901)
	same(t, "by value", within(monday, monday+14), []bucket.Week{short(weeks[2]), short(weeks[4]), short(weeks[3]), short(weeks[5])})
	same(t, "by value, with the days of weeks that are cut", within(monday+1, monday+13), []bucket.Week{full(weeks[2]), full(weeks[4]), full(weeks[3]), full(weeks[5])})
	same(t, "by value, the last week cut", within(monday, monday+8), []bucket.Week{short(weeks[2]), full(weeks[4]), short(weeks[3]), full(weeks[5])})
	same(t, "by value, a day", within(monday+3, monday+4), []bucket.Week{full(weeks[2]), full(weeks[3])})
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.DeleteWeek(ctx, weeks[2]) })
	if _, ok := of(2901); ok {
		t.Error("a deleted week is there")
	}
	if n := len(get(t, b, func(ctx context.Context, tx *store.Tx) ([]bucket.Week, error) {
		return tx.Weeks(ctx, seriesWindow(theirs, agent, 0, 9999), monitor.WholeWeek)
	})); n != 0 {
		t.Errorf("another workspace sees %d weeks", n)
	}
}
