package calllog_test

import (
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringtrue/ringtrue/internal/calllog"
)

// gather submits call logs such that the first is stored alone and the others form a group after
// it.
func gather(t *testing.T, s *calllog.Service, all *sync.WaitGroup, many int, prefix string) {
	t.Helper()
	for i := range many {
		all.Go(func() {
			if _, err := s.Accept(t.Context(), "ws_1", log(t, func(_, p map[string]any) { p["call_id"] = prefix + strconv.Itoa(i) })); err != nil {
				t.Error(err)
			}
		})
		synctest.Wait()
	}
}

// A rush is not over when one transaction in it has little to store.
func TestBusy(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Until(received)) // the calls are over by then
		hold := make(chan struct{})
		s := setup(&memory{before: func() { <-hold }})
		s.Now = time.Now
		accept := func(many int, prefix string) {
			var all sync.WaitGroup
			gather(t, s, &all, many, prefix)
			for range min(many, 2) {
				hold <- struct{}{}
			}
			all.Wait()
		}
		if accept(1, "a"); s.Busy() {
			t.Error("one call log is a rush")
		}
		if accept(10, "b"); !s.Busy() {
			t.Error("many at once are none")
		}
		if accept(1, "c"); !s.Busy() {
			t.Error("it was over with the first that came alone")
		}
		s.Now = func() time.Time { return time.Now().Add(-time.Hour) }
		if s.Busy() {
			t.Error("it lasts until the clock is where it was")
		}
		s.Now = time.Now
		if time.Sleep(50 * time.Millisecond); s.Busy() {
			t.Error("it goes on while nothing comes")
		}
		if accept(1, "d"); !s.Busy() {
			t.Error("it was over with a pause")
		}
		time.Sleep(time.Second)
		if accept(1, "e"); s.Busy() {
			t.Error("it is never over")
		}
	})
}

// A rush is not over when storing a group takes long: reviews that start then would make the
// next group take even longer.
func TestBusyWhileAGroupTakesLong(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Until(received)) // the calls are over by then
		hold := make(chan struct{})
		s := setup(&memory{before: func() { <-hold }})
		s.Now = time.Now
		var all sync.WaitGroup
		gather(t, s, &all, 3, "few")
		if time.Sleep(time.Minute); s.Busy() {
			t.Error("few that take long are a rush")
		}
		gather(t, s, &all, 7, "many")
		if time.Sleep(time.Minute); !s.Busy() {
			t.Error("many that wait are none")
		}
		hold <- struct{}{}
		if time.Sleep(time.Minute); !s.Busy() {
			t.Error("many that are being stored are none")
		}
		hold <- struct{}{}
		all.Wait()
		if time.Sleep(time.Minute); s.Busy() {
			t.Error("it is never over")
		}
	})
}
