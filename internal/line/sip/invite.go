package sip

import (
	"context"
	"fmt"
	"time"

	msg "github.com/emiago/sipgo/sip"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/line/sip/login"
	"github.com/ringtrue/ringtrue/internal/line/sip/transport"
)

// maxChallenges bounds how often credentials are added to one request: once for each of two
// proxies, once for the far end, once because a nonce was stale.
const maxChallenges = 4

// invite sends the INVITE and handles everything up to an answer: provisional responses, challenges,
// cancellation and crossing messages. If answered is true, c.dialog exists and is acknowledged.
func (c *placing) invite(ctx context.Context) (reason call.EndReason, answered bool) {
	req, err := c.inviteRequest()
	if err != nil {
		return call.EndOf(call.EndUnreachable, err.Error()), false
	}
	ring := c.ringTime()
	timer := time.NewTimer(ring)
	defer timer.Stop()
	asked := map[string]bool{}
	c.e.sockets.Awaited().Expect(c.attempt.LineRef)
	defer c.e.sockets.Awaited().Settle(c.attempt.LineRef)
	defer close(c.decided)
	for challenges := 0; ; challenges++ {
		send := c.dial.Turn
		if challenges > 0 || send == nil {
			send = func(send func()) { send() }
		}
		var res *msg.Response
		var reason call.EndReason
		req, res, reason = c.tryEach(ctx, req, send, func() <-chan time.Time {
			if challenges == 0 {
				timer.Reset(ring) // earlier delays were our own
			}
			return timer.C
		})
		if res == nil {
			return reason, false
		}
		if res.IsSuccess() {
			return c.answered(req, res)
		}
		again, reason := c.again(req, res, challenges == maxChallenges, asked)
		if again == nil {
			return c.refused(req, reason)
		}
		req = again
	}
}

// ringTime returns how long the call may ring. It starts again with each destination as long as
// none has responded.
func (c *placing) ringTime() time.Duration {
	if c.dial.RingTimeout > 0 {
		return c.dial.RingTimeout
	}
	return usualRing
}

// again returns the INVITE that a refusal asks for, or nil and the reason why there is none;
// last means that it was sent often enough.
func (c *placing) again(req *msg.Request, res *msg.Response, last bool, asked map[string]bool) (*msg.Request, call.EndReason) {
	again := req.Clone()
	again.CSeq().SeqNo++
	switch {
	case wantsReliable(res) && !last && !supports(req, reliable):
		again.AppendHeader(msg.NewHeader("Supported", reliable))
	case login.Challenged(res) && c.loginOf().Empty():
		return nil, refusedFor(res, "asks for user and password, but none are configured")
	case !login.Challenged(res) || last || login.Rejected(res, asked):
		return nil, refusedWith(res)
	default:
		if err := c.loginOf().Answer(again, res); err != nil {
			return nil, call.EndOf(call.EndUnreachable, err.Error())
		}
	}
	c.e.outgoing(again, localOf(again), c.trunk.Transport)
	return again, call.EndReason{}
}

// refused ends a call that was not answered, although an answer may still come.
func (c *placing) refused(req *msg.Request, why call.EndReason) (call.EndReason, bool) {
	left := c.left(req)
	left.refused = true
	c.e.remember(left)
	return why, false
}

func (c *placing) loginOf() login.Login {
	return login.Login{User: c.trunk.User, Password: c.trunk.Password}
}

// dispatch sends an INVITE when its turn has come.
func (c *placing) dispatch(ctx context.Context, req *msg.Request, turn func(send func())) (tx *msg.ClientTx, err error) {
	e := c.e
	opening, cancel := context.WithTimeout(ctx, e.times.noReply)
	others, err := e.openOne(opening, req, c.found)
	c.found = nil // from now on, the INVITE stays with the destination it was sent to
	cancel()
	if err != nil {
		return nil, err
	}
	if len(others) > 0 {
		c.others, c.share = others, min(e.times.noReply/time.Duration(1+len(others)), c.ringTime()/2)
	}
	c.lost = e.connectionOf(req)
	turn(func() {
		sending, cancel := context.WithTimeout(ctx, e.times.noReply)
		defer cancel()
		c.sent = e.now()
		tx, err = e.transact(sending, req)
	})
	return tx, err
}

// tryEach tries an INVITE at one destination after the other until one takes it on, and returns
// it as sent last.
func (c *placing) tryEach(ctx context.Context, req *msg.Request, turn func(send func()), ringing func() <-chan time.Time) (*msg.Request, *msg.Response, call.EndReason) {
	res, reason := c.try(ctx, req, turn, ringing)
	for len(c.others) > 0 {
		req, c.others = elsewhere(req, c.others[0]), c.others[1:]
		res, reason = c.try(ctx, req, func(send func()) { send() }, ringing)
	}
	return req, res, reason
}

// patience returns how long to wait for a first response to an INVITE. Over UDP, any destination but the last gets only
// its share of the time, so that a silent one does not use up all of it, and never as long as the call may ring, which
// would end the call. A host that accepted a TCP connection exists.
func (c *placing) patience() time.Duration {
	if len(c.others) > 0 && c.trunk.Transport == UDP {
		return c.share
	}
	return c.e.times.noReply
}

// try runs one INVITE transaction, which begins when turn allows it. It returns its final
// response, or nil and the reason why there is none.
func (c *placing) try(ctx context.Context, req *msg.Request, turn func(send func()), ringing func() <-chan time.Time) (*msg.Response, call.EndReason) {
	tx, err := c.dispatch(ctx, req, turn)
	ring := ringing()
	if err != nil {
		if ctx.Err() != nil {
			c.others = nil
			return nil, call.EndOf(call.EndInterrupted, "canceled")
		}
		return nil, call.EndOf(call.EndUnreachable, "the INVITE could not be sent: "+clip(err.Error()))
	}
	tx.OnRetransmission(func(res *msg.Response) { c.repeated(req, res) })
	silence := time.NewTimer(c.patience())
	defer silence.Stop()
	for heard, over := false, goesOn; ; {
		res := c.next(ctx, tx, silence.C, ring, &over)
		if c.settled(res, heard, over) {
			c.others = nil
		}
		switch {
		case res == nil && over != goesOn:
			return nil, c.breakOff(tx, req, heard, over)
		case res == nil:
		case !res.IsProvisional():
			c.overtaken(req)
			if !c.attempt.RingingAt.IsZero() || c.aside != "" {
				c.others = nil
			}
			return res, call.EndReason{}
		default:
			heard = true
			silence.Stop()
			if over == noReply {
				over = goesOn
			}
			c.proceeding(req, res)
		}
	}
}

// settled reports whether no other destination is to be tried: this one has taken the call on, or
// there is no time left. One that is unable to serve a call (503) has not, like one that sends
// nothing (RFC 3263 section 4.3).
func (c *placing) settled(res *msg.Response, heard bool, over waiting) bool {
	switch {
	case over == rangOut || over == canceled:
		return true
	case res == nil:
		return heard || c.trunk.Transport == TCP || c.astray() != ""
	}
	return res.StatusCode != 100 && res.StatusCode != 503
}

// waiting is the result of waiting for a final response.
type waiting int

const (
	goesOn waiting = iota
	noReply
	rangOut
	brokenOff
	canceled
)

// next returns the next response, or nil if there is none and the waiting is over for the
// reason stored in over. Responses that came in time count even if this machine was too busy to
// process them: so at the end, responses already received are returned first.
func (c *placing) next(ctx context.Context, tx *msg.ClientTx, silence, ring <-chan time.Time, over *waiting) *msg.Response {
	if *over != goesOn {
		select {
		case res := <-tx.Responses():
			return res
		default:
			return nil
		}
	}
	select {
	case res := <-tx.Responses():
		return res
	case <-tx.Done():
		*over = brokenOff
	case <-silence:
		*over = noReply
	case <-ring:
		*over = rangOut
	case <-ctx.Done():
		*over = canceled
	}
	return c.next(ctx, tx, silence, ring, over)
}

// breakOff ends an INVITE that got no final response.
func (c *placing) breakOff(tx *msg.ClientTx, req *msg.Request, heard bool, why waiting) call.EndReason {
	within := fmt.Sprintf(" within %g s", c.ringTime().Seconds())
	silent, rang := call.EndOf(call.EndUnreachable, "no reply from the trunk"), call.EndOf(call.EndNoAnswer, "rang without an answer"+within)
	if c.attempt.RingingAt.IsZero() {
		rang.Detail = "no answer" + within + ", and no sign that it rang"
	}
	if c.aside != "" {
		rang.Detail += "; the last reply was " + c.aside
	}
	if what := c.astray(); what != "" {
		silent = call.EndOf(call.EndUnreachable, what)
		rang = silent
	}
	switch {
	case why == brokenOff:
		return call.EndOf(call.EndUnreachable, "the trunk broke off the call without an answer")
	case why == noReply:
		tx.Terminate()
		c.abandon(req)
		return silent
	case why == canceled:
		return c.giveUp(tx, req, heard, call.EndOf(call.EndInterrupted, "canceled"))
	case !heard: // nothing rang; the trunk has not even sent a 100
		return c.giveUp(tx, req, heard, silent)
	}
	return c.giveUp(tx, req, heard, rang)
}

// astray describes what has become of an answer that may have been sent but has not arrived, ""
// if nothing is known of one. It can come over another connection than that of the INVITE (RFC
// 3261 section 18.2.2), so the loss of the connection counts only when the waiting is over.
func (c *placing) astray() string {
	if what := c.e.sockets.Awaited().UnreadOf(c.attempt.LineRef); what != "" {
		return "the trunk's answer could not be read: " + what
	}
	select {
	case <-c.lost:
		return transport.ErrLost.Error()
	default:
		return ""
	}
}

// proceeding handles a provisional response.
func (c *placing) proceeding(req *msg.Request, res *msg.Response) {
	if res.StatusCode == 100 {
		return
	}
	c.rings(req, res)
	c.e.sockets.Awaited().Rings(c.attempt.LineRef)
	c.confirm(req, res)
	c.rang(res, c.e.now())
}

// rang records what a provisional response received at a time says about the far end.
func (c *placing) rang(res *msg.Response, at time.Time) {
	c.notes(res, at)
	if body := descriptionOf(res); len(body) > 0 {
		if c.early.IsZero() {
			c.early, c.earlyBodies = at, map[string][]byte{}
		}
		if tag := farTag(res); c.earlyBodies[tag] != nil || len(c.earlyBodies) < mostForks {
			c.earlyBodies[tag] = body
		}
	}
}

// notes records the state of the call: it rings, or instead it is forwarded (181) or queued (182). That one
// of several phones has dropped out (199) says nothing about the others.
func (c *placing) notes(res *msg.Response, at time.Time) {
	switch res.StatusCode {
	case 199:
	case 181, 182:
		c.aside = fmt.Sprintf("%d %s", res.StatusCode, clip(res.Reason))
	default:
		c.aside = ""
		if c.attempt.RingingAt.IsZero() {
			c.attempt.RingingAt = at
			c.state(leg.Ringing)
		}
	}
}

// overtaken records the provisional responses that came before the answer, as seen by the sockets: messages are handled
// on goroutines of their own, so that sipgo delivers them in another order, and drops those behind an answer.
func (c *placing) overtaken(req *msg.Request) {
	for _, one := range c.e.sockets.Awaited().RangOf(c.attempt.LineRef) {
		m, err := msg.ParseMessage(one.Whole)
		res, ok := m.(*msg.Response)
		if err != nil || !ok || branchOf(res.Via()) != branchOf(req.Via()) {
			continue
		}
		if c.attempt.RingingAt.IsZero() || len(descriptionOf(res)) > 0 {
			c.rang(res, one.At)
		}
	}
}

// giveUp cancels the INVITE. An answer that crosses the CANCEL is acknowledged and hung up at
// once; one that comes after we stopped waiting is handled by endpoint.stray.
func (c *placing) giveUp(tx *msg.ClientTx, req *msg.Request, heard bool, why call.EndReason) call.EndReason {
	e := c.e
	wait := time.NewTimer(e.times.cancel)
	defer wait.Stop()
	c.abandon(req)
	if heard {
		c.cancel(req)
	}
	for {
		select {
		case res := <-tx.Responses():
			if res.IsProvisional() {
				// Only now may it be cancelled (RFC 3261 section 9.1).
				if !heard {
					heard = true
					c.cancel(req)
				}
				continue
			}
			if res.IsSuccess() {
				e.hangUpStray(c.left(req), res)
			}
			return why
		case <-tx.Done():
			return why
		case <-wait.C:
			tx.Terminate()
			return why
		}
	}
}

// cancel sends the CANCEL on a goroutine of its own, since the final response to the INVITE may
// come before the one to the CANCEL.
func (c *placing) cancel(invite *msg.Request) { c.e.wg.Go(func() { c.e.cancel(invite) }) }

// cancel sends the CANCEL for an INVITE and waits for its response.
func (e *endpoint) cancel(invite *msg.Request) {
	ctx, stop := context.WithTimeout(context.WithoutCancel(e.ctx), e.times.cancel)
	defer stop()
	_, _ = e.request(ctx, partOf(invite, msg.CANCEL))
}

// partOf returns a request that belongs to the transaction of an INVITE and goes to the same destination.
func partOf(invite *msg.Request, method msg.RequestMethod) *msg.Request {
	req := msg.NewRequest(method, invite.Recipient)
	req.AppendHeader(invite.Via().Clone())
	for _, h := range invite.GetHeaders("Route") {
		req.AppendHeader(msg.HeaderClone(h))
	}
	forwards, id := msg.MaxForwardsHeader(70), *invite.CallID()
	req.AppendHeader(msg.HeaderClone(invite.From()))
	req.AppendHeader(msg.HeaderClone(invite.To()))
	req.AppendHeader(&id)
	req.AppendHeader(&msg.CSeqHeader{SeqNo: invite.CSeq().SeqNo, MethodName: method})
	req.AppendHeader(&forwards)
	req.SetBody(nil)
	req.SetTransport(invite.Transport())
	req.SetDestination(invite.Destination())
	req.Laddr = invite.Laddr
	return req
}

// outrun is by how much the first words may arrive before the answer, which passes through more proxies.
const outrun = 200 * time.Millisecond

// spokenSince returns the time from which received audio may be the voice of the party that
// answers. With early media, everything before that is a ringing tone; without it, there is no
// audio but the voice. Nobody answers before the INVITE was sent.
func (c *placing) spokenSince() time.Time {
	now := c.e.now()
	switch since := now.Add(-outrun); {
	case !c.early.IsZero():
		return now
	case c.sent.After(since):
		return c.sent
	default:
		return since
	}
}

// answered handles the 2xx: acknowledge at once, then check whether there is usable media.
func (c *placing) answered(req *msg.Request, res *msg.Response) (call.EndReason, bool) {
	e := c.e
	c.since = c.spokenSince()
	d, err := e.dialogAsCaller(req, res)
	if err != nil {
		c.abandon(req)
		return call.EndOf(call.EndUnreachable, "the answer is not valid: "+err.Error()), false
	}
	d.login, d.talk, d.passable, c.dialog = c.loginOf(), c.talk, true, d
	d.cseq += c.pracks.Load()
	e.keep(d)
	if ackErr := d.ack(); ackErr != nil {
		e.drop(d)
		c.abandon(req)
		return call.EndOf(call.EndUnreachable, "the answer could not be acknowledged: "+clip(ackErr.Error())), false
	}
	c.acked.Store(d)
	answer, err := e.read(c.described(res))
	common := err == nil && c.talk.accept(answer)
	e.sockets.Awaited().Settle(c.attempt.LineRef) // not before: later changes by the far end must find its answer applied
	mirrored := common && c.talk.mirrors(answer)
	if common && answer.Port != 0 && !mirrored {
		return call.EndReason{}, true
	}
	d.bye(`SIP;cause=488;text="Not Acceptable Here"`)
	e.drop(d)
	switch {
	case err != nil:
		return call.EndOf(call.EndCodecMismatch, clip(err.Error())), false
	case mirrored:
		return call.EndOf(call.EndUnreachable, "the answer sends our own audio back to us"), false
	case common:
		return call.EndOf(call.EndCodecMismatch, "the answer refuses the audio (port 0)"), false
	}
	return call.EndOf(call.EndCodecMismatch, "the answer accepts none of the codecs offered"), false
}
