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

// usualRing is how long a call rings when the Dial does not say.
const usualRing = 60 * time.Second

// Place makes a call and blocks until it is over. What goes wrong is an end
// reason. It is left zero when our own Party hung up: only the Party knows why.
// When ctx ends, the call is cancelled or hung up and the reason is
// EndInterrupted with the detail "canceled".
func (l *Line) Place(ctx context.Context, d leg.Dial, p leg.Party, t *leg.Tape) call.Attempt {
	trunk, _ := l.Trunk(d.Trunk)
	e := l.towards(trunk)
	if e.enter() {
		defer e.calls.Done()
	}
	c := &placing{line: l, e: e, dial: d, party: p, tape: t, decided: make(chan struct{})}
	c.attempt = call.Attempt{ID: d.AttemptID, CallID: d.CallID, StartedAt: e.now()}
	c.attempt.Stats.RemoteLost = -1
	c.state(leg.Dialing)
	c.attempt.EndReason = c.run(ctx)
	if c.attempt.EndedAt.IsZero() {
		c.attempt.EndedAt = e.now()
	}
	c.sortTimeline()
	e.log.Debug("call over", "call", d.CallID, "attempt", d.AttemptID, "sip_call_id", c.attempt.LineRef,
		"trunk", c.trunk.Name, "end", c.attempt.EndReason.Code, "send_missed", c.attempt.Stats.SendMissed)
	return c.attempt
}

// placing is one call on its way.
type placing struct {
	line    *Line
	e       *endpoint // that reaches the trunk
	trunk   Trunk
	dial    leg.Dial
	party   leg.Party
	tape    *leg.Tape
	talk    *talk
	attempt call.Attempt

	sent        time.Time         // when the INVITE left, the last one where there are several
	since       time.Time         // when the far end had answered, for all that is known
	aside       string            // what the far end said last in place of ringing, "" where it rings
	early       time.Time         // first early media
	earlyBodies map[string][]byte // the newest description of it by each far end's tag
	dialog      *dialog
	ringing     *dialog // before there is an answer
	// confirmed are the far ends, by their tags, whose provisional responses we have acknowledged,
	// by so many requests as pracks.
	confirmed map[string]*confirmed
	pracks    atomic.Uint32
	// acked is the dialog once its answer has been acknowledged; transactions look at it too.
	acked atomic.Pointer[dialog]
	// decided is closed when it is settled whether there is such a dialog.
	decided chan struct{}
	// lost is closed once the connection is gone over which the INVITE went, nil where there is none.
	lost <-chan struct{}
	// found are the trunk's machines where they have been looked up already and none was asked yet.
	found []string
	// others are the machines that the INVITE may yet go to where this one does not serve it, or
	// says nothing for as long as share; none once one of them has taken it on.
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
		return call.EndOf(call.EndUnreachable, "the number to call is not dialable")
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

// dialable says whether a number can stand in a SIP address.
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
	if result.Cause != telephone.ByFar && !d.cutOff() || ours {
		d.bye("")
	}
	c.e.drop(d)
	c.book(result, setup.Codec)
	return c.reasonFor(result)
}

// wait waits for the end of the talk and stops the stream; ours says that the far end
// has passed us on and leaves it to us to hang up.
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
		case <-c.e.ctx.Done():
			stream.Stop(telephone.ByOrder)
		}
		return ours
	}
}

// book writes what the stream found into the attempt.
func (c *placing) book(r *telephone.Result, codec g711.Codec) {
	a := &c.attempt
	a.AnsweredAt, a.EndedAt = r.Zero, r.Zero.Add(r.Length)
	for _, before := range []*time.Time{&a.StartedAt, &a.RingingAt} {
		if before.After(a.AnsweredAt) {
			*before = a.AnsweredAt // the first word stands in a whole frame, and may be here before the news that it rings
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
			return call.EndOf(call.EndMediaLost, "the far end never acknowledged our answer to its re-INVITE (no ACK), and was hung up on as a phone would")
		}
		return call.EndOf(call.EndMediaLost, mediaLost(r)+c.beyond(r))
	case telephone.ByOrder:
		return call.EndOf(call.EndInterrupted, "canceled")
	case telephone.ByParty, telephone.Running:
	}
	return call.EndReason{}
}

// beyond tells that the far end named an address for its sound that is not of our family.
func (c *placing) beyond(r *telephone.Result) string {
	theirs, ours := c.talk.agreedSetup().Remote.Addr(), c.dialog.local
	if r.FirstPacket || theirs.Is4() == ours.Is4() {
		return ""
	}
	return fmt.Sprintf("; the far end wants it at %s, which cannot be reached from %s", theirs, ours)
}

// mediaLost tells how the agent's audio went missing.
func mediaLost(r *telephone.Result) string {
	text := "no audio ever came"
	if r.FirstPacket {
		text = "the agent's audio stopped"
	}
	if r.Unspoken > 0 {
		text += fmt.Sprintf("; %d packets came of payload types that were not agreed, the last of type %d", r.Unspoken, r.UnspokenType)
	}
	if r.Oversized > 0 {
		text += fmt.Sprintf("; %d packets came that hold more than 200 ms", r.Oversized)
	}
	if r.Broken > 0 {
		text += fmt.Sprintf("; %d packets came that are no valid RTP", r.Broken)
	}
	return text
}

// sortTimeline adds what happened before the answer and orders everything by media time.
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

// inviteRequest is the INVITE of this call.
func (c *placing) inviteRequest() (*msg.Request, error) {
	req, err := c.line.outside(msg.INVITE, c.trunk, c.talk.ours.Addr, c.dial.To, c.dial.From)
	if err != nil {
		return nil, err
	}
	c.attempt.LineRef = req.CallID().Value()
	req.AppendHeader(allow())
	// Session timers are answered but not offered: the side that asks for one refreshes it.
	if c.dial.CallID != "" {
		req.AppendHeader(msg.NewHeader(callHeader, c.dial.CallID))
	}
	req.AppendHeader(msg.NewHeader("Content-Type", "application/sdp"))
	req.SetBody(c.talk.offer())
	return req, nil
}

// localOf is our address as it stands in a request of ours.
func localOf(req *msg.Request) netip.Addr {
	a, _ := netip.ParseAddr(strings.Trim(req.Contact().Address.Host, "[]"))
	return a
}
