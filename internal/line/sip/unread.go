package sip

import (
	"strings"
	"sync"
)

// unread keeps to which calls of ours a final answer has come that could not be
// read: whoever waits for it would else take the far end for silent.
type unread struct {
	mu    sync.Mutex
	calls map[string]string // what was wrong, by Call-ID; "" is nothing so far
}

// expect begins to listen for a call.
func (u *unread) expect(callID string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.calls == nil {
		u.calls = map[string]string{}
	}
	u.calls[callID] = ""
}

// forget ends that.
func (u *unread) forget(callID string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	delete(u.calls, callID)
}

// of says what was wrong with a call's answer, "" when there was none of that kind.
func (u *unread) of(callID string) string {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.calls[callID]
}

// note takes down an answer that could not be read. Those of strangers are not kept.
func (u *unread) note(a riddle) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if _, ours := u.calls[a.callID]; ours {
		u.calls[a.callID] = a.why
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
