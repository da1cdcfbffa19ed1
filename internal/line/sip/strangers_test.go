package sip

import (
	"fmt"
	"strings"
	"testing"
	"time"

	msg "github.com/emiago/sipgo/sip"

	"github.com/ringtrue/ringtrue/internal/line/sip/siptest"
	"github.com/ringtrue/ringtrue/internal/line/sip/transport"
)

// TestAFloodOverTCPIsTurnedAway checks that calls beyond the limit are refused, and those within it
// are not.
func TestAFloodOverTCPIsTurnedAway(t *testing.T) {
	t.Parallel()
	l := lineTo(t, newPeer(t), func(o *Options) { // it takes no calls, and answers 405
		o.times.bounds.Invites = transport.Rate{Burst: 3, PerSecond: 1e-9}
	})
	p := newSender(t, "tcp", l.Addr().String(), "flood")
	var all strings.Builder
	for i := range 5 {
		all.WriteString(p.fill(siptest.With("INVITE"+siptest.Us, siptest.Offered), fmt.Sprintf("flood%dx", i)))
	}
	p.send(all.String())
	codes := map[int]int{}
	for range 5 {
		code, _ := p.answer("flood", patient)
		codes[code]++
	}
	if codes[405] != 3 || codes[503] != 2 {
		t.Errorf("answered with %v", codes)
	}
}

// TestAFloodOfStrangersHindersNoCall checks that the far end's own requests are handled while those
// of strangers are not.
func TestAFloodOfStrangersHindersNoCall(t *testing.T) {
	t.Parallel()
	p := newPeer(t)
	nobody := transport.Rate{PerSecond: 1e-9}
	l := lineTo(t, p, func(o *Options) { o.times.bounds = transport.Bounds{Invites: nobody, Others: nobody} })
	c := placed(t, l, to(patient), &mute{})
	invite := p.next(msg.INVITE)
	p.reply(invite, 200, "OK", p.sdp("0", "sendrecv"))
	p.next(msg.ACK)
	s := newSender(t, "udp", l.Addr().String(), "crowd")
	s.send(s.fill(siptest.With("OPTIONS"+siptest.Us, ""), s.id))
	if code, _ := s.answer(s.id, 100*time.Millisecond); code != 0 {
		t.Errorf("a stranger was answered with %d", code)
	}
	p.send(invite, "INVITE", 1, p.sdp("0", "sendonly"), "Content-Type: application/sdp")
	p.gets(1, 200)
	p.send(invite, "ACK", 1, "")
	p.send(invite, "BYE", 2, "")
	p.gets(2, 200)
	result(t, c)
}
