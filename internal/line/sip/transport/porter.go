package transport

import (
	"net/netip"
	"sync"
	"time"

	"github.com/ringtrue/ringtrue/internal/line/sip/screen"
)

// Bounds limit the requests of strangers: each request is remembered for half a minute, in a
// few kilobytes. Over UDP, requests beyond the limit are dropped, and their senders repeat
// them; over TCP, which has no repetition, a new call is refused.
type Bounds struct{ Invites, Others Rate }

// Rate allows a burst and then a number per second.
type Rate struct{ Burst, PerSecond float64 }

// UsualBounds returns the limits for a service on the open network.
func UsualBounds() Bounds {
	return Bounds{Invites: Rate{Burst: 2000, PerSecond: 500}, Others: Rate{Burst: 5000, PerSecond: 1000}}
}

// porter limits the requests of strangers. Those of calls in progress are always admitted.
type porter struct {
	now   func() time.Time
	known func(screen.Wish) bool
	// awaited is told of the responses that arrive or cannot be read.
	awaited Awaited
	// late handles an answer to a call that was refused before, and reports whether it was one;
	// nil handles none.
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

// admits reports whether a request is admitted over UDP. The zero Wish is a response, and an
// ACK is not remembered.
func (p *porter) admits(w screen.Wish) bool {
	return w.Method == "" || p.ofACall(w) || w.Method == "ACK" || p.hasRoom(w)
}

// admitsStream is admits for TCP, where only an INVITE is remembered.
func (p *porter) admitsStream(w screen.Wish) bool {
	return w.Method == "" || p.ofACall(w) || w.Method != "INVITE" || p.hasRoom(w)
}

// ofACall reports whether a request belongs to a call in progress.
func (p *porter) ofACall(w screen.Wish) bool { return w.Tag != "" && p.known(w) }

// hasRoom reports whether one more stranger's request is within the limits.
func (p *porter) hasRoom(w screen.Wish) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if w.Method == "INVITE" {
		return p.invites.take(p.now())
	}
	return p.others.take(p.now())
}

// takesLate reports whether a message is an answer after a refusal: sipgo ignores those, which
// would leave behind a live call.
func (p *porter) takesLate(s screen.Result, from netip.AddrPort) bool {
	return s.Pass != nil && s.Answers != "" && p.late != nil && p.late(s.Answers, s.Pass, from)
}

// bucket is a token bucket.
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
