package storetest

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/archive"
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/experiment"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/scenario"
	"github.com/ringtrue/ringtrue/internal/score"
	"github.com/ringtrue/ringtrue/internal/store"
	"github.com/ringtrue/ringtrue/internal/workspace"
)

func anExperiment() experiment.Experiment {
	return experiment.Experiment{
		ID: store.NewID("ve"), WorkspaceID: ours, AgentID: "agt_1", DatasetID: "ds_1", DatasetVersion: 3, Line: "sip", To: "+15550100",
		Status: experiment.Created, CreatedAt: start, Plan: experiment.Plan{
			Seed: math.MaxUint64, CallerPrompt: "be brief", Scorers: []score.Config{{Slug: "polite", Version: 2}},
		},
	}
}

func aCall(experimentID string) call.Call {
	return call.Call{
		ID: store.NewID("call"), WorkspaceID: ours, Origin: call.Simulated, ExperimentID: experimentID, ItemID: "di_1",
		Position: 1, Repetition: 1, Seed: math.MaxUint64 - 5, AgentID: "agt_1", Line: "sip", Trunk: "carrier",
		Status: call.Queued, ScoringStatus: call.ScoringPending, From: "+1 (555) 010-0", To: "+15550100", CreatedAt: start,
	}
}

// insert stores calls, each with an item.
func (b *bench) insert(t *testing.T, calls ...call.Call) {
	t.Helper()
	items := make([]scenario.Item, len(calls))
	for i := range items {
		items[i] = anItem(fmt.Sprint(i))
	}
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.InsertCalls(ctx, calls, items) })
}

func keys(t *testing.T, b *bench) {
	for _, id := range []string{ours, theirs} {
		b.must(t, func(ctx context.Context, tx *store.Tx) error {
			return tx.InsertWorkspace(ctx, workspace.Workspace{ID: id, Name: id, CreatedAt: start})
		})
	}
	if n := len(get(t, b, func(ctx context.Context, tx *store.Tx) ([]workspace.Workspace, error) { return tx.Workspaces(ctx) })); n != 2 {
		t.Errorf("%d workspaces", n)
	}
	k := workspace.Key{ID: store.NewID("key"), WorkspaceID: ours, Name: "ci", Prefix: "rt_1", SHA256: "abc", CreatedAt: start}
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.InsertKey(ctx, k) })
	twin := k
	twin.ID = store.NewID("key")
	b.refused(t, problem.Conflict, func(ctx context.Context, tx *store.Tx) error { return tx.InsertKey(ctx, twin) })
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.TouchKey(ctx, k.ID, start.Add(time.Hour)) })
	k.LastUsedAt = start.Add(time.Hour)
	find := func(prefix string) bool {
		return get(t, b, func(ctx context.Context, tx *store.Tx) (bool, error) {
			found, ok, err := tx.KeyByPrefix(ctx, prefix)
			if ok {
				same(t, "key", found, k)
			}
			return ok, err
		})
	}
	if !find("rt_1") || find("rt_2") || find("") {
		t.Error("keys are found by the wrong prefix")
	}
	b.refused(t, problem.NotFound, func(ctx context.Context, tx *store.Tx) error { return tx.RevokeKey(ctx, theirs, k.ID, start) })
	for _, at := range []time.Time{start, start.Add(time.Hour)} { // the second time changes nothing
		b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.RevokeKey(ctx, ours, k.ID, at) })
	}
	if find("rt_1") {
		t.Error("a revoked key is found")
	}
	list := get(t, b, func(ctx context.Context, tx *store.Tx) ([]workspace.Key, error) { return tx.Keys(ctx, ours) })
	if len(list) != 1 || !list[0].RevokedAt.Equal(start) {
		t.Errorf("keys: %+v", list)
	}
	if n := len(get(t, b, func(ctx context.Context, tx *store.Tx) ([]workspace.Key, error) { return tx.Keys(ctx, theirs) })); n != 0 {
		t.Errorf("another workspace sees %d keys", n)
	}
}

func experiments(t *testing.T, b *bench) {
	e := anExperiment()
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.InsertExperiment(ctx, e) })
	byID := func(ctx context.Context, tx *store.Tx) (experiment.Experiment, error) {
		return tx.ExperimentByID(ctx, ours, e.ID)
	}
	same(t, "experiment", get(t, b, byID), e)
	b.refused(t, problem.NotFound, func(ctx context.Context, tx *store.Tx) error {
		_, err := tx.ExperimentByID(ctx, theirs, e.ID)
		return err
	})
	e.Status, e.Verdict, e.Reason, e.Counts = experiment.Finished, call.Passed, "all passed", experiment.Counts{Calls: 2, Passed: 2}
	e.StartedAt, e.FinishedAt = start.Add(time.Second), start.Add(time.Minute)
	b.must(t, func(ctx context.Context, tx *store.Tx) error {
		if _, err := tx.LockExperiment(ctx, e.ID); err != nil {
			return err
		}
		return tx.UpdateExperiment(ctx, e)
	})
	same(t, "finished", get(t, b, byID), e)
	count := func(workspaceID string, f experiment.Filter) int {
		return len(get(t, b, func(ctx context.Context, tx *store.Tx) ([]experiment.Experiment, error) {
			return tx.Experiments(ctx, workspaceID, f, 10, "")
		}))
	}
	for i, got := range []int{
		count(ours, experiment.Filter{}), count(ours, experiment.Filter{AgentID: "agt_1", DatasetID: "ds_1", Status: experiment.Finished}),
		count(ours, experiment.Filter{Status: experiment.Running}), count(ours, experiment.Filter{AgentID: "agt_2"}), count(theirs, experiment.Filter{}),
	} {
		if want := []int{1, 1, 0, 0, 0}[i]; got != want {
			t.Errorf("filter %d finds %d experiments, want %d", i, got, want)
		}
	}
}

func calls(t *testing.T, b *bench) {
	e := anExperiment()
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.InsertExperiment(ctx, e) })
	c, second := aCall(e.ID), aCall(e.ID)
	second.Position = 2
	c.Metadata = map[string]any{"version": "7", "deep": map[string]any{"a": []any{json.Number("12345678901234567890")}}}
	b.insert(t, second, c)
	byID := func(ctx context.Context, tx *store.Tx) (call.Call, error) { return tx.CallByID(ctx, ours, c.ID) }
	same(t, "call", get(t, b, byID), c)
	same(t, "call of any workspace", get(t, b, func(ctx context.Context, tx *store.Tx) (call.Call, error) { return tx.CallByID(ctx, "", c.ID) }), c)
	b.refused(t, problem.NotFound, func(ctx context.Context, tx *store.Tx) error { _, err := tx.CallByID(ctx, theirs, c.ID); return err })

	c.Status, c.ScoringStatus, c.Verdict, c.VerdictReason = call.Ended, call.Scored, call.NotPassed, "it was late"
	c.EndReason = call.EndOf(call.EndSilence, "487").Blaming(call.BlameCaller)
	c.StartedAt, c.AnsweredAt, c.EndedAt = start.Add(time.Second), start.Add(2*time.Second), start.Add(time.Minute)
	c.Recording = &call.Recording{Key: "k", Type: "audio/wav", Rate: 8000, Samples: 9, Bytes: 80, CallerCoverage: 1, SHA256: "ff"}
	c.Metadata = nil
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.UpdateCall(ctx, c) })
	same(t, "updated", get(t, b, byID), c)
	same(t, "calls by position", get(t, b, func(ctx context.Context, tx *store.Tx) ([]call.Call, error) { return tx.CallsOf(ctx, e.ID) }),
		[]call.Call{c, second})
	missing := aCall(e.ID)
	b.refused(t, problem.NotFound, func(ctx context.Context, tx *store.Tx) error { return tx.UpdateCall(ctx, missing) })

	item := get(t, b, func(ctx context.Context, tx *store.Tx) (scenario.Item, error) { return tx.ItemOf(ctx, c.ID) })
	if item.Key != "1" {
		t.Errorf("item of the call: %+v", item)
	}
	plan := get(t, b, func(ctx context.Context, tx *store.Tx) (score.Plan, error) { return tx.PlanOf(ctx, c.ID) })
	same(t, "plan", plan, score.Plan{Item: item, Scorers: e.Plan.Scorers})
}

// outcomes: what results need of calls and their attempts, and nothing that is long.
func outcomes(t *testing.T, b *bench) {
	c, waiting, foreign := aCall("ve_1"), aCall("ve_1"), aCall("ve_2")
	waiting.Position = c.Position + 1
	b.insert(t, waiting, c, foreign)
	a := anAttempt(c.ID)
	b.claim(t, a, experiment.Limits{})
	a.AnsweredAt, a.EndedAt = start.Add(time.Second), start.Add(time.Minute)
	b.end(t, a)
	c.Status, c.ScoringStatus, c.Verdict, c.VerdictReason, c.EndReason = call.Ended, call.Scored, call.NotPassed, "it was late", call.EndOf(call.EndBusy, "486")
	c.StartedAt, c.AnsweredAt, c.EndedAt = start, a.AnsweredAt, a.EndedAt
	c.Recording = &call.Recording{Key: "k"}
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.UpdateCall(ctx, c) })
	narrow := func(c call.Call, attempts ...call.Attempt) call.Call {
		return call.Call{
			ID: c.ID, ItemID: c.ItemID, Position: c.Position, Repetition: c.Repetition, Status: c.Status, ScoringStatus: c.ScoringStatus, Verdict: c.Verdict,
			VerdictReason: c.VerdictReason, EndReason: c.EndReason, StartedAt: c.StartedAt, AnsweredAt: c.AnsweredAt, EndedAt: c.EndedAt, Attempts: attempts,
		}
	}
	want := []call.Call{narrow(c, call.Attempt{CallID: c.ID, AnsweredAt: a.AnsweredAt, EndedAt: a.EndedAt}), narrow(waiting)}
	same(t, "outcomes", get(t, b, func(ctx context.Context, tx *store.Tx) ([]call.Call, error) { return tx.OutcomesOf(ctx, "ve_1") }), want)
}

// rareStates are found by an index of their own, which a call enters and leaves with its state.
func rareStates(t *testing.T, b *bench) {
	for _, state := range []call.ScoringStatus{call.ScoringPending, call.ScoringNow, call.ScoringFailed, call.ScoringSkipped} {
		none := get(t, b, func(ctx context.Context, tx *store.Tx) ([]call.Call, error) {
			return tx.Calls(ctx, ours, archive.Filter{ScoringStatus: state}, 10, archive.Place{})
		})
		early, late := aCall("ve_3"), aCall("ve_3")
		early.ScoringStatus, late.ScoringStatus, late.CreatedAt = state, state, start.Add(time.Minute)
		b.insert(t, early, late)
		page := func(after archive.Place) []call.Call {
			return get(t, b, func(ctx context.Context, tx *store.Tx) ([]call.Call, error) {
				return tx.Calls(ctx, ours, archive.Filter{ScoringStatus: state}, 1, after)
			})
		}
		first := page(archive.Place{})
		if len(none) != 0 || len(first) != 1 || first[0].ID != late.ID {
			t.Fatalf("%s: %d calls before there is one, then %+v", state, len(none), first)
		}
		if second := page(archive.Place{Begun: first[0].Begun(), ID: first[0].ID}); len(second) != 1 || second[0].ID != early.ID {
			t.Errorf("%s, behind the first: %+v", state, second)
		}
		b.must(t, func(ctx context.Context, tx *store.Tx) error {
			early.ScoringStatus, late.ScoringStatus = call.Scored, call.Scored
			if err := tx.UpdateCall(ctx, early); err != nil {
				return err
			}
			return tx.UpdateCall(ctx, late)
		})
		if left := page(archive.Place{}); len(left) != 0 {
			t.Errorf("%s, when there are no more: %+v", state, left)
		}
	}
}

func callFilters(t *testing.T, b *bench) {
	plain, odd, foreign := aCall("ve_1"), aCall("ve_2"), aCall("ve_1")
	odd.Origin, odd.AgentID, odd.Status, odd.ScoringStatus, odd.Verdict = call.Production, "agt_2", call.Ended, call.Scored, call.Passed
	odd.EndReason, odd.CreatedAt = call.EndOf(call.EndBusy, ""), start.Add(time.Hour)
	odd.ExternalID, odd.From = "ext_äß%9", "sip:+1 (555) 987-6543@example.org"
	odd.Metadata = map[string]any{"version": "7", "n": json.Number("1.5"), "on": true, `we"ird' $1`: "x"}
	foreign.WorkspaceID = theirs
	b.insert(t, plain, odd, foreign)
	for name, f := range map[string]archive.Filter{
		"origin": {Origin: call.Production}, "agent": {AgentID: "agt_2"}, "experiment": {ExperimentID: "ve_2"},
		"status": {Status: call.Ended}, "scoring": {ScoringStatus: call.Scored}, "verdict": {Verdict: call.Passed},
		"end": {EndCode: call.EndBusy}, "from": {From: start.Add(time.Hour)},
		"id": {Search: odd.ID}, "part of it": {Search: odd.ID[:len(odd.ID)-1]}, "external id": {Search: " ext_äß% "}, "digits": {Search: "98-76"},
		"text": {Metadata: map[string]string{"version": "7"}}, "number": {Metadata: map[string]string{"n": "1.5"}},
		"several": {Metadata: map[string]string{"version": "7", "on": "true", `we"ird' $1`: "x"}},
	} {
		got := get(t, b, func(ctx context.Context, tx *store.Tx) ([]call.Call, error) {
			return tx.Calls(ctx, ours, f, 10, archive.Place{})
		})
		if len(got) != 1 || got[0].ID != odd.ID {
			t.Errorf("%s: %d calls", name, len(got))
		}
	}
	nobody := aCall("ve_1")
	nobody.AgentID = ""
	b.insert(t, nobody)
	if got := get(t, b, func(ctx context.Context, tx *store.Tx) ([]call.Call, error) {
		return tx.Calls(ctx, ours, archive.Filter{AgentID: "-"}, 10, archive.Place{})
	}); len(got) != 1 || got[0].ID != nobody.ID {
		t.Errorf("of no agent: %d calls", len(got))
	}
	until := get(t, b, func(ctx context.Context, tx *store.Tx) ([]call.Call, error) {
		return tx.Calls(ctx, ours, archive.Filter{Until: start.Add(time.Hour)}, 10, archive.Place{})
	})
	if len(until) != 2 || until[1].ID != plain.ID {
		t.Errorf("until: %d calls", len(until))
	}
	for _, text := range []string{"xt_", "ext_äß_", "98", "98a76", "%", "_"} {
		got := get(t, b, func(ctx context.Context, tx *store.Tx) ([]call.Call, error) {
			return tx.Calls(ctx, ours, archive.Filter{Search: text}, 10, archive.Place{})
		})
		if len(got) != 0 {
			t.Errorf("search %q: %d calls", text, len(got))
		}
	}
	none := get(t, b, func(ctx context.Context, tx *store.Tx) ([]call.Call, error) {
		return tx.Calls(ctx, ours, archive.Filter{Metadata: map[string]string{"version": "7", "n": "2"}}, 10, archive.Place{})
	})
	if len(none) != 0 {
		t.Error("a call is found although one of two keys has another value")
	}
}

// callPages: newest first by when a call took place, whenever it arrived; pages
// go on where they were although a call has moved.
func callPages(t *testing.T, b *bench) {
	at := func(created, started int) call.Call {
		c := aCall("ve_1")
		c.CreatedAt = start.Add(time.Duration(created) * time.Minute)
		if started != 0 {
			c.StartedAt = start.Add(time.Duration(started) * time.Minute)
		}
		return c
	}
	imported, never, alike, first, latest, last := at(90, -30), at(20, 0), at(50, 20), at(0, 10), at(30, 60), at(95, -60)
	b.insert(t, imported, never, latest, last)
	b.insert(t, alike, first)
	tied := []string{never.ID, alike.ID}
	slices.SortFunc(tied, func(x, y string) int { return strings.Compare(y, x) })
	want := []string{latest.ID, tied[0], tied[1], first.ID, imported.ID, last.ID}
	a := call.Attempt{ID: store.NewID("att"), CallID: latest.ID, Number: 1, StartedAt: start}
	b.claim(t, a, experiment.Limits{})
	for _, size := range []int{1, 2, 3, 5, 6} {
		got, attempts := b.paged(t, archive.Filter{}, size, nil)
		same(t, fmt.Sprintf("pages of %d, newest first", size), got, want)
		if attempts != 1 {
			t.Errorf("%d attempts listed", attempts)
		}
	}
	got, _ := b.paged(t, archive.Filter{From: imported.StartedAt, Until: latest.StartedAt}, 2, nil)
	same(t, "from when one took place until before another did", got, want[1:5])
	moved := false
	got, _ = b.paged(t, archive.Filter{}, 2, func() {
		if !moved { // the last one of the first page starts at last
			moved = true
			c := map[string]call.Call{never.ID: never, alike.ID: alike}[tied[0]]
			c.StartedAt = start.Add(100 * time.Minute)
			b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.UpdateCall(ctx, c) })
		}
	})
	same(t, "pages while a call moves", got, want)
	got, _ = b.paged(t, archive.Filter{}, 10, nil)
	same(t, "after it moved", got, append([]string{tied[0], latest.ID}, want[2:]...))
}

// paged reads the list in pages, and tells how many attempts it showed.
func (b *bench) paged(t *testing.T, f archive.Filter, size int, between func()) (ids []string, attempts int) {
	t.Helper()
	for after, more := (archive.Place{}), true; more; {
		page := get(t, b, func(ctx context.Context, tx *store.Tx) ([]call.Call, error) {
			return tx.Calls(ctx, ours, f, size, after)
		})
		for _, c := range page {
			ids, after = append(ids, c.ID), archive.Place{Begun: c.Begun(), ID: c.ID}
			attempts += len(c.Attempts)
		}
		more = len(page) == size
		if between != nil {
			between()
		}
	}
	return ids, attempts
}

func tally(t *testing.T, b *bench) {
	states := []struct {
		status  call.Status
		scoring call.ScoringStatus
		verdict call.Verdict
	}{
		{call.Queued, call.ScoringPending, ""},
		{call.InProgress, call.ScoringPending, call.Passed},
		{call.Ended, call.ScoringNow, call.NotEvaluated},
		{call.Ended, call.Scored, call.Passed},
		{call.Failed, call.ScoringSkipped, call.NotPassed},
		{call.Canceled, call.ScoringFailed, call.Void},
	}
	for _, s := range states {
		c := aCall("ve_1")
		c.Status, c.ScoringStatus, c.Verdict = s.status, s.scoring, s.verdict
		b.insert(t, c)
	}
	tally := func(id string) experiment.Tally {
		return get(t, b, func(ctx context.Context, tx *store.Tx) (experiment.Tally, error) { return tx.Tally(ctx, id) })
	}
	same(t, "on the line, unsettled and by verdict", tally("ve_1"), experiment.Tally{
		OnLine: 2, Unsettled: 3, ScoringFailed: 1, Counts: experiment.Counts{Calls: 6, Passed: 2, Failed: 1, Void: 1, NotEvaluated: 1},
	})
	same(t, "of an experiment without calls", tally("ve_none"), experiment.Tally{})
}

// callsEndedTogether: those of the experiment that are not over, and nothing else of them.
func callsEndedTogether(t *testing.T, b *bench) {
	queued, ended, other := aCall("ve_1"), aCall("ve_1"), aCall("ve_2")
	queued.Status, queued.ScoringStatus, queued.EndedAt = call.Queued, call.ScoringPending, time.Time{}
	ended.Status, ended.ScoringStatus = call.Ended, call.Scored
	other.Status, other.ScoringStatus = call.InProgress, call.ScoringPending
	b.insert(t, queued, ended, other)
	want := queued
	want.Status, want.ScoringStatus, want.EndReason, want.EndedAt = call.Canceled, call.ScoringSkipped, call.EndOf(call.EndBusy, "why"), start.Add(time.Hour)
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.EndCallsOf(ctx, "ve_1", want) })
	for _, c := range []call.Call{want, ended, other} {
		same(t, "after the others' end", get(t, b, func(ctx context.Context, tx *store.Tx) (call.Call, error) { return tx.CallByID(ctx, ours, c.ID) }), c)
	}
}

func playedItems(t *testing.T, b *bench) {
	c, again, second, other := aCall("ve_1"), aCall("ve_1"), aCall("ve_1"), aCall("ve_2")
	c.ItemID, again.ItemID, second.ItemID = "di_played", "di_played", "di_second"
	again.Repetition = c.Repetition + 1
	played := func(id string) scenario.Item { return scenario.Item{ID: id, Key: "key of " + id} }
	b.must(t, func(ctx context.Context, tx *store.Tx) error {
		return tx.InsertCalls(ctx, []call.Call{c, again, second, other},
			[]scenario.Item{played("di_played"), played("di_played"), played("di_second"), played("di_other")})
	})
	got := get(t, b, func(ctx context.Context, tx *store.Tx) (map[string]scenario.Item, error) {
		return tx.PlayedItems(ctx, "ve_1")
	})
	same(t, "what was played", got, map[string]scenario.Item{"di_played": played("di_played"), "di_second": played("di_second")})
}
