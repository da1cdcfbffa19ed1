package sip

import (
	"bytes"
	"net"
	"net/netip"
	"strings"
	"testing"
	"time"

	msg "github.com/emiago/sipgo/sip"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/line/sip/sdp"
	"github.com/ringtrue/ringtrue/internal/rtp"
)

// sends sends one packet to the port that the INVITE offers.
func (p *peer) sends(invite *msg.Request, one rtp.Packet, payload []byte) {
	p.t.Helper()
	s, err := sdp.Parse(invite.Body())
	if err != nil {
		p.t.Fatal(err)
	}
	b := make([]byte, rtp.HeaderSize)
	rtp.WriteHeader(b, one)
	_, _ = p.rtp.WriteTo(append(b, payload...), net.UDPAddrFromAddrPort(netip.AddrPortFrom(s.Addr, s.Port)))
}

// TestACallMovesInOneGo moves a call to another port, codec and source at once: both directions
// must follow, and nothing may count as lost.
func TestACallMovesInOneGo(t *testing.T) {
	t.Parallel()
	p := newPeer(t)
	party, c, invite := answered(t, p, "0 101")
	p.speakFrom(invite, 0, 3)
	p.rtp = udp(t)
	p.send(invite, "INVITE", 1, p.sdp("8 101", "sendrecv"), "Content-Type: application/sdp")
	if res := p.gets(1, 200); !bytes.Contains(res.Body(), []byte("RTP/AVP 8 101\r\n")) {
		t.Errorf("the answer is %s, want PCMA and the keys", res.Body())
	}
	p.send(invite, "ACK", 1, "")
	party.pass(t)
	for i := range 4 {
		p.sends(invite, rtp.Packet{Type: 8, Sequence: uint16(7000 + i), Timestamp: uint32(99999 + 160*i), SSRC: 9}, make([]byte, 160))
		time.Sleep(20 * time.Millisecond)
	}
	b := make([]byte, 2048)
	_ = p.rtp.SetReadDeadline(time.Now().Add(patient))
	n, _, err := p.rtp.ReadFrom(b)
	if got, ok := rtp.Parse(b[:n]); err != nil || !ok || got.Type != 8 {
		t.Errorf("we send %+v, %v, want the type 8", got, err)
	}
	p.endedBy(party)
	if a := result(t, c); a.EndReason != (call.EndReason{}) || a.Stats.Received != 7 || a.Stats.Lost != 0 {
		t.Errorf("end %+v, %+v, want no reason, 7 packets and none lost", a.EndReason, a.Stats)
	}
}

// TestAnAnswerThatNobodyAcknowledgesEndsTheCall checks that the call ends if our answer to a
// re-INVITE is never acknowledged, which is how a phone drops a call whose ACKs get lost. Neither
// the agent nor we are to blame.
func TestAnAnswerThatNobodyAcknowledgesEndsTheCall(t *testing.T) {
	t.Parallel()
	for name, ack := range map[string]int{"no ACK": 0, "an ACK": 1, "an ACK that is counted wrongly": 7} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			acked := ack != 0
			p := newPeer(t)
			party := &mute{}
			c := placed(t, lineTo(t, p, func(o *Options) { o.times.t1 = 15 * time.Millisecond }), to(patient), party) // 64*T1 is a second
			invite := p.next(msg.INVITE)
			p.reply(invite, 200, "OK", p.sdp("0", "sendrecv"))
			p.next(msg.ACK)
			p.send(invite, "INVITE", 1, p.sdp("0", "sendrecv"), "Content-Type: application/sdp")
			p.gets(1, 200)
			if acked {
				p.send(invite, "ACK", ack, "")
				time.Sleep(1200 * time.Millisecond)
				party.hangUp()
			}
			bye := p.next(msg.BYE)
			p.reply(bye, 200, "OK", "")
			a := result(t, c)
			if lost := a.EndReason.Code == call.EndMediaLost && a.EndReason.Blame == call.BlameLine && strings.Contains(a.EndReason.Detail, "no ACK"); lost == acked {
				t.Errorf("end %+v, want that the sound was lost for want of an ACK: %v", a.EndReason, !acked)
			}
		})
	}
}

// TestComfortNoiseAloneKeepsACall checks that comfort noise, almost all that an agent sends during
// a long silence, keeps a call alive.
func TestComfortNoiseAloneKeepsACall(t *testing.T) {
	t.Parallel()
	p := newPeer(t)
	party := &mute{}
	c := placed(t, lineTo(t, p, func(o *Options) { o.MediaTimeout = 1500 * time.Millisecond }), to(patient), party)
	invite := p.next(msg.INVITE)
	p.reply(invite, 200, "OK", p.sdp("0 13", "sendrecv"))
	p.next(msg.ACK)
	for i := range 4 {
		p.sends(invite, rtp.Packet{Type: 13, Sequence: uint16(i), Timestamp: uint32(6400 * i), SSRC: 9}, []byte{60})
		time.Sleep(500 * time.Millisecond)
	}
	p.endedBy(party)
	if a := result(t, c); a.EndReason != (call.EndReason{}) || a.Stats.Lost != 0 {
		t.Errorf("end %+v, %+v, want no reason and no loss", a.EndReason, a.Stats)
	}
}
