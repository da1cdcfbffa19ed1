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

// asked counts what is asked for that goes over all series of a workspace.
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

// Whoever has twice the agents has twice the looks, and none of them goes over what was found of all the others.
func TestALookGoesOverNoOtherSeries(t *testing.T) {
	t.Parallel()
	const agents = 200
	ctx := context.Background()
	engine, err := sqlite.Open(ctx, filepath.Join(t.TempDir(), "ringtrue.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = engine.Close() }()
	now := time.Date(2026, 6, 30, 12, 1, 0, 0, time.UTC)
	clock := func() time.Time { return now }
	s := store.New(engine, nil, clock)
	counts := &asked{Store: store.As[monitor.Tx](s)}
	m := monitor.New(monitor.Options{Store: counts, Now: clock})
	hour := now.Add(-3 * time.Hour).Truncate(time.Hour)
	err = s.Write(ctx, func(tx *store.Tx) error {
		facts := make([]monitor.Fact, agents)
		for i := range facts {
			facts[i] = monitor.Fact{CallID: store.NewID("call"), WorkspaceID: "ws_1", Origin: call.Production, AgentID: fmt.Sprint("agt_", i), At: hour}
		}
		if err := tx.PutFacts(ctx, facts); err != nil {
			return err
		}
		return tx.PutMarks(ctx, []monitor.Mark{{WorkspaceID: "ws_1", Origin: string(call.Production), Hour: hour}})
	})
	if err != nil {
		t.Fatal(err)
	}
	if more, err := m.Refresh(ctx); err != nil || more {
		t.Fatal(more, err)
	}
	var looked int
	err = s.Read(ctx, func(tx *store.Tx) error {
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
