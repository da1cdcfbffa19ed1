package transport

import (
	"bytes"
	"slices"
	"sync"
	"time"

	"github.com/ringtrue/ringtrue/internal/line/sip/screen"
)

// Awaited keeps what has come in for the calls of ours that wait for their answer, as the
// sockets see it: one message after the other, before anybody handles them at once. The zero value waits for none.
type Awaited struct {
	mu    sync.Mutex
	calls map[string]*pending // by Call-ID
}

// pending is how far the answer of a call has come.
type pending struct {
	// unread is what was wrong with a final answer that could not be read, "" when there
	// was none: whoever waits for it would else take the far end for silent.
	unread string
	// came says that a 2xx has come in. settled is closed once its dialog is kept, or
	// there will be none.
	came    bool
	settled chan struct{}
	// rang are the first provisional response and the newest ones. ringing is closed once the
	// first has been dealt with, and its dialog is kept if it makes one.
	rang    []Provisional
	rung    bool
	ringing chan struct{}
}

// mostRings is of how many provisional responses to a call are kept.
const mostRings = 32

// Provisional is such a response as the sockets saw it.
type Provisional struct {
	At    time.Time
	Whole []byte
}

// Expect begins to listen for a call.
func (w *Awaited) Expect(callID string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.calls == nil {
		w.calls = map[string]*pending{}
	}
	w.calls[callID] = &pending{settled: make(chan struct{}), ringing: make(chan struct{})}
}

// Settle ends that: the call's dialog is kept, or there will be none.
func (w *Awaited) Settle(callID string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if a := w.calls[callID]; a != nil {
		a.rings()
		close(a.settled)
		delete(w.calls, callID)
	}
}

// Rings notes that a provisional response of a call has been dealt with.
func (w *Awaited) Rings(callID string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if a := w.calls[callID]; a != nil {
		a.rings()
	}
}

func (a *pending) rings() {
	if !a.rung {
		a.rung = true
		close(a.ringing)
	}
}

// UnreadOf says what was wrong with a call's answer, "" when there was none of that kind.
func (w *Awaited) UnreadOf(callID string) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	if a := w.calls[callID]; a != nil {
		return a.unread
	}
	return ""
}

// Settled is closed once the dialog is kept of a call whose answer is in, or that rings; nil
// where there is nothing to wait for.
func (w *Awaited) Settled(callID string) <-chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch a := w.calls[callID]; {
	case a == nil:
		return nil
	case a.came:
		return a.settled
	case len(a.rang) > 0:
		return a.ringing
	}
	return nil
}

// RangOf are the provisional responses of a call that have come in, in their order.
func (w *Awaited) RangOf(callID string) []Provisional {
	w.mu.Lock()
	defer w.mu.Unlock()
	if a := w.calls[callID]; a != nil {
		return slices.Clone(a.rang)
	}
	return nil
}

// note takes down what a message means for the call that waits for it. Those of
// strangers are not kept.
func (w *Awaited) note(s screen.Result, now time.Time) {
	if s.Answers == "" && s.Rings == "" && s.Riddle == (screen.Riddle{}) {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if a := w.calls[s.Riddle.CallID]; a != nil {
		a.unread = s.Riddle.Why
	}
	if a := w.calls[s.Answers]; a != nil {
		a.came = true
	}
	if a := w.calls[s.Rings]; a != nil {
		if len(a.rang) == mostRings {
			a.rang = slices.Delete(a.rang, 1, 2)
		}
		a.rang = append(a.rang, Provisional{now, bytes.Clone(s.Pass)})
	}
}
