package sip

import (
	"context"
	"net/netip"
	"strings"
	"testing"
	"time"

	msg "github.com/emiago/sipgo/sip"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/rtp"
)

// TestAnOfferWaitsForTheAnswerToOurs checks that a far end that left the offer to us must answer it
// before it makes another one, as it would otherwise be unclear which offer an answer is for. An
// offer right after its ACK is accepted.
func TestAnOfferWaitsForTheAnswerToOurs(t *testing.T) {
	t.Parallel()
	p := newPeer(t)
	party, c, invite := answered(t, p, "0 101")
	const kind = "Content-Type: application/sdp"
	p.send(invite, "INVITE", 1, "")
	p.responseTo(1)
	for i, one := range []struct {
		method, body string
		code         int
	}{{"UPDATE", p.sdp("8", "sendrecv"), 491}, {"INVITE", p.sdp("8", "sendrecv"), 491}, {"INVITE", "", 491}, {"UPDATE", "", 200}} {
		seq := 2 + i
		p.send(invite, one.method, seq, one.body, kind)
		p.gets(uint32(seq), one.code)
		if one.method == "INVITE" {
			p.acknowledge(invite, seq)
		}
	}
	p.send(invite, "ACK", 1, p.sdp("0 101", "sendrecv"), kind)
	for seq := 6; seq < 16; seq += 2 {
		p.send(invite, "INVITE", seq, "")
		p.responseTo(uint32(seq))
		p.send(invite, "UPDATE", seq+1, p.sdp("0 101", "sendrecv"), kind) // it overtakes the ACK
		p.send(invite, "ACK", seq, p.sdp("0 101", "sendrecv"), kind)
		p.gets(uint32(seq+1), 200)
	}
	party.pass(t)
	p.endedBy(party)
	if a := result(t, c); a.EndReason != (call.EndReason{}) || a.Codec != "PCMU" {
		t.Errorf("end %+v, codec %s", a.EndReason, a.Codec)
	}
}

// TestAChangeRightBehindTheAnswer checks that a change right after the answer replaces it, even if
// the answer takes a while to process because its host must be looked up.
func TestAChangeRightBehindTheAnswer(t *testing.T) {
	t.Parallel()
	p := newPeer(t)
	party := &mute{}
	l := lineTo(t, p, nil)
	l.e.locate.Find = func(context.Context, string, string) ([]netip.Addr, error) {
		time.Sleep(200 * time.Millisecond)
		return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
	}
	c := placed(t, l, to(patient), party)
	invite := p.next(msg.INVITE)
	p.reply(invite, 200, "OK", strings.Replace(p.sdp("0", "sendrecv"), "c=IN IP4 127.0.0.1", "c=IN IP4 sound.example.org", 1))
	p.next(msg.ACK)
	p.rtp = udp(t)
	p.send(invite, "UPDATE", 1, p.sdp("8", "sendrecv"), "Content-Type: application/sdp")
	p.gets(1, 200)
	_ = p.rtp.SetReadDeadline(time.Now().Add(2 * time.Second))
	b := make([]byte, 2048)
	n, _, err := p.rtp.ReadFrom(b)
	if got, ok := rtp.Parse(b[:n]); err != nil || !ok || got.Type != 8 {
		t.Errorf("we send %+v, %v, want the type 8", got, err)
	}
	p.endedBy(party)
	ends(t, c, "")
}

// acknowledge acknowledges the refusal of a re-INVITE, as part of its transaction.
func (p *peer) acknowledge(invite *msg.Request, seq int) {
	p.t.Helper()
	text := within(invite, "UDP", p.conn.LocalAddr(), p.tag, "ACK", seq, "")
	p.write(strings.Replace(text, "branch=z9hG4bKACK", "branch=z9hG4bKINVITE", 1), invite.Source())
}

// TestBodiesThatAreNoOffers checks that bodies that are not offers are refused as such, within a
// call as well.
func TestBodiesThatAreNoOffers(t *testing.T) {
	t.Parallel()
	p := newPeer(t)
	party, c, invite := answered(t, p, "0 101")
	seq := 0
	for _, method := range []string{"INVITE", "UPDATE"} {
		for body, headers := range map[string][]string{
			"hello":            {"Content-Type: text/plain"},
			"\x1f\x8b\x08\x00": {"Content-Type: application/sdp", "Content-Encoding: gzip"},
		} {
			seq++
			p.send(invite, method, seq, body, headers...)
			res := p.responseTo(uint32(seq))
			if res.StatusCode != 415 || value(res, "Accept") != "application/sdp" || !strings.Contains(value(res, "Accept-Encoding"), "identity") {
				t.Errorf("%s with %v was answered with %d", method, headers, res.StatusCode)
			}
			if method == "INVITE" {
				p.acknowledge(invite, seq)
			}
		}
	}
	party.pass(t)
	p.endedBy(party)
	ends(t, c, "")
}
