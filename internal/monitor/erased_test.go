package monitor_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/monitor"
	"github.com/ringtrue/ringtrue/internal/store"
)

// waiting tells when it begins to wait for whoever counts.
type waiting struct {
	monitor.Tx
	tell func()
}

func (w waiting) HoldMonitor(ctx context.Context) error {
	w.tell()
	return w.Tx.HoldMonitor(ctx)
}

// A call that is erased, or reviewed again with other last words, while another process counts its
// hour leaves nothing of what the agent said last.
func TestWordsOfACallThatIsErasedWhileItIsCounted(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	p := twoProcesses(t)
	for name, change := range map[string]func(tx monitor.Tx, callID string) error{
		"erased": func(tx monitor.Tx, callID string) error { return p.other.Forget(ctx, tx, callID) },
		"reviewed again": func(tx monitor.Tx, callID string) error {
			c := call.Call{ID: callID, WorkspaceID: "ws_1", Origin: call.Production, Status: call.Ended, StartedAt: p.now.Add(-2 * time.Hour)}
			return p.other.Settled(ctx, tx, c, call.Review{}, call.Reported{})
		},
	} {
		facts := []monitor.Fact{{
			At: p.now.Add(-2 * time.Hour), Act: "your secret was " + name, Failure: "0123456789 " + name,
			Figures: monitor.Figures{Answered: true, Dropped: true},
		}}
		if err := keep(ctx, p.store, facts); err != nil {
			t.Fatal(err)
		}
		changed := make(chan error, 1)
		p.between.counts = func() {
			begun := make(chan bool, 2)
			tell := func() { begun <- true }
			go func() {
				changed <- p.direct().Write(ctx, func(tx monitor.Tx) error { return change(waiting{tx, tell}, facts[0].CallID) })
				tell()
			}()
			<-begun // it waits, or is done
		}
		if err := p.here.Rebuild(ctx); err != nil {
			t.Fatal(err)
		}
		if err := <-changed; err != nil {
			t.Fatal(err)
		}
		if err := p.here.Rebuild(ctx); err != nil {
			t.Fatal(err)
		}
		err := p.store.Read(ctx, func(tx *store.Tx) error {
			texts, err := tx.Texts(ctx, "ws_1", monitor.KindAct, monitor.KindFailure)
			for _, v := range texts {
				if strings.Contains(v.Text+v.Detail, "secret") || v.Text == facts[0].Failure {
					t.Errorf("%s: %+v is kept", name, v)
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
