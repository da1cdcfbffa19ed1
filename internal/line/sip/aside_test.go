package sip

import (
	"context"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	msg "github.com/emiago/sipgo/sip"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/leg"
)

// hasty makes a line or server give up an address that nobody answers at after a second.
func hasty(o *Options) { o.times.bye = time.Second }

// movedTo returns the peer at another socket of its own.
func (p *peer) movedTo(conn *net.UDPConn) *peer {
	moved := &peer{t: p.t, tag: p.tag, conn: conn, rtp: p.rtp, in: make(chan *msg.Request, 64), res: make(chan *msg.Response, 64)}
	go moved.read()
	return moved
}

// answerFrom answers an INVITE with this address in the Contact, until it is acknowledged.
func (p *peer) answerFrom(invite *msg.Request, contact string) {
	p.t.Helper()
	res := msg.NewResponseFromRequest(invite, 200, "OK", []byte(p.sdp("0", "sendrecv")))
	res.To().Params.Add("tag", p.tag)
	res.AppendHeader(msg.NewHeader("Contact", "<sip:peer@"+contact+">"))
	p.untilAcked(res.String(), invite.Source())
}

// move sends a re-INVITE with this address in the Contact.
func (p *peer) move(invite *msg.Request, seq int, contact string) {
	p.t.Helper()
	tag, _ := invite.From().Params.Get("tag")
	body := p.sdp("0", "sendrecv")
	p.write(fmt.Sprintf("INVITE %s SIP/2.0\r\nVia: SIP/2.0/UDP %s;branch=z9hG4bKmove%d\r\nFrom: <%s>;tag=%s\r\nTo: <%s>;tag=%s\r\nCall-ID: %s\r\nCSeq: %d INVITE\r\nMax-Forwards: 70\r\nContact: <sip:peer@%s>\r\nContent-Length: %d\r\n\r\n%s",
		invite.Contact().Address.String(), p.conn.LocalAddr(), seq, invite.To().Address.String(), p.tag, invite.From().Address.String(), tag,
		invite.CallID().Value(), seq, contact, len(body), body), invite.Source())
	p.gets(uint32(seq), 200)
	p.send(invite, "ACK", seq, "")
}

// TestAFarEndThatMovesIsFound checks that our BYE goes to the address that the far end gave last
// or, failing that, to where it sent that request from, whatever was valid before.
func TestAFarEndThatMovesIsFound(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ first, then string }{
		"from an address that is none to one that is": {"HOLE", "THERE"},
		"from one that is none to another":            {"HOLE", "HOLE2"},
		"from one that is to one that is none":        {"HERE", "HOLE"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, hole, hole2 := newPeer(t), udp(t), udp(t)
			there := p.movedTo(udp(t))
			at := strings.NewReplacer("HERE", p.conn.LocalAddr().String(), "HOLE2", hole2.LocalAddr().String(), "HOLE", hole.LocalAddr().String())
			party := &mute{}
			c2 := placed(t, lineTo(t, p, hasty), to(patient), party)
			invite := p.next(msg.INVITE)
			p.answerFrom(invite, at.Replace(c.first))
			there.move(invite, 7, strings.NewReplacer("THERE", there.conn.LocalAddr().String(), "HOLE2", hole2.LocalAddr().String(), "HOLE", hole.LocalAddr().String()).Replace(c.then))
			party.hangUp()
			there.reply(there.next(msg.BYE), 200, "OK", "")
			ends(t, c2, "")
		})
	}
}

// TestAnAnswerAfterARefusalFromNowhere checks that the phone is hung up, too, whatever address its
// answer gives.
func TestAnAnswerAfterARefusalFromNowhere(t *testing.T) {
	t.Parallel()
	p, hole := newPeer(t), udp(t)
	c := placed(t, lineTo(t, p, hasty), to(patient), &mute{})
	invite := p.next(msg.INVITE)
	p.as("first", invite, 603, "")
	p.next(msg.ACK)
	ends(t, c, call.EndDeclined)
	p.tag = "second"
	res := msg.NewResponseFromRequest(invite, 200, "OK", []byte(p.sdp("0", "sendrecv")))
	res.To().Params.Add("tag", p.tag)
	res.AppendHeader(msg.NewHeader("Contact", "<sip:peer@"+hole.LocalAddr().String()+">"))
	p.write(res.String(), invite.Source())
	p.hungUp("second")
}

// TestTheCallOfADeadProcessFromNowhere checks that another process can hang up the call, because
// the reference also says where the answer came from.
func TestTheCallOfADeadProcessFromNowhere(t *testing.T) {
	t.Parallel()
	p, hole := newPeer(t), udp(t)
	ctx, die := context.WithCancel(t.Context())
	defer die()
	references := make(chan string, 1)
	d := to(patient)
	d.Trunk, d.OnAnswered = "peer", func(reference string) { references <- reference }
	first, second := lineTo(t, p, hasty), lineTo(t, p, hasty)
	c := placedIn(ctx, first, d, &mute{})
	p.answerFrom(p.next(msg.INVITE), hole.LocalAddr().String())
	over := make(chan error, 1)
	reference := <-references
	go func() { over <- second.HangUp(t.Context(), reference) }()
	p.reply(p.next(msg.BYE), 200, "OK", "")
	if err := <-over; err != nil {
		t.Error(err)
	}
	die()
	p.reply(p.next(msg.BYE), 200, "OK", "")
	result(t, c)
}

// TestACallerFromNowhereIsHungUp checks that an incoming call is hung up at the address it came
// from if its Contact does not answer.
func TestACallerFromNowhereIsHungUp(t *testing.T) {
	t.Parallel()
	p, hole := newPeer(t), udp(t)
	s := server(t, func(o *ServerOptions) {
		o.times.bye = time.Second
		o.Answerer = func(context.Context, leg.Incoming) leg.Answer {
			return leg.Answer{Party: &mute{after: 40 * time.Millisecond}}
		}
	})
	p.callAs(s, hole.LocalAddr().String(), p.sdp("0", "sendrecv"))
	if r := p.response(); r.StatusCode != 200 {
		t.Fatalf("the answer is %v, want 200", r)
	}
	p.reply(p.next(msg.BYE), 200, "OK", "")
}

// TestADetourThatEndedIsLeft checks that our BYE reaches the address in the Contact although the
// far end's answer came from elsewhere.
func TestADetourThatEndedIsLeft(t *testing.T) {
	t.Parallel()
	p := newPeer(t)
	there := p.movedTo(udp(t))
	party := &mute{}
	c := placed(t, lineTo(t, p, hasty), to(patient), party)
	p.answerFrom(p.next(msg.INVITE), there.conn.LocalAddr().String()) // the first ACKs go there, until the repeated answer brings one here
	party.hangUp()
	there.reply(there.next(msg.BYE), 200, "OK", "")
	ends(t, c, "")
}
