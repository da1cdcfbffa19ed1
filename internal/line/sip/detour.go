package sip

import (
	"context"

	msg "github.com/emiago/sipgo/sip"
)

// ack acknowledges the 2xx of our INVITE, and again when it is repeated.
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
		for _, h := range d.vouched { // nobody can ask for them: there is no answer to an ACK (RFC 3261 section 22.1)
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

// openFor makes the connection that an ACK needs. Where the far end could be reached another
// way it is not waited for long: who swallows what comes would keep the call from beginning.
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

// ackAgain acknowledges a 2xx that was repeated, but not faster than it can be
// repeated by the clock: a far end that takes every ACK for a reason to repeat its
// answer would else keep both sides busy for ever. One that repeats its answer once
// more than a lost packet explains does not get our ACK.
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

// turnAside has our requests go where the far end spoke from: the address that it gives
// for itself is one that only its own network knows, or none at all. False where that
// changes nothing.
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

// usual is where our requests go now.
func (d *dialog) usual() string { return d.buildSeq(msg.ACK, nil, 0).Destination() }

// otherThan says whether the far end spoke from elsewhere than our requests go; d.mu is held.
func (d *dialog) otherThan(usual string) bool {
	return d.detour == "" && d.source != "" && usual != d.source
}

// turnBack has our requests go to the far end's own address again.
func (d *dialog) turnBack() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.detour, d.ackRequest = "", nil
}

// aside is where our requests go in place of the far end's own address, "" for nowhere else.
func (d *dialog) aside() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.detour
}

// retarget takes over the address that the far end gives for itself from now on. It gets
// its chance, even where the one before led nowhere.
func (d *dialog) retarget(req *msg.Request) {
	c := contactIn(req.GetHeaders("Contact"))
	if c == nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if transportOf(req.Transport()) == UDP && d.transport == UDP { // a connection may be one that only goes this way
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
