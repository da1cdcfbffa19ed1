package sip

import (
	"bytes"
	"net/netip"
	"runtime/debug"
	"time"

	msg "github.com/emiago/sipgo/sip"
)

// abandoned is an INVITE that we gave up; an answer that still comes to it is hung up.
type abandoned struct {
	request *msg.Request
	login   login
	until   time.Time
	refused bool // by a final response: its transaction takes no answer any more
}

// abandon remembers an INVITE that was given up, for as long as an answer may still come.
func (e *endpoint) abandon(req *msg.Request, l login) { e.remember(abandoned{request: req, login: l}) }

func (e *endpoint) remember(one abandoned) {
	e.mu.Lock()
	defer e.mu.Unlock()
	now := e.now()
	for id, a := range e.abandoned {
		if a.until.Before(now) {
			delete(e.abandoned, id)
		}
	}
	one.until = now.Add(64 * e.times.t1)
	e.abandoned[one.request.CallID().Value()] = one
}

// lateAnswer takes an answer to an INVITE that was refused before, and says whether it
// was one: a proxy passes on whatever phone is picked up (RFC 3261 section 16.7).
func (e *endpoint) lateAnswer(callID string, whole []byte, from netip.AddrPort) bool {
	e.mu.Lock()
	late := e.abandoned[callID].refused
	e.mu.Unlock()
	if !late {
		return false
	}
	m, err := msg.ParseMessage(bytes.Clone(whole))
	res, ok := m.(*msg.Response)
	if err == nil && ok {
		res.SetSource(netip.AddrPortFrom(from.Addr().Unmap(), from.Port()).String())
		e.wg.Go(func() { e.stray(res) })
	}
	return true
}

// stray takes a response that belongs to no transaction. An answer to a call
// that we gave up would leave a live, billed call behind: it is hung up.
func (e *endpoint) stray(res *msg.Response) {
	defer func() {
		if r := recover(); r != nil {
			e.log.Error("a SIP response could not be handled", "panic", r, "stack", string(debug.Stack()))
		}
	}()
	if !res.IsSuccess() || res.CSeq() == nil || res.CSeq().MethodName != msg.INVITE || res.CallID() == nil {
		return
	}
	e.mu.Lock()
	a, ok := e.abandoned[res.CallID().Value()]
	e.mu.Unlock()
	if ok {
		e.hangUpStray(a, res)
	}
}

func (e *endpoint) hangUpStray(a abandoned, res *msg.Response) {
	d, err := e.dialogAsCaller(a.request, res)
	if err != nil {
		return
	}
	d.login = a.login
	_ = d.ack()
	d.bye("")
}
