package sip

import (
	"bytes"
	"net/netip"
	"runtime/debug"
	"time"

	msg "github.com/emiago/sipgo/sip"

	"github.com/ringtrue/ringtrue/internal/line/sip/login"
)

// abandoned is an INVITE that we gave up. Answers to it are hung up.
type abandoned struct {
	request *msg.Request
	login   login.Login
	until   time.Time
	refused bool // by a final response: its transaction accepts no answer any more
	// pracks is how many PRACKs were sent for it before there was an answer.
	pracks uint32
}

// left returns the record of an INVITE of this call that was given up.
func (c *placing) left(req *msg.Request) abandoned {
	return abandoned{request: req, login: c.loginOf(), pracks: c.pracks.Load()}
}

// abandon remembers an INVITE that was given up, for as long as an answer may still come.
func (c *placing) abandon(req *msg.Request) { c.e.remember(c.left(req)) }

func (e *endpoint) remember(one abandoned) {
	e.mu.Lock()
	defer e.mu.Unlock()
	now := e.now()
	for id, all := range e.abandoned {
		if all[len(all)-1].until.Before(now) {
			delete(e.abandoned, id)
		}
	}
	one.until = now.Add(64 * e.times.t1)
	id := one.request.CallID().Value()
	e.abandoned[id] = append(e.abandoned[id], &one)
}

// givenUp returns the abandoned INVITE that a response belongs to, nil if there is none. A 2xx
// to another INVITE of the same call is hung up too.
func (e *endpoint) givenUp(res *msg.Response) *abandoned {
	branch := branchOf(res.Via())
	e.mu.Lock()
	defer e.mu.Unlock()
	all := e.abandoned[res.CallID().Value()]
	for _, a := range all {
		if branchOf(a.request.Via()) == branch {
			return a
		}
	}
	if len(all) > 0 && res.IsSuccess() {
		return all[len(all)-1]
	}
	return nil
}

// answeredBy returns the call in progress that was begun by this very answer, nil if there is none.
func (e *endpoint) answeredBy(res *msg.Response) *dialog {
	if !res.IsSuccess() || res.From() == nil || res.To() == nil {
		return nil
	}
	tag, _ := res.From().Params.Get("tag")
	if d := e.dialog(res.CallID().Value(), tag); d != nil && !d.early && d.farTag == farTag(res) {
		return d
	}
	return nil
}

// branchOf returns the identifier of a transaction.
func branchOf(via *msg.ViaHeader) string {
	if via == nil {
		return ""
	}
	branch, _ := via.Params.Get("branch")
	return branch
}

// lateAnswer handles an answer to an INVITE that was refused before, and reports whether it was
// one: a proxy forwards the answer of any phone (RFC 3261 section 16.7).
func (e *endpoint) lateAnswer(callID string, whole []byte, from netip.AddrPort) bool {
	e.mu.Lock()
	all := e.abandoned[callID]
	late := len(all) > 0 && all[len(all)-1].refused
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

// stray handles a response that belongs to no transaction. An answer to a call that we gave up would leave
// behind a live, billed call: it is hung up. A phone that rings only now, because the trunk was slow, would
// ring for nobody; its call could not be cancelled before the first response (RFC 3261 section 9.1).
func (e *endpoint) stray(res *msg.Response) {
	defer func() {
		if r := recover(); r != nil {
			e.log.Error("a SIP response could not be handled", "panic", r, "stack", string(debug.Stack()))
		}
	}()
	if res.CSeq() == nil || res.CSeq().MethodName != msg.INVITE || res.CallID() == nil {
		return
	}
	if d := e.answeredBy(res); d != nil {
		d.ackAgain()
		return
	}
	switch a := e.givenUp(res); {
	case a == nil:
	case res.IsSuccess():
		e.hangUpStray(*a, res)
	case a.refused: // its transaction handles the rest
	case res.IsProvisional():
		e.cancel(a.request)
	default:
		ack := partOf(a.request, msg.ACK)
		ack.ReplaceHeader(msg.HeaderClone(res.To()))
		if e.open(e.ctx, ack) == nil {
			_ = e.write(ack)
		}
	}
}

func (e *endpoint) hangUpStray(a abandoned, res *msg.Response) {
	d, err := e.dialogAsCaller(a.request, res)
	if err != nil {
		return
	}
	d.login, d.cseq = a.login, d.cseq+a.pracks
	_ = d.ack()
	d.bye("")
}
