package storetest

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/bucket"
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/monitor"
	"github.com/ringtrue/ringtrue/internal/store"
)

func monitorReports(t *testing.T, b *bench) {
	agent := bucket.Series{Dim: monitor.DimAgent, Value: "agt_1"}
	hour := start.Truncate(time.Hour)
	b.must(t, func(ctx context.Context, tx *store.Tx) error {
		for _, s := range []bucket.Series{{}, agent, {Agent: "agt_1", Dim: monitor.DimModel, Value: "m"}, {Dim: monitor.DimModel, Value: "m"}} {
			r := bucket.Roll{WorkspaceID: ours, Origin: "production", Series: s, Day: 20000, Light: []byte{1}, Hours: []byte{1}, Failed: []byte{}}
			if err := tx.PutRoll(ctx, r); err != nil {
				return err
			}
		}
		return nil
	})
	old := func(since int, until, before time.Time) []monitor.StoredReport {
		return get(t, b, func(ctx context.Context, tx *store.Tx) ([]monitor.StoredReport, error) {
			return tx.OldReports(ctx, "production", since, until, before, 10)
		})
	}
	due := old(20000, hour, hour)
	value := bucket.Series{Dim: monitor.DimModel, Value: "m"}
	if len(due) != 3 || due[0].Series != (bucket.Series{}) || due[1].Series != agent || due[2].Series != value || len(old(20001, hour, hour)) != 0 {
		t.Fatalf("due: %+v", due)
	}
	take := func(before, now time.Time) (ok bool) {
		b.must(t, func(ctx context.Context, tx *store.Tx) (err error) {
			ok, err = tx.TakeReport(ctx, due[1], before, now)
			return err
		})
		return ok
	}
	if !take(hour, hour.Add(time.Second)) || take(hour, hour.Add(2*time.Second)) || !take(hour.Add(time.Minute), hour.Add(time.Minute)) {
		t.Error("a report is taken twice, or never again")
	}
	if left := old(20000, hour, hour); len(left) != 2 {
		t.Errorf("a report that was taken is due: %+v", left)
	}
	done := due[1]
	done.Until, done.TakenAt, done.Found, done.Bands = hour, hour.Add(time.Minute), []byte(`{"verdict":"ok"}`), []byte{7}
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.PutReport(ctx, done, hour.Add(time.Minute)) })
	got, ok := got2(t, b, func(ctx context.Context, tx *store.Tx) (monitor.StoredReport, bool, error) {
		return tx.ReportOf(ctx, ours, "production", agent)
	})
	if !ok {
		t.Fatal("a report is not there")
	}
	same(t, "report", got, done)
	if due := old(20000, hour, hour.Add(time.Hour)); len(due) != 2 {
		t.Errorf("a report that was made is due: %+v", due)
	}
	back := hour.Add(-time.Hour)
	if due := old(20000, back, back); len(due) != 3 {
		t.Errorf("a report that reaches into the future is not due: %+v", due)
	}
	if !take(back, back) {
		t.Error("a report that was taken in the future is not taken")
	}
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.PutReport(ctx, done, back) })
	for _, at := range []time.Time{hour, hour.Add(-2 * time.Hour), hour.Add(-time.Hour)} {
		b.must(t, func(ctx context.Context, tx *store.Tx) error {
			return tx.RedoReports(ctx, ours, "production", at, []bucket.Series{{}, agent, {Dim: monitor.DimModel, Value: "agt_1"}})
		})
	}
	list := get(t, b, func(ctx context.Context, tx *store.Tx) ([]monitor.StoredReport, error) {
		return tx.Reports(ctx, ours, "production")
	})
	for i := range list { // nothing comes back from one database as an empty slice and from the other as none
		if len(list[i].Found) == 0 {
			list[i].Found = nil
		}
	}
	done.Redo, done.Bands = hour.Add(-2*time.Hour), nil
	none := monitor.StoredReport{WorkspaceID: ours, Origin: "production", Redo: done.Redo}
	other := none
	other.Series = bucket.Series{Dim: monitor.DimModel, Value: "agt_1"}
	same(t, "to be redone from the first hour that changed", list, []monitor.StoredReport{none, done, other})
	if due := old(20000, hour, hour.Add(time.Hour)); len(due) != 4 {
		t.Errorf("a report to be redone is not due: %+v", due)
	}
	if due := old(20000, hour.Add(time.Hour), hour.Add(time.Hour)); due[len(due)-1].Series != agent {
		t.Errorf("the report that was taken last is not due last: %+v", due)
	}
	n := get(t, b, func(ctx context.Context, tx *store.Tx) (map[string]int, error) {
		return tx.CountReports(ctx, ours, "production")
	})
	same(t, "reports by dimension", n, map[string]int{"": 1, monitor.DimAgent: 1, monitor.DimModel: 1})
	if due := old(20001, hour, hour.Add(time.Hour)); len(due) != 3 || due[1].Redo != done.Redo {
		t.Errorf("a report of calls of long ago is not redone: %+v", due)
	}
}

// changedReports: what changes while a series is looked at is looked at again, also where it was to be
// redone from the same hour on anyhow, and whoever finds it taken again has nothing to say.
func changedReports(t *testing.T, b *bench) {
	hour := start.Truncate(time.Hour)
	r := monitor.StoredReport{WorkspaceID: ours, Origin: "production"}
	take := func(at time.Time) {
		b.must(t, func(ctx context.Context, tx *store.Tx) error {
			if ok, err := tx.TakeReport(ctx, r, at, at); err != nil || !ok {
				t.Errorf("not taken: %v", err)
			}
			return nil
		})
	}
	change := func(at time.Time) {
		b.must(t, func(ctx context.Context, tx *store.Tx) error {
			return tx.RedoReports(ctx, ours, "production", at, []bucket.Series{{}})
		})
	}
	put := func(until, rest, taken time.Time) monitor.StoredReport {
		done := r
		done.Until, done.Redo, done.TakenAt = until, rest, taken
		b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.PutReport(ctx, done, taken) })
		got, _ := got2(t, b, func(ctx context.Context, tx *store.Tx) (monitor.StoredReport, bool, error) {
			return tx.ReportOf(ctx, ours, "production", bucket.Series{})
		})
		return got
	}
	first, second, third := hour, hour.Add(time.Minute), hour.Add(time.Hour)
	ago := func(hours int) time.Time { return hour.Add(-time.Duration(hours) * time.Hour) }
	take(first)
	same(t, "nothing has changed", put(hour, time.Time{}, first).Redo, time.Time{})
	change(ago(9))
	take(second)
	for _, n := range []int{7, 9, 8} {
		change(ago(n))
	}
	same(t, "from the first hour on that changed again", put(hour, ago(4), second).Redo, ago(9))
	take(third)
	change(ago(3))
	same(t, "by one whose series was taken again", put(ago(50), ago(60), second).Until, hour)
	same(t, "where the look has to go on before what changed", put(hour, ago(4), third).Redo, ago(4))
}

func monitorTexts(t *testing.T, b *bench) {
	said := aFact(0)
	said.Failure, said.Act = "f", "your name please"
	b.must(t, func(ctx context.Context, tx *store.Tx) error {
		if err := tx.PutFact(ctx, said); err != nil {
			return err
		}
		return tx.PutTexts(ctx, ours, []monitor.Value{{Kind: monitor.KindAct, ID: 1, Text: said.Act}, {Kind: monitor.KindFailure, ID: 1, Text: "f", Detail: "more"}})
	})
	forget := func() []monitor.Value {
		b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.ForgetText(ctx, ours, said.Act, "f") })
		return get(t, b, func(ctx context.Context, tx *store.Tx) ([]monitor.Value, error) {
			return tx.Texts(ctx, ours, monitor.KindAct, monitor.KindFailure)
		})
	}
	for _, v := range forget() {
		if v.Text != said.Act && v.Text != "f" {
			t.Errorf("a text that a fact holds became %q", v.Text)
		}
	}
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.DeleteFact(ctx, said.CallID) })
	for _, v := range forget() {
		if v.Text != monitor.Erased+"1" || v.Detail != "" {
			t.Errorf("a text that nobody holds is still %q", v.Text)
		}
	}
	if n := len(get(t, b, func(ctx context.Context, tx *store.Tx) ([]monitor.Value, error) { return tx.Texts(ctx, theirs) })); n != 0 {
		t.Errorf("another workspace sees %d texts", n)
	}
}

func monitorDimensions(t *testing.T, b *bench) {
	of := func(workspaceID string) monitor.Dimensions {
		return get(t, b, func(ctx context.Context, tx *store.Tx) (monitor.Dimensions, error) {
			return tx.Dimensions(ctx, workspaceID)
		})
	}
	old := func() int {
		return len(get(t, b, func(ctx context.Context, tx *store.Tx) ([]monitor.Dimensions, error) {
			return tx.OldDimensions(ctx, 10)
		}))
	}
	same(t, "none", of(ours), monitor.Dimensions{WorkspaceID: ours})
	d := monitor.Dimensions{WorkspaceID: ours, Keys: []string{"tier", "région"}, ChangedAt: start, Origin: "production", Zone: "Europe/Berlin"}
	for range 2 {
		b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.PutDimensions(ctx, d) })
		same(t, "dimensions", of(ours), d)
		d.From = start.Add(time.Hour)
	}
	if old() != 1 {
		t.Error("unfinished dimensions are not found")
	}
	d.Origin = ""
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.PutDimensions(ctx, d) })
	if old() != 0 {
		t.Error("finished dimensions are found")
	}
	var ids []string
	var made []call.Call
	for i := range 200 {
		c := aCall("")
		c.Metadata = map[string]any{"tier": fmt.Sprint(i % 3), "noise": "x"}
		ids, made = append(ids, c.ID), append(made, c)
	}
	b.insert(t, made...)
	metadata := get(t, b, func(ctx context.Context, tx *store.Tx) (map[string]map[string]string, error) {
		return tx.MetadataOf(ctx, ids, []string{"tier", "none"})
	})
	if len(metadata) != 200 || len(metadata[ids[4]]) != 1 || metadata[ids[4]]["tier"] != "1" {
		t.Errorf("%d calls with metadata, the fifth has %v", len(metadata), metadata[ids[4]])
	}
}
