package review

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/score"
)

// history returns a service with n reviewed calls.
func history(t *testing.T, n int) *bundle {
	t.Helper()
	b := setup(t)
	b.service.o.NewID = func(prefix string) string { return fmt.Sprintf("%s_%d", prefix, len(b.store.rows.Replays)+1) }
	c, a, p := b.store.rows.Calls[id], b.store.rows.Attempts[id], b.store.rows.Plans[id]
	delete(b.store.rows.Calls, id)
	for i := range n {
		c.ID = fmt.Sprintf("call_%03d", i)
		b.store.rows.Calls[c.ID], b.store.rows.Attempts[c.ID], b.store.rows.Plans[c.ID] = c, a, p
		if err := b.service.Review(t.Context(), c.ID); err != nil {
			t.Fatal(err)
		}
	}
	b.settled = nil
	return b
}

func TestReplayReviewsHistory(t *testing.T) {
	t.Parallel()
	b := history(t, 5)
	r, err := b.service.StartReplay(t.Context(), "ws_1", Scope{})
	if err != nil || r.Total != 5 || b.store.rows.Jobs[0] != JobReplay+" "+r.ID {
		t.Fatalf("%+v, %v", r, err)
	}
	for range 2 { // a repeated job does nothing
		if err := b.service.Replay(t.Context(), r.ID); err != nil {
			t.Fatal(err)
		}
	}
	r = b.store.rows.Replays[r.ID]
	if r.State != ReplayFinished || r.Reviewed != 5 || len(b.settled) != 5 || r.FinishedAt.IsZero() || len(b.scribe.asked) != 1 {
		t.Errorf("%+v, settled %d, transcribed %d times", r, len(b.settled), len(b.scribe.asked))
	}
	// Calls reviewed by the newest engines are left out; a changed engine includes them again.
	for _, change := range []struct {
		feeling string
		want    int
	}{{"", 0}, {"another", 5}} {
		feeling, want := change.feeling, change.want
		b.service.o.FeelEngine = feeling
		b.service.house = b.service.o.house()
		older, err := b.service.StartReplay(t.Context(), "ws_1", Scope{OnlyOlder: true})
		if err != nil {
			t.Fatal(err)
		}
		if err := b.service.Replay(t.Context(), older.ID); err != nil {
			t.Fatal(err)
		}
		if got := b.store.rows.Replays[older.ID]; want == 0 && got.Reviewed != 0 || want > 0 && got.Reviewed+got.Skipped != 5 {
			t.Errorf("engine %q: %+v", feeling, got)
		}
	}
}

// A folder of recordings that was lost, or restored in part, costs no call the results it has.
func TestReplayKeepsResultsWithoutRecordings(t *testing.T) {
	t.Parallel()
	lost := func(b *bundle) { delete(b.shelf.blobs, "rec") }
	damaged := func(b *bundle) { b.shelf.blobs["rec"] = b.shelf.blobs["rec"][:1000] }
	for _, c := range []struct {
		name   string
		origin call.Origin
		happen func(*bundle)
	}{
		{"simulated, lost", call.Simulated, lost},
		{"simulated, damaged", call.Simulated, damaged},
		{"production, lost", call.Production, lost},
	} {
		b := history(t, 3)
		for id, stored := range b.store.rows.Calls {
			stored.Origin = c.origin
			b.store.rows.Calls[id] = stored
		}
		before := b.store.rows.Calls["call_000"]
		if before.Verdict != call.Passed {
			t.Fatalf("%s because %q", before.Verdict, before.VerdictReason)
		}
		c.happen(b)
		r, err := b.service.StartReplay(t.Context(), "ws_1", Scope{})
		if err != nil {
			t.Fatal(err)
		}
		if err := b.service.Replay(t.Context(), r.ID); err != nil {
			t.Fatal(err)
		}
		if got := b.store.rows.Replays[r.ID]; got.State != ReplayFinished || got.Failed != 3 || got.Reviewed != 0 {
			t.Errorf("%s: %+v", c.name, got)
		}
		if after := b.store.rows.Calls["call_000"]; len(b.settled) != 0 || after.Verdict != before.Verdict || after.VerdictReason != before.VerdictReason {
			t.Errorf("%s: settled %d, %s because %q", c.name, len(b.settled), after.Verdict, after.VerdictReason)
		}
	}
}

// Whoever asks for another review of a test call does not lose the one there is.
func TestReviewAgainKeepsResultsWithoutRecording(t *testing.T) {
	t.Parallel()
	b := setup(t)
	before, _ := b.review(t)
	delete(b.shelf.blobs, "rec")
	for range defaultTries {
		_ = b.service.Review(t.Context(), id)
	}
	if after := b.store.rows.Calls[id]; before.Verdict != call.Passed || after.Verdict != before.Verdict {
		t.Errorf("%s, then %s because %q", before.Verdict, after.Verdict, after.VerdictReason)
	}
}

// An unknown or impossible agent is a problem at its field.
func TestReplayOfNoAgent(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"agt_none", "agt_\x00"} {
		_, err := history(t, 1).service.StartReplay(t.Context(), "ws_1", Scope{AgentID: id})
		if p := problem.As(err); p == nil || p.Code != problem.InvalidFields || len(p.Fields) != 1 || p.Fields[0].Path != "agent_id" {
			t.Errorf("%q: %v", id, err)
		}
	}
}

// An interrupted replay continues after the last call that was done.
func TestReplayIsTakenUpWhereItStopped(t *testing.T) {
	t.Parallel()
	b := history(t, 6)
	r, err := b.service.StartReplay(t.Context(), "ws_1", Scope{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	b.service.o.Settled = func(context.Context, Tx, call.Call, call.Review, call.Reported) error {
		if b.settled = append(b.settled, call.Call{}); len(b.settled) == 3 {
			cancel()
		}
		return nil
	}
	// The queue takes nil for the end of the work, and would never run it again.
	if err := b.service.Replay(ctx, r.ID); !errors.Is(err, context.Canceled) {
		t.Fatalf("told to end, the job says %v", err)
	}
	if got := b.store.rows.Replays[r.ID]; got.State != ReplayRunning || got.LastCall != "call_001" {
		t.Fatalf("broken off: %+v", got)
	}
	if err := b.service.Replay(t.Context(), r.ID); err != nil {
		t.Fatal(err)
	}
	if got := b.store.rows.Replays[r.ID]; got.State != ReplayFinished || got.Reviewed != 6 || len(b.settled) != 7 {
		t.Errorf("%+v, settled %d", got, len(b.settled))
	}
}

// While the database is away no call fails, and the replay resumes where it was however long that
// takes, although the queue gives a job up after five errors.
func TestReplayOutlastsAnOutage(t *testing.T) {
	t.Parallel()
	b := history(t, 6)
	r, err := b.service.StartReplay(t.Context(), "ws_1", Scope{})
	if err != nil {
		t.Fatal(err)
	}
	outage := problem.New(problem.Unavailable, "the database does not answer")
	b.service.o.Settled = func(context.Context, Tx, call.Call, call.Review, call.Reported) error {
		if b.settled = append(b.settled, call.Call{}); len(b.settled) == 3 {
			b.store.away = outage
			return outage
		}
		return nil
	}
	for range 7 {
		var wait Wait
		if err := b.service.Replay(t.Context(), r.ID); !errors.As(err, &wait) || wait.After != awayPause {
			t.Fatalf("in an outage the job says %v", err)
		}
	}
	b.store.away = nil
	if err := b.service.Replay(t.Context(), r.ID); err != nil {
		t.Fatal(err)
	}
	if got := b.store.rows.Replays[r.ID]; got.State != ReplayFinished || got.Reviewed != 6 || got.Failed != 0 {
		t.Errorf("%+v", got)
	}
}

// There may be room for the replay's own row but not for a call's results.
func TestReplayOutlastsADatabaseWithoutRoom(t *testing.T) {
	t.Parallel()
	b := history(t, 3)
	r, err := b.service.StartReplay(t.Context(), "ws_1", Scope{})
	if err != nil {
		t.Fatal(err)
	}
	b.settleBy = problem.New(problem.Unavailable, "there is no room left for the database to write")
	for range 7 {
		var wait Wait
		if err := b.service.Replay(t.Context(), r.ID); !errors.As(err, &wait) || wait.After != awayPause {
			t.Fatalf("without room the job says %v", err)
		}
	}
	b.settleBy = nil
	if err := b.service.Replay(t.Context(), r.ID); err != nil {
		t.Fatal(err)
	}
	if got := b.store.rows.Replays[r.ID]; got.State != ReplayFinished || got.Reviewed != 3 || got.Failed != 0 {
		t.Errorf("%+v", got)
	}
}

// Calls that arrive during a replay are reviewed by the newest version anyway: a replay that
// included them would never end.
func TestReplayLeavesOutWhatArrivesDuringIt(t *testing.T) {
	t.Parallel()
	b := history(t, 3)
	r, err := b.service.StartReplay(t.Context(), "ws_1", Scope{})
	if err != nil {
		t.Fatal(err)
	}
	b.service.o.Settled = func(_ context.Context, tx Tx, c call.Call, _ call.Review, _ call.Reported) error {
		if b.settled = append(b.settled, c); len(b.settled) > 10 {
			return nil
		}
		c.ID, c.CreatedAt = fmt.Sprintf("call_9%02d", len(b.settled)), r.CreatedAt.Add(time.Duration(len(b.settled)))
		return tx.UpdateCall(context.Background(), c)
	}
	if err := b.service.Replay(t.Context(), r.ID); err != nil {
		t.Fatal(err)
	}
	if got := b.store.rows.Replays[r.ID]; got.State != ReplayFinished || got.Reviewed != 3 || got.Total != 3 {
		t.Errorf("%+v", got)
	}
}

// Calls whose first review was still due when the replay began are counted when they are reached.
func TestReplayNeverCountsMoreThanItsTotal(t *testing.T) {
	t.Parallel()
	b := history(t, 4)
	waiting := b.store.rows.Calls["call_003"]
	waiting.ScoringStatus = call.ScoringPending
	b.store.rows.Calls["call_003"] = waiting
	r, err := b.service.StartReplay(t.Context(), "ws_1", Scope{})
	if err != nil || r.Total != 3 {
		t.Fatalf("%+v, %v", r, err)
	}
	waiting.ScoringStatus = call.Scored
	b.store.rows.Calls["call_003"] = waiting
	if err := b.service.Replay(t.Context(), r.ID); err != nil {
		t.Fatal(err)
	}
	if got := b.store.rows.Replays[r.ID]; got.State != ReplayFinished || got.Reviewed != 4 || got.Total != 4 {
		t.Errorf("%+v", got)
	}
}

// A call with a new record since the replay began is about to be reviewed anyway: it counts as
// skipped, so that the counts add up.
func TestReplayCountsWhatIsReviewedByItself(t *testing.T) {
	t.Parallel()
	b := history(t, 4)
	r, err := b.service.StartReplay(t.Context(), "ws_1", Scope{})
	if err != nil {
		t.Fatal(err)
	}
	told := b.store.rows.Calls["call_002"]
	told.ScoringStatus = call.ScoringPending
	b.store.rows.Calls["call_002"] = told
	if err := b.service.Replay(t.Context(), r.ID); err != nil {
		t.Fatal(err)
	}
	if got := b.store.rows.Replays[r.ID]; got.State != ReplayFinished || got.Reviewed != 3 || got.Skipped != 1 || got.Total != 4 {
		t.Errorf("%+v", got)
	}
}

func TestCanceledReplayCanBeResumed(t *testing.T) {
	t.Parallel()
	b := history(t, 4)
	r, err := b.service.StartReplay(t.Context(), "ws_1", Scope{})
	if err != nil {
		t.Fatal(err)
	}
	if r, err = b.service.CancelReplay(t.Context(), "ws_1", r.ID); err != nil || r.State != ReplayCanceled {
		t.Fatalf("%+v, %v", r, err)
	}
	if err := b.service.Replay(t.Context(), r.ID); err != nil || len(b.settled) != 0 {
		t.Fatalf("a canceled replay went on: %d, %v", len(b.settled), err)
	}
	if r, err = b.service.ResumeReplay(t.Context(), "ws_1", r.ID); err != nil || r.State != ReplayRunning {
		t.Fatalf("%+v, %v", r, err)
	}
	if err := b.service.Replay(t.Context(), r.ID); err != nil || len(b.settled) != 4 {
		t.Fatalf("settled %d, %v", len(b.settled), err)
	}
	if r, err = b.service.CancelReplay(t.Context(), "ws_1", r.ID); err != nil || r.State != ReplayFinished {
		t.Errorf("a replay that is over was canceled: %+v, %v", r, err)
	}
}

func TestReplayCountsWhatCannotBeReviewed(t *testing.T) {
	t.Parallel()
	b := history(t, 3)
	b.settleBy = errors.New("no")
	r, err := b.service.StartReplay(t.Context(), "ws_1", Scope{})
	if err != nil {
		t.Fatal(err)
	}
	if err := b.service.Replay(t.Context(), r.ID); err != nil {
		t.Fatal(err)
	}
	if got := b.store.rows.Replays[r.ID]; got.State != ReplayFinished || got.Failed != 3 {
		t.Errorf("%+v", got)
	}
	if _, err := b.service.StartReplay(t.Context(), "ws_1", Scope{Since: answered, Until: answered}); err == nil {
		t.Error("a scope without time was taken")
	}
	if _, err := b.service.StartReplay(t.Context(), "ws_1", Scope{AgentID: "agt_none"}); !problem.Is(err, problem.InvalidFields) {
		t.Errorf("an agent that is not there: %v", err)
	}
}

// Live reviews go first.
func TestReplayGivesWay(t *testing.T) {
	t.Parallel()
	testGivesWay(t, func(b *bundle) (end func()) {
		b.service.ledger.begin("call_live")
		return func() { b.service.ledger.end("call_live") }
	})
}

// Live reviews let arriving call logs go first, and so does a replay.
func TestReplayLetsCallLogsArrive(t *testing.T) {
	t.Parallel()
	testGivesWay(t, func(b *bundle) (end func()) {
		var rush atomic.Bool
		rush.Store(true)
		b.service.o.Rush = rush.Load
		return func() { rush.Store(false) }
	})
}

// testGivesWay checks that a replay waits for what press begins.
func testGivesWay(t *testing.T, press func(*bundle) (end func())) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		b := history(t, 1)
		r, err := b.service.StartReplay(t.Context(), "ws_1", Scope{})
		if err != nil {
			t.Fatal(err)
		}
		end := press(b)
		done := make(chan error, 1)
		go func() { done <- b.service.Replay(context.Background(), r.ID) }()
		select {
		case err := <-done:
			t.Fatalf("the replay did not wait: %v", err)
		case <-time.After(replayPatience - replayStep):
		}
		end()
		if err := <-done; err != nil || len(b.settled) != 1 {
			t.Errorf("settled %d, %v", len(b.settled), err)
		}
	})
}

// When a process seems dead its replay's job is given to another, though it may still live. Only one of the two goes on
// then, and what both have reviewed is counted once.
func TestReplayThatTwoWorkAt(t *testing.T) {
	t.Parallel()
	b := history(t, 6)
	r, err := b.service.StartReplay(t.Context(), "ws_1", Scope{})
	if err != nil {
		t.Fatal(err)
	}
	other := New(b.service.o)
	b.service.o.Feel = func(Talk) (f call.Feeling) {
		if len(b.settled) == 2 {
			if err := other.Replay(t.Context(), r.ID); err != nil {
				t.Errorf("the faster one says %v", err)
			}
		}
		return f
	}
	var wait Wait
	if err := b.service.Replay(t.Context(), r.ID); !errors.As(err, &wait) {
		t.Errorf("the slower one says %v", err)
	}
	got := b.store.rows.Replays[r.ID]
	if got.State != ReplayFinished || got.FinishedAt.IsZero() || got.Reviewed != 6 || got.Total != 6 || got.LastCall != "call_005" {
		t.Errorf("%+v", got)
	}
	if err := b.service.Replay(t.Context(), r.ID); err != nil {
		t.Errorf("after the end the slower one says %v", err)
	}
}

// A review that is under way may have begun before the scorer changed for which history is reviewed again: its result is not
// the one that was asked for.
func TestReplayReviewsACallWhoseReviewIsUnderWay(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := history(t, 1)
		const slow = "call_000"
		b.service.ledger.begin(slow)
		m, err := b.service.load(t.Context(), slow)
		if err != nil {
			t.Fatal(err)
		}
		b.store.rows.Plans[slow] = score.Plan{Scorers: []score.Config{{ID: "sc_new", Kind: score.KindEndReason}}}
		r, err := b.service.StartReplay(t.Context(), "ws_1", Scope{})
		if err != nil {
			t.Fatal(err)
		}
		if err := b.service.Replay(t.Context(), r.ID); err != nil {
			t.Fatal(err)
		}
		if err := b.service.settle(t.Context(), m, outcome{status: call.Scored}); err != nil {
			t.Fatal(err)
		}
		got := b.store.rows.Replays[r.ID]
		if scores := b.store.rows.Reviews[slow].Scores; len(scores) == 0 || scores[0].ScorerID != "sc_new" || got.Reviewed != 1 {
			t.Errorf("%+v, scores %+v", got, scores)
		}
		if b.service.ledger.begin(slow) {
			t.Error("the review that is under way is no longer known")
		}
	})
}
