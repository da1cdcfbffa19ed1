package sip

import (
	"time"

	msg "github.com/emiago/sipgo/sip"

	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/line/sip/sdp"
	"github.com/ringtrue/ringtrue/internal/line/telephone"
)

// taking is one incoming call.
type taking struct {
	server   *Server
	req      *msg.Request
	tx       *msg.ServerTx
	offer    *sdp.Session // nil if the caller leaves the offer to us
	canceled chan struct{}
	tag      string
}

// run asks the Answerer, rings, answers and runs the call to its end.
func (c *taking) run() {
	s := c.server
	c.tag = msg.GenerateTagN(12)
	in := leg.Incoming{From: c.req.From().Address.User, To: c.req.To().Address.User}
	if h := c.req.GetHeader(callHeader); h != nil {
		in.CallID = clip(h.Value())
	}
	answer := s.opts.Answerer(s.e.ctx, in)
	if answer.Refuse != leg.RefuseNot && answer.Refuse != leg.RefuseRing || answer.Party == nil && answer.Refuse == leg.RefuseNot {
		c.refuse(answer.Refuse)
		return
	}
	done := func() {
		if answer.Done != nil {
			answer.Done()
		}
	}
	if answer.Refuse == leg.RefuseRing {
		if c.ring(longestRing) {
			c.final(480, "Temporarily Unavailable")
		}
		return
	}
	if answer.RingFor > 0 && !c.ring(answer.RingFor) {
		done()
		return
	}
	c.answer(answer)
	done()
}

// refuse rejects the call.
func (c *taking) refuse(r leg.Refusal) {
	switch r {
	case leg.RefuseBusy:
		c.final(486, "Busy Here")
	case leg.RefuseDecline:
		c.final(603, "Decline")
	case leg.RefuseUnknown:
		c.final(404, "Not Found")
	case leg.RefuseOverload:
		c.final(503, "Service Unavailable", msg.NewHeader("Retry-After", "5"))
	default:
		c.final(500, "Server Internal Error")
	}
}

// final sends a final response and waits briefly for its ACK, since on a reliable transport the
// transaction ends with its handler.
func (c *taking) final(code int, reason string, headers ...msg.Header) {
	res := c.response(code, reason, nil)
	for _, h := range headers {
		res.AppendHeader(h)
	}
	if c.tx.Respond(res) != nil {
		return
	}
	wait := time.NewTimer(c.server.e.times.refused)
	defer wait.Stop()
	select {
	case <-c.tx.Acks():
	case <-c.tx.Done():
	case <-c.server.e.ctx.Done():
	case <-wait.C:
	}
}

// response returns a response to the INVITE with our tag.
func (c *taking) response(code int, reason string, body []byte) *msg.Response {
	res := msg.NewResponseFromRequest(c.req, code, reason, body)
	if to := res.To(); to != nil && code != 100 {
		to.Params.Remove("tag")
		to.Params.Add("tag", c.tag)
	}
	return res
}

// ring rings for the given time. It returns false if the caller gave up meanwhile, possibly
// with a BYE (RFC 3261 section 15).
func (c *taking) ring(d time.Duration) bool {
	e := c.server.e
	local, err := e.localFor(e.ctx, c.req.Source(), transportOf(c.req.Transport()))
	if err != nil {
		c.final(500, "Server Internal Error")
		return false
	}
	early := e.dialogAsCalled(c.req, c.tag, local)
	early.early = true
	e.keep(early)
	defer e.drop(early)
	if c.tx.Respond(c.response(180, "Ringing", nil)) != nil {
		return false
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-early.ended:
		c.final(487, "Request Terminated")
	case <-c.canceled:
	case <-c.tx.Done():
	case <-e.ctx.Done():
		c.final(503, "Service Unavailable")
	}
	return false
}

// answer answers the call and runs it to its end.
func (c *taking) answer(a leg.Answer) {
	s := c.server
	local, err := s.e.localFor(s.e.ctx, c.req.Source(), transportOf(c.req.Transport()))
	if err != nil {
		c.final(500, "Server Internal Error")
		return
	}
	stream, err := s.e.media.Open()
	if err != nil {
		c.final(503, "Service Unavailable", msg.NewHeader("Retry-After", "5"))
		return
	}
	d := s.e.dialogAsCalled(c.req, c.tag, local)
	d.talk = newTalk(stream, local, s.opts.Codecs)
	body, err := c.describe(d.talk)
	if err != nil {
		stream.Close()
		c.final(488, "Not Acceptable Here", warning(err))
		return
	}
	s.e.keep(d)
	defer s.e.drop(d)
	if !c.converse(d, a, d.accepted(c, body)) {
		stream.Close()
	}
}

// describe returns the description in our 200: the answer to the caller's offer, or an offer if
// there was none.
func (c *taking) describe(t *talk) ([]byte, error) {
	if c.offer == nil {
		return t.offer(), nil
	}
	if c.offer.Port == 0 {
		return nil, sdp.ErrNoAudio
	}
	body, ok := t.answer(*c.offer)
	if !ok {
		return nil, errNoCodec
	}
	return body, nil
}

// accepted returns the 200 that answers the call.
func (d *dialog) accepted(c *taking, body []byte) *msg.Response {
	res := d.accepting(c.req, body)
	if to := res.To(); to != nil {
		to.Params.Remove("tag")
		to.Params.Add("tag", c.tag)
	}
	return res
}

// converse sends the 200, starts the media and waits for the end of the call. It returns false
// if the call was never established.
func (c *taking) converse(d *dialog, a leg.Answer, res *msg.Response) bool {
	e := c.server.e
	acked := d.expectAck(res.CSeq().SeqNo, c.offer == nil)
	select {
	case <-c.canceled:
		return false
	default:
	}
	since := e.now()
	if c.tx.Respond(res) != nil {
		return false
	}
	delivered := make(chan bool, 1)
	e.wg.Go(func() { delivered <- d.deliver(c.tx, res, acked) })
	unacknowledged := c.awaitAck(d, acked)
	if !d.talk.hasAgreed() && !c.answeredLate(d, delivered, unacknowledged) {
		if !d.hasEnded() {
			d.bye(`SIP;cause=488;text="Not Acceptable Here"`)
		}
		return false
	}
	stream := d.talk.stream
	d.talk.start(telephone.Setup{
		Party: a.Party, Tape: a.Tape, OwnChannel: leg.AgentChannel,
		MediaTimeout: c.server.opts.MediaTimeout, Loss: c.server.opts.Loss, Since: since,
	})
	if unacknowledged {
		c.watchAck(d, delivered)
	}
	select {
	case <-stream.Done():
	case <-d.ended:
		stream.Stop(telephone.ByFar)
	case <-d.forsaken:
		stream.Stop(telephone.ByOrder)
	case <-e.ctx.Done():
		stream.Stop(telephone.ByOrder)
	}
	<-stream.Done()
	if stream.Result().Cause != telephone.ByFar {
		d.bye("")
	}
	c.tx.TerminateGracefully()
	return true
}

// answeredLate waits for the ACK with the answer to the offer in our 200.
func (c *taking) answeredLate(d *dialog, delivered chan bool, unacknowledged bool) bool {
	if unacknowledged {
		ok := <-delivered
		delivered <- ok // for watchAck
	}
	return d.talk.hasAgreed()
}

// awaitAck waits a moment for the ACK. It returns true if it has not come yet.
func (c *taking) awaitAck(d *dialog, acked <-chan struct{}) bool {
	t := time.NewTimer(ackPatience)
	defer t.Stop()
	select {
	case <-acked:
		return false
	case <-d.ended:
		return false
	case <-t.C:
		return true
	}
}

// watchAck ends a call whose 200 is never acknowledged.
func (c *taking) watchAck(d *dialog, delivered <-chan bool) {
	c.server.e.wg.Go(func() {
		if !<-delivered {
			d.talk.stream.Stop(telephone.ByOrder)
		}
	})
}
