package sip

import (
	msg "github.com/emiago/sipgo/sip"
)

// mostForks bounds the number of forked phones whose early media are remembered.
const mostForks = 32

// farTag returns the tag that identifies a far end, "" for old ones.
func farTag(res *msg.Response) string {
	tag, _ := res.To().Params.Get("tag")
	return tag
}

// described returns the session description for an answer: the far end's offer since it answered ours, else the
// answer's own, else the one that came with early media if the far end does not repeat it.
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

// repeated handles another 2xx: our ACK was lost, or a proxy forked the call and a second phone
// was answered too. That one is hung up, whatever has become of the first.
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

// crossed handles another 2xx that comes before it is decided what becomes of the first.
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
