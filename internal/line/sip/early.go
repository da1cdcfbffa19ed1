package sip

import (
	"sync"

	msg "github.com/emiago/sipgo/sip"
)

// handleEarly handles a request about a call that has not been answered yet (RFC 3261 section
// 12.1, RFC 3311). Our offer is still open, so another offer has to wait unless ours was
// answered reliably (RFC 3311 section 5.2).
func (d *dialog) handleEarly(req *msg.Request, tx *msg.ServerTx) {
	switch req.Method {
	case msg.INVITE:
		respond(tx, req, 491, "Request Pending")
	case msg.UPDATE:
		d.updatedEarly(req, tx)
	case msg.OPTIONS:
		respond(tx, req, 200, "OK", allow(), msg.NewHeader("Accept", "application/sdp"))
	case msg.INFO, msg.NOTIFY:
		respond(tx, req, 200, "OK")
	case msg.BYE, msg.CANCEL:
		if req.Method == msg.CANCEL || !d.called { // only the caller may send BYE now (RFC 3261 section 15)
			respond(tx, req, 481, "Call/Transaction Does Not Exist")
			return
		}
		respond(tx, req, 200, "OK")
		d.farEnded(reasonOf(req))
	default:
		respond(tx, req, 405, "Method Not Allowed", allow())
	}
}

// updatedEarly answers an UPDATE from a ringing far end. The offer in it replaces that far end's earlier answer.
func (d *dialog) updatedEarly(req *msg.Request, tx *msg.ServerTx) {
	tag, _ := req.From().Params.Get("tag")
	var body []byte
	if !bodiless(req) {
		if !d.preliminary.has(tag) {
			respond(tx, req, 491, "Request Pending")
			return
		}
		var err error
		if body, err = d.negotiate(req); err != nil {
			refuseOffer(tx, req, err)
			return
		}
		d.preliminary.update(tag, descriptionOf(req))
	}
	_ = tx.Respond(d.accepting(req, body))
	tx.TerminateGracefully()
}

// preliminary records, by tag, the far ends that have answered our offer reliably before answering
// the call, with the offers they have made since, nil for none.
type preliminary struct {
	mu sync.Mutex
	by map[string][]byte
}

// answered records that a far end has answered our offer.
func (p *preliminary) answered(tag string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.by == nil {
		p.by = map[string][]byte{}
	}
	if _, there := p.by[tag]; !there {
		p.by[tag] = nil
	}
}

// has reports whether a far end has answered our offer.
func (p *preliminary) has(tag string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	_, there := p.by[tag]
	return there
}

// update records an offer made by a far end that has answered ours.
func (p *preliminary) update(tag string, offer []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.by[tag] = offer
}

// offered returns the offer that a far end has made since its answer, nil for none.
func (p *preliminary) offered(tag string) []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.by[tag]
}

// rings creates a dialog for the first provisional response that allows one. All phones rung by
// a forking proxy share it.
func (c *placing) rings(req *msg.Request, res *msg.Response) {
	if c.ringing != nil || farTag(res) == "" {
		return
	}
	d, err := c.e.dialogAsCaller(req, res)
	if err != nil {
		return
	}
	d.early, d.farTag, d.talk = true, "", c.talk
	c.ringing = d
	c.e.keep(d)
}

// stopsRinging removes the dialog of a call that was not answered.
func (c *placing) stopsRinging() {
	if c.ringing != nil && c.dialog == nil {
		c.e.drop(c.ringing)
	}
}
