package sip

import (
	"context"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	msg "github.com/emiago/sipgo/sip"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/line/g711"
	"github.com/ringtrue/ringtrue/internal/line/telephone"
)

// usualRing is the default ring timeout.
const usualRing = 60 * time.Second

// Place makes a call and returns when it is over. Failures are reported as end reasons. The
// reason is zero if our own Party hung up, since only the Party knows why. If ctx ends or the line
// is closed, the call is cancelled or hung up and the reason is EndInterrupted with the detail "canceled".
func (l *Line) Place(ctx context.Context, d leg.Dial, p leg.Party, t *leg.Tape) call.Attempt {
	trunk, _ := l.Trunk(d.Trunk)
	e := l.towards(trunk)
	c := &placing{line: l, e: e, dial: d, party: p, tape: t, decided: make(chan struct{})}
	c.attempt = call.Attempt{ID: d.AttemptID, CallID: d.CallID, StartedAt: e.now()}
	c.attempt.Stats.RemoteLost = -1
	c.state(leg.Dialing)
	if !e.enter() {
		c.attempt.EndReason = call.EndOf(call.EndInterrupted, "canceled")
	} else {
		defer e.calls.Done()
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(e.ctx, cancel)()
		c.attempt.EndReason = c.lostOr(c.run(ctx))
	}
	if c.attempt.EndedAt.IsZero() {
		c.attempt.EndedAt = e.now()
	}
	c.sortTimeline()
	e.log.Debug("call over", "call", d.CallID, "attempt", d.AttemptID, "sip_call_id", c.attempt.LineRef,
		"trunk", c.trunk.Name, "end", c.attempt.EndReason.Code, "send_missed", c.attempt.Stats.SendMissed)
	return c.attempt
}

// placing is the state of one call of Place.
type placing struct {
	line    *Line
	e       *endpoint // the endpoint that reaches the trunk
	trunk   Trunk
	dial    leg.Dial
	party   leg.Party
	tape    *leg.Tape
	talk    *talk
	attempt call.Attempt

	sent        time.Time         // when the (last) INVITE was sent
	since       time.Time         // earliest time at which the far end may have answered
	aside       string            // the last state reported instead of ringing, "" while it rings
	early       time.Time         // first early media
	earlyBodies map[string][]byte // latest session description of early media by the far end's tag
	dialog      *dialog
	ringing     *dialog // before the answer
	// confirmed holds, by tag, the far ends whose provisional responses we have acknowledged;
	// pracks counts the PRACKs.
	confirmed map[string]*confirmed
	pracks    atomic.Uint32
	// acked is the dialog once its answer has been acknowledged. Transactions read it too.
	acked atomic.Pointer[dialog]
	// decided is closed when it is known whether there is such a dialog.
	decided chan struct{}
	// lost is closed once the connection used by the INVITE is gone; nil if there is none.
	lost <-chan struct{}
	// found are the trunk's addresses if they were already looked up and none was tried yet.
	found []string
	// others are the destinations still to be tried if the current one does not serve the
	// INVITE, or does not respond within its share of the time; none once one has taken it on.
	others []string
	share  time.Duration
}

func (c *placing) state(s leg.State) {
	if c.dial.OnState != nil {
		c.dial.OnState(s)
	}
}

func (c *placing) run(ctx context.Context) call.EndReason {
	var ok bool
	if c.trunk, ok = c.line.Trunk(c.dial.Trunk); !ok {
		return call.EndOf(call.EndConfiguration, "there is no trunk "+c.dial.Trunk).Blaming(call.BlameRingtrue)
	}
	if err := c.line.beyond(c.trunk); err != nil {
		return call.EndOf(call.EndConfiguration, clip(err.Error())).Blaming(call.BlameRingtrue)
	}
	if !dialable(c.dial.To) {
		return call.EndOf(call.EndUnreachable, "the number to call cannot be dialled")
	}
	stream, err := c.e.media.Open()
	if err != nil {
		return call.EndOf(call.EndRingtrueError, "no media ports: "+err.Error())
	}
	local, found, err := c.e.wayTo(ctx, c.trunk.place(), c.trunk.Transport)
	if err != nil {
		stream.Close()
		if ctx.Err() != nil {
			return call.EndOf(call.EndInterrupted, "canceled")
		}
		return call.EndOf(call.EndUnreachable, clip(err.Error()))
	}
	c.talk, c.found = newTalk(stream, local, c.trunk.codecs()), found
	reason, answered := c.invite(ctx)
	c.stopsRinging()
	if !answered {
		stream.Close()
		return reason
	}
	return c.converse(ctx)
}

// dialable reports whether a number can be part of a SIP address.
func dialable(to string) bool {
	if to == "" || len(to) > 64 {
		return false
	}
	for _, r := range to {
		if !strings.ContainsRune("+0123456789*#-._~!abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", r) {
			return false
		}
	}
	return true
}

// converse runs the answered call to its end.
func (c *placing) converse(ctx context.Context) call.EndReason {
	stream, d := c.talk.stream, c.dialog
	setup := c.talk.agreedSetup()
	setup.Party, setup.Tape, setup.OwnChannel = c.party, c.tape, leg.CallerChannel
	setup.MaxDuration, setup.MediaTimeout = c.dial.MaxDuration, c.line.timeout
	setup.Loss, setup.Since = c.line.loss, c.since
	c.talk.start(setup)
	c.state(leg.Answered)
	if c.dial.OnAnswered != nil {
		c.dial.OnAnswered(d.reference(c.trunk.Name))
	}
	ours := c.wait(ctx)
	<-stream.Done()
	result := stream.Result()
	if result.Cause != telephone.ByOrder && c.dial.OnOver != nil {
		c.dial.OnOver()
	}
	if result.Cause != telephone.ByFar && !d.cutOff() || ours {
		d.bye("")
	}
	c.e.drop(d)
	c.book(result, setup.Codec)
	return c.reasonFor(result)
}

// wait waits for the end of the conversation and stops the stream. It returns true if the far
// end has transferred us and leaves it to us to hang up.
func (c *placing) wait(ctx context.Context) (ours bool) {
	stream, d := c.talk.stream, c.dialog
	passed, leave := d.passedOn, (<-chan time.Time)(nil)
	for {
		select {
		case <-stream.Done():
		case <-passed:
			timer := time.NewTimer(c.e.times.passed)
			defer timer.Stop()
			passed, leave = nil, timer.C
			continue
		case <-leave:
			ours = true
			stream.Stop(telephone.ByFar)
		case <-d.ended:
			stream.Stop(d.endedBy())
		case <-d.forsaken:
			stream.Stop(telephone.MediaLost)
		case <-ctx.Done():
			stream.Stop(telephone.ByOrder)
		}
		return ours
	}
}

// book records the stream's result in the attempt.
func (c *placing) book(r *telephone.Result, codec g711.Codec) {
	a := &c.attempt
	a.AnsweredAt, a.EndedAt = r.Zero, r.Zero.Add(r.Length)
	for _, before := range []*time.Time{&a.StartedAt, &a.RingingAt} {
		if before.After(a.AnsweredAt) {
			*before = a.AnsweredAt // the first word is in a whole frame, and may arrive before the news that it rings
		}
	}
	a.Rate, a.Codec, a.Stats = 8000, codec.Name, r.Stats
	a.Timeline = append(a.Timeline, call.Event{Kind: call.KindAnswered})
	a.Timeline = append(a.Timeline, r.Timeline...)
	by := map[telephone.Cause]string{telephone.ByParty: "caller", telephone.ByFar: "agent"}[r.Cause]
	if by == "" {
		by = "line"
	}
	a.Timeline = append(a.Timeline, call.Event{At: r.Length, Kind: call.KindHangUp, Data: map[string]any{"by": by}})
}

func (c *placing) reasonFor(r *telephone.Result) call.EndReason {
	if to := c.dialog.whoPassed(); to != "" && (r.Cause == telephone.ByFar || r.Cause == telephone.ByParty) {
		return call.EndOf(call.EndTransferred, "to "+to)
	}
	switch r.Cause {
	case telephone.ByFar:
		return call.EndOf(call.EndAgentHungUp, c.dialog.why)
	case telephone.MaxReached:
		return call.EndOf(call.EndMaxDuration, "")
	case telephone.MediaLost:
		if c.dialog.cutOff() {
			return call.EndOf(call.EndMediaLost, "the telephone network ended the call: "+c.dialog.why)
		}
		if c.dialog.isForsaken() {
			return call.EndOf(call.EndMediaLost, "the far end never acknowledged our answer to its re-INVITE (no ACK), so we hung up, as a phone would")
		}
		return call.EndOf(call.EndMediaLost, mediaLost(r)+c.beyond(r))
	case telephone.ByOrder:
		return call.EndOf(call.EndInterrupted, "canceled")
	case telephone.ByParty, telephone.Running:
	}
	return call.EndReason{}
}

// beyond reports, as text, that the far end named a media address that is not of our address family.
func (c *placing) beyond(r *telephone.Result) string {
	theirs, ours := c.talk.agreedSetup().Remote.Addr(), c.dialog.local
	if r.FirstPacket || theirs.Is4() == ours.Is4() {
		return ""
	}
	return fmt.Sprintf("; the far end expects audio at %s, which cannot be reached from %s", theirs, ours)
}

// mediaLost describes how the agent's audio went missing.
func mediaLost(r *telephone.Result) string {
	text := "no audio ever arrived"
	if r.FirstPacket {
		text = "the agent's audio stopped"
	}
	if r.Unspoken > 0 {
		text += fmt.Sprintf("; %d packets arrived with payload types that were not agreed, the last with type %d", r.Unspoken, r.UnspokenType)
	}
	if r.Oversized > 0 {
		text += fmt.Sprintf("; %d packets held more than 200 ms", r.Oversized)
	}
	if r.Broken > 0 {
		text += fmt.Sprintf("; %d packets were not valid RTP", r.Broken)
	}
	return text
}

// sortTimeline adds what happened before the answer and orders all events by media time.
func (c *placing) sortTimeline() {
	a := &c.attempt
	before := func(t time.Time, kind call.Kind) {
		if t.IsZero() {
			return
		}
		e := call.Event{Kind: kind}
		if !a.AnsweredAt.IsZero() {
			e.At = min(t.Sub(a.AnsweredAt), 0)
		}
		a.Timeline = append(a.Timeline, e)
	}
	before(a.RingingAt, call.KindRinging)
	before(c.early, call.KindEarlyMedia)
	slices.SortStableFunc(a.Timeline, func(x, y call.Event) int {
		switch {
		case x.At < y.At:
			return -1
		case x.At > y.At:
			return 1
		}
		return 0
	})
}

// inviteRequest returns the INVITE of this call.
func (c *placing) inviteRequest() (*msg.Request, error) {
	req, err := c.line.outside(msg.INVITE, c.trunk, c.talk.ours.Addr, c.dial.To, c.dial.From)
	if err != nil {
		return nil, err
	}
	c.attempt.LineRef = req.CallID().Value()
	req.AppendHeader(allow())
	// Session timers are accepted but not requested, as the side that requests one has to refresh it.
	if c.dial.CallID != "" {
		req.AppendHeader(msg.NewHeader(callHeader, c.dial.CallID))
	}
	req.AppendHeader(msg.NewHeader("Content-Type", "application/sdp"))
	req.SetBody(c.talk.offer())
	return req, nil
}

// localOf returns our address as used in a request.
func localOf(req *msg.Request) netip.Addr {
	a, _ := netip.ParseAddr(strings.Trim(req.Contact().Address.Host, "[]"))
	return a
}
