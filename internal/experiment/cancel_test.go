package experiment

import (
	"context"
	"testing"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/leg"
)

// Nobody is called once the experiment is canceled, also not by a call whose caller is still being made.
func TestACallThatIsCanceledBeforeItIsDialled(t *testing.T) {
	t.Parallel()
	w := newWorld()
	e := start(t, w)
	w.Cast = func(context.Context, Casting) (Party, error) {
		_, err := w.Cancel(t.Context(), "ws_1", e.ID)
		return w.party, err
	}
	w.Line = lineFunc(func(ctx context.Context, _ leg.Dial, _ *leg.Tape) call.Attempt {
		if ctx.Err() == nil {
			t.Error("the call was dialled")
		}
		return call.Attempt{EndReason: call.EndOf(call.EndInterrupted, "canceled")}
	})
	if err := w.Place(t.Context(), "call_0002"); err != nil {
		t.Fatal(err)
	}
	if c := w.store.call("call_0002"); c.Status != call.Canceled || !c.AnsweredAt.IsZero() {
		t.Errorf("the call is %s", c.Status)
	}
	if w.isOnLine("call_0002") {
		t.Error("the call is still on the line")
	}
}
