package sip

import (
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
		seq := d.cseq
		d.mu.Unlock()
		req := d.buildSeq(msg.ACK, nil, seq)
		d.mu.Lock()
		d.ackRequest = req
	}
	req := d.ackRequest
	d.ackedAt = d.e.now()
	d.mu.Unlock()
	again := req.Clone()
	if err := d.e.open(d.e.ctx, again); err != nil {
		return err
	}
	return d.e.ua.TransportLayer().WriteMsg(again)
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
	usual := d.buildSeq(msg.ACK, nil, 0).Destination()
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.detour != "" || d.source == "" || usual == d.source {
		return false
	}
	d.detour, d.ackRequest = d.source, nil
	return true
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
