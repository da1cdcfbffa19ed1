package telephone

import (
	"math"
	"net/netip"
	"slices"
	"time"

	"github.com/ringtrue/ringtrue/internal/line/g711"
	"github.com/ringtrue/ringtrue/internal/line/jitter"
	"github.com/ringtrue/ringtrue/internal/rtp"
)

const (
	// earlyPackets and earlyMemory (bytes) bound what is kept of what comes before a stream's first
	// turn: two seconds, and some to spare, in packets of 20 ms and longer.
	earlyPackets, earlyMemory = 128, 128 * 352
	// earlyBytes bounds a packet that is kept: the most sound there may be in one, and what may stand before it.
	earlyBytes = g711.MostPayload + 192
	// earlyMost is how long before its first turn a call may have begun.
	earlyMost = int64(2 * time.Second)
	// earlyMargin is how long before its first sound a call begins that begins with it: the beginning of a
	// word is soft, and what follows may show that it was said sooner.
	earlyMargin = int64(100 * time.Millisecond)
	// earlySound is from what peak on there is something to be heard: -42 dBFS.
	earlySound = 256
)

// early keeps what comes before a stream has its first turn: the far end may speak before we know that
// it has answered, or before this machine gets to it.
type early struct {
	since   int64 // engine time before which nothing is of the call
	n, used int
	packets [earlyPackets]earlyPacket
	memory  [earlyMemory]byte
}

type earlyPacket struct {
	ns   int64
	from netip.AddrPort
	b    []byte
}

// keep keeps a packet, as long as there is room for it.
func (e *early) keep(b []byte, from netip.AddrPort, ns int64) {
	if e.n == earlyPackets || len(b) > min(earlyBytes, earlyMemory-e.used) {
		return
	}
	at := e.used
	e.used += copy(e.memory[at:], b)
	e.packets[e.n] = earlyPacket{ns: ns, from: from, b: e.memory[at:e.used]}
	e.n++
}

// said is when (engine time) the voice that came last was first heard since the call may have begun.
func (e *early) said(s *Stream) (ns int64, ok bool) {
	var last *earlyPacket
	var voice rtp.Packet
	for i := e.n - 1; i >= 0 && last == nil; i-- {
		if r, ok := rtp.Parse(e.packets[i].b); ok && s.isVoice(r.Type) {
			last, voice = &e.packets[i], r
		}
	}
	for i := range e.packets[:e.n] {
		p := &e.packets[i]
		if r, ok := rtp.Parse(p.b); ok && last != nil && p.ns >= e.since && p.from == last.from && r.SSRC == voice.SSRC && s.sounds(r) {
			return max(p.ns-earlyMargin, e.since), true
		}
	}
	return 0, false
}

// sounds says whether there is anything to be heard in a packet.
func (s *Stream) sounds(p rtp.Packet) bool {
	law := s.setup.Codec
	if p.Type == g711.PCMU().Type || p.Type == g711.PCMA().Type {
		law = g711.Codec{Type: p.Type}
	}
	var pcm [g711.MostPayload]int16
	codes := p.Payload[:min(len(p.Payload), len(pcm))]
	law.Decode(pcm[:], codes)
	heard := pcm[:len(codes)]
	return s.isVoice(p.Type) && len(heard) > 0 && (slices.Max(heard) > earlySound || slices.Min(heard) < -earlySound)
}

// open decides at the first turn when the call began: then, or when the far end was first heard if that was sooner.
// The time since then passes at once; what we say meanwhile reaches nobody.
func (s *Stream) open(now int64) (over bool) {
	e := s.early
	s.early = nil
	e.since = max(e.since, s.zero-earlyMost)
	if said, ok := e.said(s); ok && said < s.zero {
		s.lead = (s.zero - said + frameNS - 1) / frameNS
		s.zero -= s.lead * frameNS
		s.lastHeard = s.zero
		s.result.Zero = s.media.wall(s.zero)
	}
	at := 0
	for s.next < s.lead {
		at = s.recall(e, at, s.zero+(s.next+1)*frameNS)
		if s.step(now, true) {
			return true
		}
	}
	s.recall(e, at, math.MaxInt64) // some of it may have come since the turn began
	return false
}

// recall takes in what was kept, from a place on, that came before an engine time, and says where to go on.
func (s *Stream) recall(e *early, at int, until int64) int {
	for ; at < e.n && e.packets[at].ns < until; at++ {
		p := &e.packets[at]
		s.receive(p.b, p.from, p.ns)
	}
	return at
}

// expect has the stream look back to the beginning of a call, of which what comes since a time may be.
func (s *Stream) expect(since time.Time) {
	if !since.IsZero() {
		s.early = &early{since: s.media.driver.clock() - int64(s.media.opts.Now().Sub(since))}
	}
}

// keeps says that a packet is kept until the stream has its first turn, or is of no use.
func (s *Stream) keeps(b []byte, from netip.AddrPort, ns int64) bool {
	if s.early == nil {
		return false
	}
	if ns >= min(s.early.since, s.zero-jitter.EarlyNS) {
		s.early.keep(b, from, ns)
	}
	return true
}
