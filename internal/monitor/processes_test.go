package monitor_test

import (
	"context"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/monitor"
	"github.com/ringtrue/ringtrue/internal/store"
	"github.com/ringtrue/ringtrue/internal/store/postgres"
	"github.com/ringtrue/ringtrue/internal/store/postgres/pgtest"
)

// processes are two on one PostgreSQL database. between is what happens in the middle of what here does.
type processes struct {
	engine      *postgres.Engine
	store       *store.Store
	now         time.Time
	between     between
	here, other *monitor.Service
}

func twoProcesses(t *testing.T) *processes {
	t.Helper()
	p := &processes{now: time.Date(2026, 6, 30, 12, 1, 0, 0, time.UTC)}
	clock := func() time.Time { return p.now }
	var err error
	if p.engine, err = postgres.Open(context.Background(), pgtest.Database(t)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.engine.Close() })
	p.store = store.New(p.engine, nil, clock)
	p.between.Store = p.direct()
	p.here = monitor.New(monitor.Options{Store: &p.between, Now: clock})
	p.other = monitor.New(monitor.Options{Store: p.direct(), Now: clock})
	return p
}

// direct is the database without anything in between.
func (p *processes) direct() monitor.Store { return store.As[monitor.Tx](p.store) }

// between calls functions once: when facts that are to be brought up to date have been read, and
// when facts have been read to be counted.
type between struct {
	monitor.Store
	adopts, counts func()
}

type betweenTx struct {
	monitor.Tx
	of *between
}

func (b *between) Write(ctx context.Context, f func(monitor.Tx) error) error {
	return b.Store.Write(ctx, func(tx monitor.Tx) error { return f(betweenTx{tx, b}) })
}

func (t betweenTx) MetadataOf(ctx context.Context, callIDs, keys []string) (map[string]map[string]string, error) {
	once(&t.of.adopts)
	return t.Tx.MetadataOf(ctx, callIDs, keys)
}

func (t betweenTx) PutTexts(ctx context.Context, workspaceID string, values []monitor.Value) error {
	once(&t.of.counts)
	return t.Tx.PutTexts(ctx, workspaceID, values)
}

// once calls the function, if there is one, and never again.
func once(f *func()) {
	if then := *f; then != nil {
		*f = nil
		then()
	}
}
