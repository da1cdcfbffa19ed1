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

// maxChallenges is how often credentials are given for one request: once for each
// of two proxies, once for the far end, once because a nonce was stale.
const maxChallenges = 4

// invite sends the INVITE and sees it through to an answer, with all its
// provisional responses, challenges, cancellation and crossings. answered says
// that c.dialog lives and is acknowledged.
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
				timer.Reset(ring) // what came before was our own affair
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

// ringTime is how long the call may ring, at each machine anew as long as none has been heard.
func (c *placing) ringTime() time.Duration {
	if c.dial.RingTimeout > 0 {
		return c.dial.RingTimeout
	}
	return usualRing
}

// again is the INVITE as a refusal wants it, or nil and the reason why there is none: last says
// that it was sent often enough.
func (c *placing) again(req *msg.Request, res *msg.Response, last bool, asked map[string]bool) (*msg.Request, call.EndReason) {
	again := req.Clone()
	again.CSeq().SeqNo++
	switch {
	case wantsReliable(res) && !last && !supports(req, reliable):
		again.AppendHeader(msg.NewHeader("Supported", reliable))
	case login.Challenged(res) && c.loginOf().Empty():
		return nil, refusedFor(res, "asks for user and password, and none are configured")
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

// refused ends a call that got no answer, though one may still come.
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
	c.found = nil // from now on the INVITE goes to the one that it went to
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

// tryEach tries an INVITE at one machine after the other until one of them takes it on, and
// gives it back as it went last.
func (c *placing) tryEach(ctx context.Context, req *msg.Request, turn func(send func()), ringing func() <-chan time.Time) (*msg.Request, *msg.Response, call.EndReason) {
	res, reason := c.try(ctx, req, turn, ringing)
	for len(c.others) > 0 {
		req, c.others = elsewhere(req, c.others[0]), c.others[1:]
		res, reason = c.try(ctx, req, func(send func()) { send() }, ringing)
	}
	return req, res, reason
}

// patience is how long nothing may be heard of an INVITE. As over TCP, none but the last
// machine may keep the others waiting for all the time there is, nor for as long as it may ring:
// that would be the end of the call. Whoever has taken a connection is there.
func (c *placing) patience() time.Duration {
	if len(c.others) > 0 && c.trunk.Transport == UDP {
		return c.share
	}
	return c.e.times.noReply
}

// try runs one INVITE transaction, which begins when turn lets it. It returns its
// final response, or nil and the reason why there is none.
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

// settled says that no other machine is to be asked: this one has taken the call on, or there is no
// time left. One that only says that it cannot serve a call (503) has not, as one that says nothing
// (RFC 3263 section 4.3).
func (c *placing) settled(res *msg.Response, heard bool, over waiting) bool {
	switch {
	case over == rangOut || over == canceled:
		return true
	case res == nil:
		return heard || c.trunk.Transport == TCP || c.astray() != ""
	}
	return res.StatusCode != 100 && res.StatusCode != 503
}

// waiting is what has become of the waiting for a final response.
type waiting int

const (
	goesOn waiting = iota
	noReply
	rangOut
	brokenOff
	canceled
)

// next is the next response, nil when there is none and the waiting is over for
// the reason that it notes. What came in time counts, even where this machine was
// too busy to look: so when it is over, the responses that are there come first.
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
	case <-c.e.ctx.Done():
		*over = canceled
	}
	return c.next(ctx, tx, silence, ring, over)
}

// breakOff ends an INVITE that got no final response.
func (c *placing) breakOff(tx *msg.ClientTx, req *msg.Request, heard bool, why waiting) call.EndReason {
	within := fmt.Sprintf(" within %g s", c.ringTime().Seconds())
	silent, rang := call.EndOf(call.EndUnreachable, "no reply from the trunk"), call.EndOf(call.EndNoAnswer, "rang without an answer"+within)
	if c.attempt.RingingAt.IsZero() {
		rang.Detail = "no answer" + within + ", and no word that anything rang"
	}
	if c.aside != "" {
		rang.Detail += "; the last word was " + c.aside
	}
	if what := c.astray(); what != "" {
		silent = call.EndOf(call.EndUnreachable, what)
		rang = silent
	}
	switch {
	case why == brokenOff:
		return call.EndOf(call.EndUnreachable, "the trunk broke off without an answer")
	case why == noReply:
		tx.Terminate()
		c.abandon(req)
		return silent
	case why == canceled:
		return c.giveUp(tx, req, heard, call.EndOf(call.EndInterrupted, "canceled"))
	case !heard: // nothing rang: the trunk has not so much as said that it tries
		return c.giveUp(tx, req, heard, silent)
	}
	return c.giveUp(tx, req, heard, rang)
}

// astray says what has become of an answer that may have been given and has not come, ""
// where nothing is known of one. It can come over another connection than that of the
// INVITE (RFC 3261 section 18.2.2): that this one is gone counts when the waiting is over.
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

// proceeding takes note of a provisional response.
func (c *placing) proceeding(req *msg.Request, res *msg.Response) {
	if res.StatusCode == 100 {
		return
	}
	c.rings(req, res)
	c.e.sockets.Awaited().Rings(c.attempt.LineRef)
	c.confirm(req, res)
	c.rang(res, c.e.now())
}

// rang takes note of what a provisional response that came then tells of the far end.
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

// notes takes note of what becomes of the call: it rings, or it is passed on (181) or waits in a queue (182)
// in place of that. That one of several phones is out of it (199) says nothing of the others.
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

// overtaken takes note of the provisional responses that came before the answer as the sockets saw them:
// each message comes on a goroutine of its own, so that sipgo hands them on in another order, and behind an
// answer it drops them.
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

// giveUp cancels the INVITE. An answer that crosses the CANCEL on its way is
// acknowledged and hung up at once; one that comes after we stopped waiting is
// caught by endpoint.stray.
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

// cancel sends the CANCEL on a goroutine of its own, since the final response to
// the INVITE may come before the one to the CANCEL.
func (c *placing) cancel(invite *msg.Request) { c.e.wg.Go(func() { c.e.cancel(invite) }) }

// cancel sends the CANCEL of an INVITE and waits for its answer.
func (e *endpoint) cancel(invite *msg.Request) {
	ctx, stop := context.WithTimeout(context.WithoutCancel(e.ctx), e.times.cancel)
	defer stop()
	_, _ = e.request(ctx, partOf(invite, msg.CANCEL))
}

// partOf is a request that belongs to the transaction of an INVITE, and goes where that went.
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

// outrun is by how much the first words may outrun the answer, which passes more hands on its way.
const outrun = 200 * time.Millisecond

// spokenSince is from when on what we hear may have been said by whoever answers now: with early
// media everything before is a ringing tone, and without it there is nothing but the words. Nobody
// answers before the INVITE has left.
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

// answered takes the 2xx: acknowledge at once, then see whether we can talk.
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
	e.sockets.Awaited().Settle(c.attempt.LineRef) // not before: what the far end changes then is newer than its answer
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
	return call.EndOf(call.EndCodecMismatch, "the answer has no codec that was offered"), false
}
