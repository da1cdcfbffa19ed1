package sip

import (
	msg "github.com/emiago/sipgo/sip"
)

// mostForks is of how many phones that a proxy has found early media are remembered.
const mostForks = 32

// farTag is the tag by which a far end tells itself from others, "" for old ones.
func farTag(res *msg.Response) string {
	tag, _ := res.To().Params.Get("tag")
	return tag
}

// described is the session description of an answer: the one that the far end has offered since it answered our
// offer, its own, or the one that came with early media when the far end does not repeat it.
func (c *placing) described(res *msg.Response) []byte {
	if c.ringing != nil {
		if newest := c.ringing.preliminary.offered(farTag(res)); newest != nil {
			return newest
		}
	}
	if body := descriptionOf(res); len(body) > 0 {
		return body
	}
	if body := c.earlyBodies[farTag(res)]; body != nil || len(c.earlyBodies) != 1 {
		return body
	}
	for _, only := range c.earlyBodies { // of one that had no tag yet, or another
		return only
	}
	return nil
}

// repeated takes a 2xx that came again: the ACK was lost, or a proxy forked the
// call and a second phone was picked up too, which is hung up, whatever has become
// of the first.
func (c *placing) repeated(req *msg.Request, res *msg.Response) {
	if !res.IsSuccess() {
		return
	}
	e, d := c.e, c.acked.Load()
	switch {
	case d == nil:
		e.wg.Go(func() { c.crossed(req, res) })
	case d.farTag != farTag(res):
		e.wg.Go(func() { e.hangUpStray(c.left(req), res) })
	default:
		d.ackAgain()
	}
}

// crossed takes a 2xx that came again before it was settled what becomes of the first.
func (c *placing) crossed(req *msg.Request, res *msg.Response) {
	select {
	case <-c.decided:
	case <-c.e.ctx.Done():
	}
	if c.acked.Load() != nil {
		c.repeated(req, res)
		return
	}
	c.e.stray(res)
}
