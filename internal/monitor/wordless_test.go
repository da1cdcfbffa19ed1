package monitor_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/monitor"
	"github.com/ringtrue/ringtrue/internal/store"
)

// Where there are more groups than are told apart, later calls are grouped by their end alone. They
// stay in that group when the one call whose own group it is has been erased.
func TestCallsGroupedByTheirEndAloneOutliveTheOneWithoutWords(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	now := time.Date(2026, 6, 30, 12, 1, 0, 0, time.UTC)
	s, svc := begun(t, func() time.Time { return now }, func(s monitor.Store) monitor.Store { return s })
	settle := func(tx *store.Tx, hours time.Duration, words string) (string, error) {
		c := call.Call{
			ID: store.NewID("call"), WorkspaceID: "ws_1", Origin: call.Production, Status: call.Ended,
			EndReason: call.EndOf(call.EndAgentError, "error"), StartedAt: now.Add(-hours * time.Hour),
		}
		return c.ID, svc.Settled(ctx, tx, c, call.Review{Heard: call.Heard{Turns: []call.Turn{{Speaker: call.Agent, Text: words}}}}, call.Reported{})
	}
	var wordless string
	for _, change := range []func(tx *store.Tx) error{
		func(tx *store.Tx) error {
			for i := range 510 {
				if _, err := settle(tx, 2, fmt.Sprintf("word%c%c%c", 'a'+i/100, 'a'+i/10%10, 'a'+i%10)); err != nil {
					return err
				}
			}
			return nil
		},
		func(tx *store.Tx) (err error) {
			wordless, err = settle(tx, 1, "")
			return err
		},
		func(tx *store.Tx) error { return svc.Forget(ctx, tx, wordless) },
	} {
		if err := s.Write(ctx, change); err != nil {
			t.Fatal(err)
		}
		if err := svc.Rebuild(ctx); err != nil {
			t.Fatal(err)
		}
	}
	got, err := svc.Failures(ctx, "ws_1", monitor.Query{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	if got.Failed.Count != 510 || got.Groups[0].Calls.Count != 10 || got.Groups[0].LastWords != nil {
		t.Errorf("of %d calls the largest group has %d, and not the 10 beyond 500 groups", got.Failed.Count, got.Groups[0].Calls.Count)
	}
}
