package sip

import (
	"net/netip"
	"strings"
	"sync"
	"time"
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

// wish is what a request asks for, as far as the porter cares: its method and the
// dialog that it says to belong to.
type wish struct{ method, callID, tag string }

// wishOf reads the wish of a message in plain form; a response has none.
func (m *message) wishOf() wish {
	if !m.request() {
		return wish{}
	}
	to := m.all("To")[0]
	_, tag, _ := strings.Cut(to[strings.LastIndexByte(to, '>')+1:], ";tag=")
	tag, _, _ = strings.Cut(tag, ";")
	return wish{m.method, m.all("Call-ID")[0], tag}
}

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
func (p *porter) admits(w wish) bool {
	if w.method == "" || w.method == "ACK" || w.tag != "" && p.known(w.callID, w.tag) {
		return true
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if w.method == "INVITE" {
		return p.invites.take(p.now())
	}
	return p.others.take(p.now())
}

// admitsStream is admits over TCP, where only an INVITE is remembered.
func (p *porter) admitsStream(w wish) bool { return w.method != "INVITE" || p.admits(w) }

// takesLate says whether a message is an answer that comes after a refusal: sipgo passes
// over those, and leaves a live call behind.
func (p *porter) takesLate(s screened, from netip.AddrPort) bool {
	return s.pass != nil && s.answers != "" && p.late != nil && p.late(s.answers, s.pass, from)
}

// turnAway is the answer to a request that is not let in.
func turnAway(whole []byte) []byte {
	m, _ := readMessage(whole)
	if m == nil || m.common() != nil {
		return nil
	}
	return m.refusal(&fault{503, "Service Unavailable"})
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
