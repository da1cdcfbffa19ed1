package sip

import (
	"bytes"
	"sync"
	"time"

	"github.com/ringtrue/ringtrue/internal/line/sip/screen"
)

// awaited keeps what has come in for the calls of ours that wait for their answer, as the
// sockets see it: one message after the other, before anybody handles them at once.
type awaited struct {
	mu    sync.Mutex
	calls map[string]*awaitedCall // by Call-ID
}

// awaitedCall is how far the answer of a call has come.
type awaitedCall struct {
	// unread is what was wrong with a final answer that could not be read, "" when there
	// was none: whoever waits for it would else take the far end for silent.
	unread string
	// came says that a 2xx has come in. settled is closed once its dialog is kept, or
	// there will be none.
	came    bool
	settled chan struct{}
	// rang are the first provisional responses.
	rang []provisional
}

// provisional is such a response as the sockets saw it.
type provisional struct {
	at    time.Time
	whole []byte
}

// expect begins to listen for a call.
func (w *awaited) expect(callID string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.calls == nil {
		w.calls = map[string]*awaitedCall{}
	}
	w.calls[callID] = &awaitedCall{settled: make(chan struct{})}
}

// settle ends that: the call's dialog is kept, or there will be none.
func (w *awaited) settle(callID string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if a := w.calls[callID]; a != nil {
		close(a.settled)
		delete(w.calls, callID)
	}
}

// unreadOf says what was wrong with a call's answer, "" when there was none of that kind.
func (w *awaited) unreadOf(callID string) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	if a := w.calls[callID]; a != nil {
		return a.unread
	}
	return ""
}

// settled is closed once the dialog is kept of a call whose answer is in; nil where there
// is nothing to wait for.
func (w *awaited) settled(callID string) <-chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	if a := w.calls[callID]; a != nil && a.came {
		return a.settled
	}
	return nil
}

// rangOf are the provisional responses of a call that have come in.
func (w *awaited) rangOf(callID string) []provisional {
	w.mu.Lock()
	defer w.mu.Unlock()
	if a := w.calls[callID]; a != nil {
		return a.rang
	}
	return nil
}

// note takes down what a message means for the call that waits for it. Those of
// strangers are not kept.
func (w *awaited) note(s screen.Result, now time.Time) {
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
	if a := w.calls[s.Rings]; a != nil && len(a.rang) < mostForks {
		a.rang = append(a.rang, provisional{now, bytes.Clone(s.Pass)})
	}
}
