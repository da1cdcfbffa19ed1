package monitor_test

import (
	"context"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/monitor"
	"github.com/ringtrue/ringtrue/internal/store"
)

// meanwhile calls a function once, after a look has read its history.
type meanwhile struct {
	monitor.Store
	then func()
}

type meanwhileTx struct {
	monitor.Tx
	looks *bool
}

func (m *meanwhile) Read(ctx context.Context, f func(monitor.Tx) error) error {
	looks := false
	err := m.Store.Read(ctx, func(tx monitor.Tx) error { return f(meanwhileTx{tx, &looks}) })
	if looks {
		once(&m.then)
	}
	return err
}

func (t meanwhileTx) CountReports(ctx context.Context, workspaceID, origin string) (map[string]int, error) {
	*t.looks = true
	return t.Tx.CountReports(ctx, workspaceID, origin)
}

// interrupted is a service whose looks another process interrupts, on one database.
type interrupted struct {
	t           *testing.T
	now         time.Time
	store       *store.Store
	look        meanwhile
	here, other *monitor.Service
}

func beInterrupted(t *testing.T) *interrupted {
	t.Helper()
	i := &interrupted{t: t, now: time.Date(2026, 6, 30, 12, 1, 0, 0, time.UTC)}
	clock := func() time.Time { return i.now }
	i.store, i.here = begun(t, clock, func(over monitor.Store) monitor.Store {
		i.look.Store = over
		return &i.look
	})
	i.other = monitor.New(monitor.Options{Store: i.look.Store, Now: clock})
	return i
}

// settle adds facts and has one of the two look at what there is.
func (i *interrupted) settle(by *monitor.Service, facts []monitor.Fact) {
	i.t.Helper()
	if err := keep(context.Background(), i.store, facts); err != nil {
		i.t.Fatal(err)
	}
	if _, err := by.Refresh(context.Background()); err != nil {
		i.t.Fatal(err)
	}
}

// redo is from when on the history is to be looked at again, zero for not at all.
func (i *interrupted) redo() (at time.Time) {
	i.t.Helper()
	ctx := context.Background()
	err := i.store.Read(ctx, func(tx *store.Tx) error {
		reports, err := tx.Reports(ctx, "ws_1", string(call.Production))
		at = reports[0].Redo
		return err
	})
	if err != nil {
		i.t.Fatal(err)
	}
	return at
}

// If another process adds calls to an old hour while it is being looked at, the hour must be looked
// at again, however often it has changed before.
func TestAnHourThatChangesDuringALookIsLookedAtAgain(t *testing.T) {
	t.Parallel()
	i := beInterrupted(t)
	hour := i.now.Truncate(time.Hour).Add(-30 * 24 * time.Hour)
	i.settle(i.here, calls(i.now.Truncate(time.Hour).Add(-time.Hour), call.EndCompleted, 3))
	i.now = i.now.Add(time.Hour)
	i.look.then = func() { i.settle(i.other, calls(hour, call.EndProviderError, 12)) }
	i.settle(i.here, calls(hour, call.EndCompleted, 1))
	if i.look.then != nil || !i.redo().Equal(hour) {
		t.Errorf("the hour is to be looked at from %v on, and not from %v", i.redo(), hour)
	}
	i.now = i.now.Add(time.Hour)
	i.settle(i.here, nil)
	if !i.redo().IsZero() {
		t.Errorf("it is never done: %v", i.redo())
	}
}

// That is so of an hour, too, that no look before has come to: as far as this one goes, what departs
// in it should have been told by it.
func TestAnHourThatChangesDuringItsFirstLookIsLookedAtAgain(t *testing.T) {
	t.Parallel()
	i := beInterrupted(t)
	i.settle(i.here, calls(i.now.Add(-2*time.Hour), call.EndCompleted, 3))
	i.now = i.now.Add(5 * time.Hour) // nobody looked meanwhile
	hour := i.now.Truncate(time.Hour).Add(-3 * time.Hour)
	i.look.then = func() { i.settle(i.other, calls(hour, call.EndProviderError, 12)) }
	i.settle(i.here, calls(hour.Add(time.Hour), call.EndCompleted, 1))
	if i.look.then != nil || !i.redo().Equal(hour) {
		t.Errorf("the hour is to be looked at from %v on, and not from %v", i.redo(), hour)
	}
}
