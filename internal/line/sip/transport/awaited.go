package transport

import (
	"bytes"
	"slices"
	"sync"
	"time"

	"github.com/ringtrue/ringtrue/internal/line/sip/screen"
)

// Awaited records what has arrived for our calls that are waiting for their answer, in order of arrival at the
// sockets, before it is handled concurrently. The zero value is ready to use.
type Awaited struct {
	mu    sync.Mutex
	calls map[string]*pending // by Call-ID
}

// pending is the state of a call that is waiting for its answer.
type pending struct {
	// unread says what was wrong with a final response that could not be parsed, "" if there
	// was none; the far end would otherwise be taken for silent.
	unread string
	// came is true once a 2xx has arrived. settled is closed once its dialog is registered, or
	// there will be none.
	came    bool
	settled chan struct{}
	// rang holds the first provisional response and the newest ones. ringing is closed once the
	// first has been handled, and its dialog, if any, is registered.
	rang    []Provisional
	rung    bool
	ringing chan struct{}
}

// mostRings bounds the number of provisional responses kept per call.
const mostRings = 32

// Provisional is a provisional response as seen by the sockets.
type Provisional struct {
	At    time.Time
	Whole []byte
}

// Expect starts recording for a call.
func (w *Awaited) Expect(callID string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.calls == nil {
		w.calls = map[string]*pending{}
	}
	w.calls[callID] = &pending{settled: make(chan struct{}), ringing: make(chan struct{})}
}

// Settle stops recording: the call's dialog is registered, or there will be none.
func (w *Awaited) Settle(callID string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if a := w.calls[callID]; a != nil {
		a.rings()
		close(a.settled)
		delete(w.calls, callID)
	}
}

// Rings records that a provisional response of a call has been handled.
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

// UnreadOf returns what was wrong with a call's unreadable final response, "" if there was none.
func (w *Awaited) UnreadOf(callID string) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	if a := w.calls[callID]; a != nil {
		return a.unread
	}
	return ""
}

// Settled returns a channel that is closed once the dialog of a call that was answered or rings
// is registered, nil if there is nothing to wait for.
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

// RangOf returns the provisional responses of a call in order of arrival.
func (w *Awaited) RangOf(callID string) []Provisional {
	w.mu.Lock()
	defer w.mu.Unlock()
	if a := w.calls[callID]; a != nil {
		return slices.Clone(a.rang)
	}
	return nil
}

// note records what a message means for the call that is waiting for it. Messages for other
// calls are ignored.
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
