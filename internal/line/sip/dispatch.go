package sip

import (
	"runtime/debug"
	"strings"
	"time"

	msg "github.com/emiago/sipgo/sip"

	"github.com/ringtrue/ringtrue/internal/line/sip/screen"
)

// receive handles every incoming request. It runs on a goroutine per request and recovers from
// panics, so that a bug triggered by one request does not end all other calls.
func (e *endpoint) receive(req *msg.Request, tx *msg.ServerTx) {
	defer func() {
		if r := recover(); r != nil {
			e.log.Error("a SIP request could not be handled", "method", string(req.Method), "panic", r, "stack", string(debug.Stack()))
			respond(tx, req, 500, "Server Internal Error")
		}
	}()
	e.handle(req, tx)
}

// handle relies on headers that the screen has checked. A BYE is accepted whatever extensions it
// requires: its sender has left the call and would not act on an error (RFC 3261 section 15.1.1).
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

// dialogOf returns the dialog that a request claims to belong to, nil for none. Every message is handled
// on its own goroutine, so a request that directly follows the answer to our INVITE (a BYE), or an UPDATE
// that follows a 180, may be handled before the dialog has been created. It therefore waits for that.
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

// handleOutside handles a request that belongs to no dialog. If it claims to belong to one it is
// told that there is none, whatever its method: some far ends use OPTIONS, too, to find out
// whether a call still exists.
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

// comes reports whether a request belongs to a call in progress, and registers the request's turn
// there. The sockets call it in order of arrival.
func (e *endpoint) comes(w screen.Wish) bool {
	d := e.dialog(w.CallID, w.Tag)
	if d == nil {
		return false
	}
	if w.Method != "ACK" && w.Method != "CANCEL" && !d.early { // these share another request's number, or have no turn
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
