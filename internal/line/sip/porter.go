package sip

import (
	"net/netip"
	"sync"
	"time"

	"github.com/ringtrue/ringtrue/internal/line/sip/screen"
)

// What strangers may ask for at a time: each request is remembered for half a
// minute, in a few kilobytes. Over UDP what is beyond is dropped, and its sender
// repeats it; over TCP, where nobody repeats, a new call is refused.
const (
	invitesPerSecond = 500
	inviteBurst      = 2000
	othersPerSecond  = 1000
	otherBurst       = 5000
)

// porter bounds the requests of strangers. Those of calls that are going on are
// let in always.
type porter struct {
	now   func() time.Time
	known func(callID, tag string) bool
	// awaited hears of the answers that come in, or cannot.
	awaited awaited
	// late takes an answer to a call that was refused before, and says whether it was one;
	// nil takes none.
	late func(callID string, whole []byte, from netip.AddrPort) bool

	mu              sync.Mutex
	invites, others bucket
}

func newPorter(now func() time.Time, known func(callID, tag string) bool) *porter {
	return &porter{
		now: now, known: known,
		invites: bucket{burst: inviteBurst, perSecond: invitesPerSecond},
		others:  bucket{burst: otherBurst, perSecond: othersPerSecond},
	}
}

// admits says whether a request may come in over UDP. The zero wish is a response,
// and an ACK is not remembered.
func (p *porter) admits(w screen.Wish) bool {
	if w.Method == "" || w.Method == "ACK" || w.Tag != "" && p.known(w.CallID, w.Tag) {
		return true
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if w.Method == "INVITE" {
		return p.invites.take(p.now())
	}
	return p.others.take(p.now())
}

// admitsStream is admits over TCP, where only an INVITE is remembered.
func (p *porter) admitsStream(w screen.Wish) bool { return w.Method != "INVITE" || p.admits(w) }

// takesLate says whether a message is an answer that comes after a refusal: sipgo passes
// over those, and leaves a live call behind.
func (p *porter) takesLate(s screen.Result, from netip.AddrPort) bool {
	return s.Pass != nil && s.Answers != "" && p.late != nil && p.late(s.Answers, s.Pass, from)
}

// bucket lets a burst through and then so much per second.
type bucket struct {
	burst, perSecond float64

	level float64
	last  time.Time
}

func (b *bucket) take(now time.Time) bool {
	if b.last.IsZero() {
		b.level = b.burst
	} else {
		b.level = min(b.burst, b.level+now.Sub(b.last).Seconds()*b.perSecond)
	}
	b.last = now
	if b.level < 1 {
		return false
	}
	b.level--
	return true
}
