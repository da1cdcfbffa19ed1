package sip

import (
	"context"

	msg "github.com/emiago/sipgo/sip"
)

// ack acknowledges the 2xx to our INVITE. It is called again when the 2xx is repeated.
func (d *dialog) ack() error {
	err := d.sendAck()
	if err != nil && d.turnAside() {
		return d.sendAck()
	}
	return err
}

func (d *dialog) sendAck() error {
	d.mu.Lock()
	if d.ackRequest == nil {
		d.mu.Unlock()
		req := d.buildSeq(msg.ACK, nil, d.acknowledges)
		for _, h := range d.vouched { // no challenge can follow: an ACK has no response (RFC 3261 section 22.1)
			req.AppendHeader(msg.HeaderClone(h))
		}
		d.mu.Lock()
		d.ackRequest = req
	}
	req := d.ackRequest
	d.ackedAt = d.e.now()
	d.mu.Unlock()
	again := req.Clone()
	if err := d.openFor(again); err != nil {
		return err
	}
	return d.e.write(again)
}

// openFor opens the connection for an ACK. If the far end can be reached in another way the
// wait is short: an address that drops packets silently would delay the beginning of the call.
func (d *dialog) openFor(ack *msg.Request) error {
	ctx, usual := d.e.ctx, ack.Destination()
	d.mu.Lock()
	hurried := d.otherThan(usual)
	d.mu.Unlock()
	if hurried {
		bounded, cancel := context.WithTimeout(ctx, 2*d.e.times.t1)
		defer cancel()
		ctx = bounded
	}
	return d.e.open(ctx, ack)
}

// ackAgain acknowledges a repeated 2xx, but not faster than its timer allows: a far end that
// repeats its answer after every ACK would otherwise keep both sides busy forever. A far end
// that repeats its answer once more than a lost packet explains does not receive our ACK.
func (d *dialog) ackAgain() {
	d.mu.Lock()
	soon := d.e.now().Sub(d.ackedAt) < d.e.times.t1/4
	if !soon {
		d.again++
	}
	unheard := d.again > 1
	d.mu.Unlock()
	if soon {
		return
	}
	if unheard {
		d.turnAside()
	}
	_ = d.ack()
}

// turnAside directs our requests to the address the far end sent from, because its Contact is an
// address valid only in its own network, or none at all. It returns false if that is the same address.
func (d *dialog) turnAside() bool {
	usual := d.usual()
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.otherThan(usual) {
		return false
	}
	d.detour, d.ackRequest = d.source, nil
	return true
}

// usual returns where our requests go now.
func (d *dialog) usual() string { return d.buildSeq(msg.ACK, nil, 0).Destination() }

// otherThan reports whether the far end sent from an address other than usual; d.mu must be held.
func (d *dialog) otherThan(usual string) bool {
	return d.detour == "" && d.source != "" && usual != d.source
}

// turnBack directs our requests to the far end's Contact again.
func (d *dialog) turnBack() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.detour, d.ackRequest = "", nil
}

// aside returns the address used in place of the far end's Contact, "" for none.
func (d *dialog) aside() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.detour
}

// retarget applies a new Contact of the far end. It is tried even if the previous one led nowhere.
func (d *dialog) retarget(req *msg.Request) {
	c := contactIn(req.GetHeaders("Contact"))
	if c == nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if transportOf(req.Transport()) == UDP && d.transport == UDP { // a connection may only work in this direction
		d.source = req.Source()
	}
	switch {
	case d.detour == "":
	case c.String() == d.target.String():
		d.detour = d.source
	default:
		d.detour, d.again = "", 0
	}
	d.target = *c
}
