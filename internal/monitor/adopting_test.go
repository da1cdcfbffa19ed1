package monitor_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/monitor"
)

// While one process brings facts up to date with the keys that were declared, others link a call to
// an agent, and declare other keys: nothing of that is taken back, as it would be if they did not
// wait. Whoever finds the rows free does it at once, and otherwise afterwards. Whoever erases a call
// waits for more than its row, see TestWordsOfACallThatIsErasedWhileItIsCounted.
func TestWhatChangesWhileKeysAreAdopted(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	p := twoProcesses(t)
	facts := []monitor.Fact{{At: p.now.Add(-2 * time.Hour), Figures: monitor.Figures{Dims: map[string]string{"metadata.old": "1"}}}}
	if err := keep(ctx, p.store, facts); err != nil {
		t.Fatal(err)
	}
	if err := p.here.Rebuild(ctx); err != nil {
		t.Fatal(err)
	}
	if _, err := p.here.Declare(ctx, "ws_1", []string{"tier"}, nil); err != nil {
		t.Fatal(err)
	}
	write := func(f func(tx monitor.Tx) error) {
		t.Helper()
		if err := p.direct().Write(ctx, f); err != nil {
			t.Error(err)
		}
	}
	changes := map[string]func(){
		`monitor_facts WHERE call_id = '` + facts[0].CallID + `'`: func() {
			write(func(tx monitor.Tx) error { return p.other.Relinked(ctx, tx, facts[0].CallID, "agt_1") })
		},
		`monitor_dimensions WHERE workspace_id = 'ws_1'`: func() {
			if _, err := p.other.Declare(ctx, "ws_1", []string{"region"}, nil); err != nil {
				t.Error(err)
			}
		},
	}
	var later []func()
	p.between.adopts = func() {
		for row, change := range changes {
			if _, err := p.engine.Pool().Exec(ctx, `SELECT 1 FROM `+row+` FOR UPDATE NOWAIT`); err != nil {
				later = append(later, change)
				continue
			}
			change()
		}
	}
	for more := true; more; {
		if err := p.here.Rebuild(ctx); err != nil {
			t.Fatal(err)
		}
		more = len(later) > 0
		for _, change := range later {
			change()
		}
		later = nil
	}
	declared, err := p.here.Dimensions(ctx, "ws_1")
	if err != nil || !slices.Equal(declared.Keys, []string{"region"}) || p.between.adopts != nil {
		t.Errorf("%v were declared: %v", declared.Keys, err)
	}
	var left []monitor.Fact
	write(func(tx monitor.Tx) (err error) {
		left, err = tx.FactsBetween(ctx, "ws_1", string(call.Production), p.now.Add(-24*time.Hour), p.now)
		return err
	})
	if len(left) != 1 || left[0].CallID != facts[0].CallID || left[0].AgentID != "agt_1" || left[0].Dims != nil {
		t.Errorf("there are %+v", left)
	}
}
