package sip

import (
	"fmt"
	"strings"
	"testing"
	"time"

	msg "github.com/emiago/sipgo/sip"

	"github.com/ringtrue/ringtrue/internal/line/sip/screen"
)

func nobodyKnown(string, string) bool { return false }

// TestStrangersAreBounded: calls and everything else each by their own measure, and
// neither hinders a call that is going on.
func TestStrangersAreBounded(t *testing.T) {
	t.Parallel()
	now := time.Unix(0, 0)
	p := newPorter(func() time.Time { return now }, func(callID, tag string) bool { return callID == "ours" && tag == "here" })
	count := func(method string, n int, pause time.Duration) (taken int) {
		for range n {
			now = now.Add(pause)
			if p.admits(screen.Wish{Method: method, CallID: "theirs", Tag: "made-up"}) {
				taken++
			}
		}
		return taken
	}
	for method, bound := range map[string]int{"INVITE": inviteBurst, "OPTIONS": otherBurst} {
		if n := count(method, 2*bound, 0); n != bound {
			t.Errorf("%d %s came through at once, want %d", n, method, bound)
		}
	}
	for method, rate := range map[string]int{"INVITE": invitesPerSecond, "BYE": othersPerSecond} {
		count(method, 2*otherBurst, 0)
		if n := count(method, 10000, 100*time.Microsecond); n < rate-1 || n > rate+1 {
			t.Errorf("%d %s came through in a second, want %d", n, method, rate)
		}
	}
	count("INVITE", inviteBurst, 0)
	count("BYE", otherBurst, 0) // there is room for nobody now
	for _, w := range []screen.Wish{{Method: "BYE", CallID: "ours", Tag: "here"}, {Method: "INVITE", CallID: "ours", Tag: "here"}, {Method: "ACK", CallID: "theirs", Tag: ""}, {}} {
		if !p.admits(w) {
			t.Errorf("%+v was not let in", w)
		}
	}
	if p.admits(screen.Wish{Method: "BYE", CallID: "ours", Tag: "made-up"}) {
		t.Error("a stranger who knows a Call-ID was let in")
	}
}

func TestWhatARequestWishes(t *testing.T) {
	t.Parallel()
	for to, tag := range map[string]string{
		"<sip:us@example.org>": "", "sip:us@example.org;TAG=a": "a", "\"x;tag=no\" <sip:us@example.org;tag=no>;x=y; tag = b ;z": "b",
	} {
		text := strings.NewReplacer("$VIA", "SIP/2.0/UDP 127.0.0.1:5;branch=z9hG4bKx", "$ADDR", "127.0.0.1:5", "$ID", "1", "$LEN", "0", "\n", "\r\n").
			Replace(with("BYE"+us, "", "To: "+to))
		if got := screen.Read([]byte(text), here()).Wish; got != (screen.Wish{Method: "BYE", CallID: "1@ordeal", Tag: tag}) {
			t.Errorf("%s: %+v", to, got)
		}
	}
}

// TestAFloodOverTCPIsTurnedAway: calls beyond the bound are refused, and those within
// it are not.
func TestAFloodOverTCPIsTurnedAway(t *testing.T) {
	t.Parallel()
	l := lineTo(t, newPeer(t), nil) // it takes no calls and says so: 405
	l.e.porter.mu.Lock()
	l.e.porter.invites = bucket{burst: 3, perSecond: 1e-9}
	l.e.porter.mu.Unlock()
	p := newSender(t, "tcp", l.Addr().String(), "flood")
	var all strings.Builder
	for i := range 5 {
		all.WriteString(p.fill(with("INVITE"+us, offered), fmt.Sprintf("flood%dx", i)))
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

// TestAFloodOfStrangersHindersNoCall: the far end's own requests come in while nobody
// else's do.
func TestAFloodOfStrangersHindersNoCall(t *testing.T) {
	t.Parallel()
	p := newPeer(t)
	l := lineTo(t, p, nil)
	c := placed(t, l, to(patient), &mute{})
	invite := p.next(msg.INVITE)
	p.reply(invite, 200, "OK", p.sdp("0", "sendrecv"))
	p.next(msg.ACK)
	at := l.e.tcp.porter
	at.mu.Lock()
	at.invites, at.others = bucket{burst: 0, perSecond: 1e-9}, bucket{burst: 0, perSecond: 1e-9}
	at.mu.Unlock()
	s := newSender(t, "udp", l.Addr().String(), "crowd")
	s.send(s.fill(with("OPTIONS"+us, ""), s.id))
	if code, _ := s.answer(s.id, 100*time.Millisecond); code != 0 {
		t.Errorf("a stranger was answered with %d", code)
	}
	p.send(invite, "INVITE", 1, p.sdp("0", "sendonly"), "Content-Type: application/sdp")
	if r := p.responseTo(1); r.StatusCode != 200 {
		t.Errorf("re-INVITE: %d", r.StatusCode)
	}
	p.send(invite, "ACK", 1, "")
	p.send(invite, "BYE", 2, "")
	if r := p.responseTo(2); r.StatusCode != 200 {
		t.Errorf("BYE: %d", r.StatusCode)
	}
	result(t, c)
}
