package sip

import (
	"strings"
	"sync"
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

// note takes down what a message means for the call that waits for it. Those of
// strangers are not kept.
func (w *awaited) note(s screened) {
	if s.answers == "" && s.riddle == (riddle{}) {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if a := w.calls[s.riddle.callID]; a != nil {
		a.unread = s.riddle.why
	}
	if a := w.calls[s.answers]; a != nil {
		a.came = true
	}
}

// riddle is a final answer to an INVITE that cannot be read; the zero value is none.
type riddle struct{ callID, why string }

// riddle says what is wrong with a message if it is such an answer.
func (m *message) riddle(f *fault) riddle {
	ids, numbers := m.all("Call-ID"), m.all("CSeq")
	if m.status < 200 || len(ids) == 0 || len(numbers) > 0 && !strings.HasSuffix(numbers[0], "INVITE") {
		return riddle{}
	}
	return riddle{ids[0], strings.TrimPrefix(f.reason, malformed("").reason)}
}

// riddleIn is the riddle of a message on a stream whose end cannot be told.
func riddleIn(head []byte) riddle {
	m, _ := readMessage(append(append([]byte{}, head...), "\r\n\r\n"...))
	if m == nil {
		return riddle{}
	}
	return m.riddle(malformed("Content-Length"))
}
