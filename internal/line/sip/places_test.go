package sip

import (
	"context"
	"net"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	msg "github.com/emiago/sipgo/sip"

	"github.com/ringtrue/ringtrue/internal/call"
)

// named has the line find these machines under any name, the first of them another time by time.
func named(l *Line, machines ...string) {
	var asked atomic.Int64
	l.e.find = func(context.Context, string, string) (out []netip.Addr, err error) {
		n := int(asked.Add(1)) - 1
		for i := range machines {
			out = append(out, netip.MustParseAddr(machines[(n+i)%len(machines)]))
		}
		return out, nil
	}
}

// beside is a peer at another address of this machine, at the same port.
func (p *peer) beside(machine string) *peer {
	p.t.Helper()
	addr := net.UDPAddr{IP: net.ParseIP(machine), Port: p.conn.LocalAddr().(*net.UDPAddr).Port}
	conn, err := net.ListenUDP("udp4", &addr)
	if err != nil {
		p.t.Skip("this machine has no second address for itself: ", err)
	}
	p.t.Cleanup(func() { conn.Close() })
	other := &peer{t: p.t, tag: "other", conn: conn, rtp: p.rtp, in: make(chan *msg.Request, 64), res: make(chan *msg.Response, 64)}
	go other.read()
	return other
}

// TestACallStaysWithTheMachineItBeganWith where its trunk's name stands for several, in
// another order each time: another machine knows neither the challenge nor what to cancel.
func TestACallStaysWithTheMachineItBeganWith(t *testing.T) {
	t.Parallel()
	p := newPeer(t)
	other := p.beside("127.0.0.2")
	_, port, _ := strings.Cut(p.conn.LocalAddr().String(), ":")
	l := lineTo(t, p, func(o *Options) { o.Trunks[0].Host = "trunk.example.org:" + port })
	named(l, "127.0.0.1", "127.0.0.2")
	c := placed(t, l, to(2*time.Second), &mute{})
	first := p.next(msg.INVITE)
	p.reply(first, 407, "Proxy Authentication Required", "", `Proxy-Authenticate: Digest realm="r", nonce="n", algorithm=MD5`)
	second := p.later(msg.INVITE, first)
	p.reply(second, 180, "Ringing", "")
	p.reply(p.next(msg.CANCEL), 200, "OK", "")
	p.reply(second, 487, "Request Terminated", "")
	if a := result(t, c); a.EndReason.Code != call.EndNoAnswer {
		t.Errorf("end %+v", a.EndReason)
	}
	if got := other.methods(); len(got) != 0 {
		t.Errorf("another machine was asked for %v", got)
	}
}

// TestADeadMachineIsPassedBy where the trunk's name stands for others that live.
func TestADeadMachineIsPassedBy(t *testing.T) {
	t.Parallel()
	s := newSwitchboard(t)
	_, port, _ := strings.Cut(s.l.Addr().String(), ":")
	l := s.line(func(o *Options) { o.Trunks[0].Host = "trunk.example.org:" + port })
	var w *wired
	for _, machines := range [][]string{{"127.0.0.9", "::1", "127.0.0.1"}, {"127.0.0.8", "127.0.0.1"}} {
		named(l, machines...)
		party := &mute{}
		c := placed(t, l, to(patient), party)
		if w == nil { // the connection that there is then comes before others
			w = s.accept()
		}
		w.reply(w.next(msg.INVITE), (&peer{rtp: s.rtp}).sdp("0", "sendrecv"), "")
		w.next(msg.ACK)
		party.hangUp()
		w.reply(w.next(msg.BYE), "", "")
		if a := result(t, c); a.EndReason != (call.EndReason{}) {
			t.Errorf("by way of %v: end %+v", machines, a.EndReason)
		}
	}
	named(l, "127.0.0.7", "127.0.0.8")
	if a := result(t, placed(t, l, to(patient), &mute{})); a.EndReason.Code != call.EndUnreachable || !strings.Contains(a.EndReason.Detail, "refused") {
		t.Errorf("with nobody left: end %+v", a.EndReason)
	}
}
