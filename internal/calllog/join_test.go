package calllog_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/calllog"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/store"
)

// testCalls stores test calls with the ids test-0 to test-(n-1).
func testCalls(t *testing.T, st *store.Store, n int) {
	t.Helper()
	calls := make([]call.Call, n)
	for i := range calls {
		calls[i] = call.Call{
			ID: fmt.Sprintf("test-%d", i), WorkspaceID: "ws_1", Origin: call.Simulated, Status: call.Ended,
			ScoringStatus: call.Scored, CreatedAt: time.Now(), StartedAt: time.Now(), EndedAt: time.Now(),
		}
	}
	if err := st.Write(t.Context(), func(tx *store.Tx) error { return tx.InsertArrived(t.Context(), calls, true) }); err != nil {
		t.Fatal(err)
	}
}

// Two records of a test call that arrive at the same moment, in one process or two, and one of which
// may not be kept: nothing of the other one is kept either.
func TestAnOptOutAmongRecordsThatJoinAtOnce(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, st *store.Store) {
		const calls = 40
		testCalls(t, st, calls)
		processes := []*calllog.Service{told(store.As[calllog.Tx](st)), told(store.As[calllog.Tx](st))}
		for _, p := range processes {
			p.NewID = store.NewID
		}
		var all sync.WaitGroup
		for n := range 2 * calls {
			r := private()
			r.ExternalID = fmt.Sprintf("record-%d", n)
			if n%2 == 0 {
				r.Keep = calllog.KeepBasics
			}
			body := telling(t, r, map[string]any{"ringtrue_call": fmt.Sprintf("test-%d", n/2)})
			all.Go(func() {
				a, err := processes[n/4%2&n%2].Accept(t.Context(), "ws_1", body)
				if err != nil || a.ID != fmt.Sprintf("test-%d", n/2) {
					t.Errorf("%+v, %v", a, err)
				}
			})
		}
		all.Wait()
		for n := range calls {
			l, err := processes[0].Log(t.Context(), "ws_1", fmt.Sprintf("test-%d", n))
			if err != nil || len(l.Submissions) != 2 || l.Record.Keep != calllog.KeepBasics || l.Record.HasTranscript || strings.Contains(fmt.Sprint(l), planted()[0]) {
				t.Errorf("%d: %d records, keep %q, transcript %v, %v", n, len(l.Submissions), l.Record.Keep, l.Record.HasTranscript, err)
			}
		}
	})
}

// A record that is refused leaves its idempotency key for the next.
func TestARefusedRecordUsesNoKey(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, st *store.Store) {
		testCalls(t, st, 1)
		s := told(store.As[calllog.Tx](st))
		accept := func(n int) error {
			r := private()
			r.ExternalID = fmt.Sprintf("record-%d", n)
			ctx := st.UnderKey(t.Context(), "ws_1", fmt.Sprintf("key-%d", n), "digest")
			_, err := s.Accept(ctx, "ws_1", telling(t, r, map[string]any{"ringtrue_call": "test-0"}))
			return err
		}
		n := 0
		for ; accept(n) == nil; n++ {
			if n > 300 {
				t.Fatal("the records of one test call are not bounded")
			}
		}
		if err := accept(n); !problem.Is(err, problem.Conflict) {
			t.Fatal(err)
		}
		for key, want := range map[int]bool{n: false, n - 1: true} {
			if _, used, err := st.UseOfKey(t.Context(), "ws_1", fmt.Sprintf("key-%d", key), time.Now()); used != want || err != nil {
				t.Errorf("key %d of %d is used: %v, %v", key, n, used, err)
			}
		}
	})
}
