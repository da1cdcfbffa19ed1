package monitor_test

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/monitor"
	"github.com/ringtrue/ringtrue/internal/store"
	"github.com/ringtrue/ringtrue/internal/store/sqlite"
)

// asked counts the queries that involve all series of a workspace.
type asked struct {
	monitor.Store
	all, due int
}

type askedTx struct {
	monitor.Tx
	of *asked
}

func (a *asked) Read(ctx context.Context, f func(monitor.Tx) error) error {
	return a.Store.Read(ctx, func(tx monitor.Tx) error { return f(askedTx{tx, a}) })
}

func (t askedTx) Reports(ctx context.Context, workspaceID, origin string) ([]monitor.StoredReport, error) {
	t.of.all++
	return t.Tx.Reports(ctx, workspaceID, origin)
}

func (t askedTx) OldReports(ctx context.Context, origin string, since int, until, before time.Time, limit int) ([]monitor.StoredReport, error) {
	t.of.due++
	return t.Tx.OldReports(ctx, origin, since, until, before, limit)
}

// begun returns a service on a new database, whose store wrap may wrap.
func begun(t *testing.T, clock func() time.Time, wrap func(monitor.Store) monitor.Store) (*store.Store, *monitor.Service) {
	t.Helper()
	engine, err := sqlite.Open(context.Background(), filepath.Join(t.TempDir(), "ringtrue.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = engine.Close() })
	s := store.New(engine, nil, clock)
	return s, monitor.New(monitor.Options{Store: wrap(store.As[monitor.Tx](s)), Now: clock})
}

// keep stores facts of one workspace and marks their hours.
func keep(ctx context.Context, s *store.Store, facts []monitor.Fact) error {
	return s.Write(ctx, func(tx *store.Tx) error {
		var marks []monitor.Mark
		for i := range facts {
			f := &facts[i]
			f.CallID, f.WorkspaceID, f.Origin = store.NewID("call"), "ws_1", call.Production
			m := monitor.Mark{WorkspaceID: f.WorkspaceID, Origin: string(f.Origin), Hour: f.At.Truncate(time.Hour)}
			if len(marks) == 0 || marks[len(marks)-1] != m {
				marks = append(marks, m)
			}
		}
		if err := tx.PutFacts(ctx, facts); err != nil {
			return err
		}
		return tx.PutMarks(ctx, marks)
	})
}

// With twice the agents there are twice the looks, but none of them reads what was found about all
// the others.
func TestALookGoesOverNoOtherSeries(t *testing.T) {
	t.Parallel()
	const agents = 200
	ctx := context.Background()
	now := time.Date(2026, 6, 30, 12, 1, 0, 0, time.UTC)
	counts := &asked{}
	s, m := begun(t, func() time.Time { return now }, func(over monitor.Store) monitor.Store {
		counts.Store = over
		return counts
	})
	facts := make([]monitor.Fact, agents)
	for i := range facts {
		facts[i] = monitor.Fact{AgentID: fmt.Sprint("agt_", i), At: now.Add(-3 * time.Hour)}
	}
	if err := keep(ctx, s, facts); err != nil {
		t.Fatal(err)
	}
	if more, err := m.Refresh(ctx); err != nil || more {
		t.Fatal(more, err)
	}
	var looked int
	err := s.Read(ctx, func(tx *store.Tx) error {
		reports, err := tx.Reports(ctx, "ws_1", string(call.Production))
		for _, r := range reports {
			if len(r.Found) > 0 {
				looked++
			}
		}
		return err
	})
	if err != nil || looked != agents+1 {
		t.Errorf("%d series were looked at, not %d: %v", looked, agents+1, err)
	}
	if counts.all > 0 || counts.due > agents/10 {
		t.Errorf("for %d looks all that was found was read %d times, and %d times all series for one that is due", looked, counts.all, counts.due)
	}
}
