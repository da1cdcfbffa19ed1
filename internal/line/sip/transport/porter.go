package transport

import (
	"net/netip"
	"sync"
	"time"

	"github.com/ringtrue/ringtrue/internal/line/sip/screen"
)

// Bounds is what strangers may ask for at a time: each request is remembered for half a
// minute, in a few kilobytes. Over UDP what is beyond is dropped, and its sender
// repeats it; over TCP, where nobody repeats, a new call is refused.
type Bounds struct{ Invites, Others Rate }

// Rate lets a burst through and then so much per second.
type Rate struct{ Burst, PerSecond float64 }

// UsualBounds are those of a service on the open network.
func UsualBounds() Bounds {
	return Bounds{Invites: Rate{Burst: 2000, PerSecond: 500}, Others: Rate{Burst: 5000, PerSecond: 1000}}
}

// porter bounds the requests of strangers. Those of calls that are going on are
// let in always.
type porter struct {
	now   func() time.Time
	known func(screen.Wish) bool
	// awaited hears of the answers that come in, or cannot.
	awaited Awaited
	// late takes an answer to a call that was refused before, and says whether it was one;
	// nil takes none.
	late func(callID string, whole []byte, from netip.AddrPort) bool

	mu              sync.Mutex
	invites, others bucket
}

func newPorter(o *Options) *porter {
	return &porter{
		now: o.Now, known: o.Known, late: o.Late,
		invites: bucket{rate: o.Bounds.Invites}, others: bucket{rate: o.Bounds.Others},
	}
}

// admits says whether a request may come in over UDP. The zero wish is a response,
// and an ACK is not remembered.
func (p *porter) admits(w screen.Wish) bool {
	return w.Method == "" || p.ofACall(w) || w.Method == "ACK" || p.hasRoom(w)
}

// admitsStream is admits over TCP, where only an INVITE is remembered.
func (p *porter) admitsStream(w screen.Wish) bool {
	return w.Method == "" || p.ofACall(w) || w.Method != "INVITE" || p.hasRoom(w)
}

// ofACall says whether a request belongs to a call that goes on.
func (p *porter) ofACall(w screen.Wish) bool { return w.Tag != "" && p.known(w) }

// hasRoom says whether one more stranger is within bounds.
func (p *porter) hasRoom(w screen.Wish) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if w.Method == "INVITE" {
		return p.invites.take(p.now())
	}
	return p.others.take(p.now())
}

// takesLate says whether a message is an answer that comes after a refusal: sipgo passes
// over those, and leaves a live call behind.
func (p *porter) takesLate(s screen.Result, from netip.AddrPort) bool {
	return s.Pass != nil && s.Answers != "" && p.late != nil && p.late(s.Answers, s.Pass, from)
}

// bucket holds what a rate lets through at the moment.
type bucket struct {
	rate  Rate
	level float64
	last  time.Time
}

func (b *bucket) take(now time.Time) bool {
	if b.last.IsZero() {
		b.level = b.rate.Burst
	} else {
		b.level = min(b.rate.Burst, b.level+now.Sub(b.last).Seconds()*b.rate.PerSecond)
	}
	b.last = now
	if b.level < 1 {
		return false
	}
	b.level--
	return true
}
