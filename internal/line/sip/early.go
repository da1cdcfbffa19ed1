package sip

import (
	msg "github.com/emiago/sipgo/sip"
)

// handleEarly takes a request about a call of ours that has not been answered yet
// (RFC 3261 section 12.1, RFC 3311). Our offer is still open, so that another one
// has to wait.
func (d *dialog) handleEarly(req *msg.Request, tx *msg.ServerTx) {
	switch req.Method {
	case msg.INVITE:
		respond(tx, req, 491, "Request Pending")
	case msg.UPDATE:
		if len(req.Body()) > 0 {
			respond(tx, req, 491, "Request Pending")
			return
		}
		_ = tx.Respond(d.accepting(req, nil))
		tx.TerminateGracefully()
	case msg.OPTIONS:
		respond(tx, req, 200, "OK", allow(), msg.NewHeader("Accept", "application/sdp"))
	case msg.INFO, msg.NOTIFY:
		respond(tx, req, 200, "OK")
	case msg.BYE, msg.CANCEL: // which are not for who is called (RFC 3261 section 15)
		respond(tx, req, 481, "Call/Transaction Does Not Exist")
	default:
		respond(tx, req, 405, "Method Not Allowed", allow())
	}
}

// rings makes a dialog of the first provisional response that can have one. The phones
// that a proxy rings share it.
func (c *placing) rings(req *msg.Request, res *msg.Response) {
	if c.ringing != nil || farTag(res) == "" {
		return
	}
	d, err := c.e.dialogAsCaller(req, res)
	if err != nil {
		return
	}
	d.early, d.farTag = true, ""
	c.ringing = d
	c.e.keep(d)
}

// stopsRinging forgets the dialog of a call that was not answered.
func (c *placing) stopsRinging() {
	if c.ringing != nil && c.dialog == nil {
		c.e.drop(c.ringing)
	}
}
