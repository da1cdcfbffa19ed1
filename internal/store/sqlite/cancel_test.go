package sqlite_test

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/experiment"
	"github.com/ringtrue/ringtrue/internal/store"
)

// A run is canceled in as many statements however many calls it has: nobody else writes meanwhile.
func TestCancelTakesFewStatements(t *testing.T) {
	t.Parallel()
	e := open(t, filepath.Join(t.TempDir(), "ringtrue.db"))
	asked := &asked{Engine: e}
	s := store.New(asked, nil, time.Now)
	service := experiment.New(experiment.Options{Store: store.As[experiment.Tx](s), Now: time.Now})
	cancel := func(calls int) int {
		run := experiment.Experiment{ID: store.NewID("ve"), WorkspaceID: "w", Status: experiment.Running}
		all := make([]call.Call, calls)
		for i := range all {
			all[i] = call.Call{ID: store.NewID("call"), WorkspaceID: "w", ExperimentID: run.ID, Position: i, Status: call.Queued}
		}
		if err := s.Write(t.Context(), func(tx *store.Tx) error {
			if err := tx.InsertExperiment(t.Context(), run); err != nil {
				return err
			}
			return tx.InsertCalls(t.Context(), all, nil)
		}); err != nil {
			t.Fatal(err)
		}
		asked.all = nil
		if got, err := service.Cancel(t.Context(), "w", run.ID); err != nil || got.Counts.Calls != calls {
			t.Fatalf("canceled as %+v, %v", got, err)
		}
		return len(asked.all)
	}
	if few, many := cancel(2), cancel(30); many > few {
		t.Errorf("%d statements for 2 calls, %d for 30", few, many)
	}
}

// Whoever has one call of a run reviewed again reads no other call of it.
func TestReviewedAgainReadsNoOtherCall(t *testing.T) {
	t.Parallel()
	const calls = 50
	asked := &asked{Engine: open(t, filepath.Join(t.TempDir(), "ringtrue.db"))}
	s := store.New(asked, nil, time.Now)
	service := experiment.New(experiment.Options{Store: store.As[experiment.Tx](s), Now: time.Now})
	run := experiment.Experiment{ID: store.NewID("ve"), WorkspaceID: "w", Status: experiment.Finished}
	all := make([]call.Call, calls)
	for i := range all {
		all[i] = call.Call{
			ID: store.NewID("call"), WorkspaceID: "w", ExperimentID: run.ID, Position: i,
			Status: call.Ended, ScoringStatus: call.Scored, Verdict: call.Passed,
		}
	}
	if err := s.Write(t.Context(), func(tx *store.Tx) error {
		if err := tx.InsertExperiment(t.Context(), run); err != nil {
			return err
		}
		return tx.InsertCalls(t.Context(), all, nil)
	}); err != nil {
		t.Fatal(err)
	}
	asked.rows = 0
	if err := store.As[experiment.Tx](s).Write(t.Context(), func(tx experiment.Tx) error {
		return service.CallSettled(t.Context(), tx, all[3])
	}); err != nil {
		t.Fatal(err)
	}
	if asked.rows >= calls {
		t.Errorf("%d rows were read for one of %d calls", asked.rows, calls)
	}
	if got, err := service.Get(t.Context(), "w", run.ID); err != nil || got.Counts.Passed != calls || got.Verdict != call.Passed {
		t.Errorf("closed as %+v, %v", got, err)
	}
}

func (c askedConn) Exec(ctx context.Context, text string, args ...any) (int64, error) {
	c.asked.all = append(c.asked.all, question{text, args})
	return c.Conn.Exec(ctx, text, args...)
}
