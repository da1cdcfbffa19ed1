package sip

import (
	"runtime/debug"
	"strings"
	"time"

	msg "github.com/emiago/sipgo/sip"

	"github.com/ringtrue/ringtrue/internal/line/sip/screen"
)

// receive takes every request that reaches us. It runs on a goroutine per request,
// and a mistake of ours in one of them must not end all the other calls.
func (e *endpoint) receive(req *msg.Request, tx *msg.ServerTx) {
	defer func() {
		if r := recover(); r != nil {
			e.log.Error("a SIP request could not be handled", "method", string(req.Method), "panic", r, "stack", string(debug.Stack()))
			respond(tx, req, 500, "Server Internal Error")
		}
	}()
	e.handle(req, tx)
}

// handle relies on the headers that the screen has made sure of. A BYE is heeded whatever
// it requires: who sends it has left the call and hears nothing any more (RFC 3261 section 15.1.1).
func (e *endpoint) handle(req *msg.Request, tx *msg.ServerTx) {
	if unknown := unsupported(req); len(unknown) > 0 && !req.IsAck() && !req.IsCancel() && req.Method != msg.BYE {
		respond(tx, req, 420, "Bad Extension", msg.NewHeader("Unsupported", strings.Join(unknown, ", ")))
		return
	}
	tag, _ := req.To().Params.Get("tag")
	if d := e.dialogOf(req, tag); d != nil && d.concerns(req) {
		d.handle(req, tx)
		return
	}
	e.handleOutside(req, tx, tag)
}

// dialogOf is the dialog that a request says to belong to, nil for none. Each message comes
// on a goroutine of its own: a request right behind the answer to our INVITE, a BYE say, or an UPDATE
// right behind a 180, may be here before that has made the dialog, and waits for it.
func (e *endpoint) dialogOf(req *msg.Request, tag string) *dialog {
	if tag == "" {
		return nil
	}
	callID := req.CallID().Value()
	if settled := e.sockets.Awaited().Settled(callID); settled != nil {
		wait := time.NewTimer(e.times.bye)
		defer wait.Stop()
		select {
		case <-settled:
		case <-wait.C:
		case <-e.ctx.Done():
		}
	}
	return e.dialog(callID, tag)
}

// handleOutside takes a request that belongs to no dialog of ours. One that says to belong to one
// is told that there is none, whatever it asks: by OPTIONS, too, some far ends find out
// whether a call is still there.
func (e *endpoint) handleOutside(req *msg.Request, tx *msg.ServerTx, tag string) {
	switch {
	case req.IsAck():
		tx.Terminate()
	case tag != "" || req.IsCancel() || req.Method == msg.BYE:
		respond(tx, req, 481, "Call/Transaction Does Not Exist")
	case req.Method == msg.OPTIONS:
		respond(tx, req, 200, "OK", allow(), msg.NewHeader("Accept", "application/sdp"))
	case req.IsInvite() && e.invited != nil:
		e.invited(req, tx)
	default:
		respond(tx, req, 405, "Method Not Allowed", allow())
	}
}

func allow() msg.Header {
	return msg.NewHeader("Allow", "INVITE, ACK, CANCEL, BYE, OPTIONS, INFO, UPDATE, NOTIFY, REFER")
}

// respond sends a final response and lets the transaction end by its own timers.
func respond(tx *msg.ServerTx, req *msg.Request, code int, reason string, headers ...msg.Header) {
	res := msg.NewResponseFromRequest(req, code, reason, nil)
	for _, h := range headers {
		res.AppendHeader(h)
	}
	_ = tx.Respond(res)
	if !req.IsInvite() {
		tx.TerminateGracefully()
	}
}

// comes says whether a request belongs to a call that goes on, as the sockets see it, and has the call
// know in which order its requests came.
func (e *endpoint) comes(w screen.Wish) bool {
	d := e.dialog(w.CallID, w.Tag)
	if d == nil {
		return false
	}
	if w.Method != "ACK" && w.Method != "CANCEL" && !d.early { // these have the number of another request, or no turn
		d.turns.coming(w.Number)
	}
	return true
}

func dialogKey(callID, localTag string) string { return callID + "\x00" + localTag }

func (e *endpoint) dialog(callID, localTag string) *dialog {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.dialogs[dialogKey(callID, localTag)]
}

func (e *endpoint) keep(d *dialog) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.dialogs[dialogKey(d.callID, d.localTag)] = d
}

func (e *endpoint) drop(d *dialog) {
	d.leave()
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.dialogs, dialogKey(d.callID, d.localTag))
}
