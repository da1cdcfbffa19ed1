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
	if then := m.then; looks && then != nil {
		m.then = nil
		then()
	}
	return err
}

func (t meanwhileTx) CountReports(ctx context.Context, workspaceID, origin string) (map[string]int, error) {
	*t.looks = true
	return t.Tx.CountReports(ctx, workspaceID, origin)
}

// If another process adds calls to an old hour while it is being looked at, the hour must be looked
// at again, however often it has changed before.
func TestAnHourThatChangesDuringALookIsLookedAtAgain(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	now := time.Date(2026, 6, 30, 12, 1, 0, 0, time.UTC)
	clock := func() time.Time { return now }
	var look meanwhile
	s, m := begun(t, clock, func(over monitor.Store) monitor.Store {
		look.Store = over
		return &look
	})
	other := monitor.New(monitor.Options{Store: look.Store, Now: clock})
	settle := func(by *monitor.Service, facts []monitor.Fact) {
		t.Helper()
		if err := keep(ctx, s, facts); err != nil {
			t.Fatal(err)
		}
		if _, err := by.Refresh(ctx); err != nil {
			t.Fatal(err)
		}
	}
	redo := func() (at time.Time) {
		t.Helper()
		err := s.Read(ctx, func(tx *store.Tx) error {
			reports, err := tx.Reports(ctx, "ws_1", string(call.Production))
			at = reports[0].Redo
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return at
	}
	hour := now.Truncate(time.Hour).Add(-30 * 24 * time.Hour)
	settle(m, calls(now.Truncate(time.Hour).Add(-time.Hour), call.EndCompleted, 3))
	now = now.Add(time.Hour)
	look.then = func() { settle(other, calls(hour, call.EndProviderError, 12)) }
	settle(m, calls(hour, call.EndCompleted, 1))
	if look.then != nil || !redo().Equal(hour) {
		t.Errorf("the hour is to be looked at from %v on, and not from %v", redo(), hour)
	}
	now = now.Add(time.Hour)
	settle(m, nil)
	if !redo().IsZero() {
		t.Errorf("it is never done: %v", redo())
	}
}

// That is so of an hour, too, that no look before has come to: as far as this one goes, what departs
// in it should have been told by it.
func TestAnHourThatChangesDuringItsFirstLookIsLookedAtAgain(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	now := time.Date(2026, 6, 30, 12, 1, 0, 0, time.UTC)
	clock := func() time.Time { return now }
	var look meanwhile
	s, m := begun(t, clock, func(over monitor.Store) monitor.Store {
		look.Store = over
		return &look
	})
	other := monitor.New(monitor.Options{Store: look.Store, Now: clock})
	settle := func(by *monitor.Service, facts []monitor.Fact) {
		t.Helper()
		if err := keep(ctx, s, facts); err != nil {
			t.Fatal(err)
		}
		if _, err := by.Refresh(ctx); err != nil {
			t.Fatal(err)
		}
	}
	settle(m, calls(now.Add(-2*time.Hour), call.EndCompleted, 3))
	now = now.Add(5 * time.Hour) // nobody looked meanwhile
	hour := now.Truncate(time.Hour).Add(-3 * time.Hour)
	look.then = func() { settle(other, calls(hour, call.EndProviderError, 12)) }
	settle(m, calls(hour.Add(time.Hour), call.EndCompleted, 1))
	err := s.Read(ctx, func(tx *store.Tx) error {
		reports, err := tx.Reports(ctx, "ws_1", string(call.Production))
		if look.then != nil || !reports[0].Redo.Equal(hour) {
			t.Errorf("the hour is to be looked at from %v on, and not from %v", reports[0].Redo, hour)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A process that stalls during a look until another has looked as well must not store its result.
func TestALookThatComesTooLateTakesNothingBack(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	now := time.Date(2026, 6, 30, 12, 1, 0, 0, time.UTC)
	clock := func() time.Time { return now }
	var look meanwhile
	s, m := begun(t, clock, func(over monitor.Store) monitor.Store {
		look.Store = over
		return &look
	})
	other := monitor.New(monitor.Options{Store: look.Store, Now: clock})
	look.then = func() {
		now = now.Add(2 * time.Hour)
		if _, err := other.Refresh(ctx); err != nil {
			t.Error(err)
		}
	}
	if err := keep(ctx, s, calls(now.Truncate(time.Hour).Add(-time.Hour), call.EndCompleted, 3)); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Refresh(ctx); err != nil {
		t.Fatal(err)
	}
	err := s.Read(ctx, func(tx *store.Tx) error {
		reports, err := tx.Reports(ctx, "ws_1", string(call.Production))
		if want := now.Truncate(10 * time.Minute); !reports[0].Until.Equal(want) {
			t.Errorf("what was looked at up to %v has become what it was up to %v", want, reports[0].Until)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
