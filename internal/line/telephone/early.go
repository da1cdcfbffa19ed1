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
	// earlyPackets and earlyMemory (bytes) limit what is kept of what arrives before a stream's
	// first turn: two seconds in packets of 20 ms or more, with some margin.
	earlyPackets, earlyMemory = 128, 128 * 352
	// earlyBytes is the largest packet that is kept: the most audio in one, and its headers.
	earlyBytes = g711.MostPayload + 192
	// earlyMost is how long before its first turn a call may have begun.
	earlyMost = int64(2 * time.Second)
	// earlyMargin is how long before the far end's first sound the call then begins: words begin softly,
	// and later packets may show that it was said earlier.
	earlyMargin = int64(100 * time.Millisecond)
	// earlySound is the peak that counts as sound: -42 dBFS.
	earlySound = 256
)

// early keeps what arrives before a stream's first turn: the far end may speak before we know that it
// has answered, or before this machine gets to it.
type early struct {
	since   int64 // engine time before which nothing belongs to the call
	n, used int
	packets [earlyPackets]earlyPacket
	memory  [earlyMemory]byte
}

type earlyPacket struct {
	ns   int64
	from netip.AddrPort
	b    []byte
}

// keep keeps a packet if there is room for it.
func (e *early) keep(b []byte, from netip.AddrPort, ns int64) {
	if e.n == earlyPackets || len(b) > min(earlyBytes, earlyMemory-e.used) {
		return
	}
	at := e.used
	e.used += copy(e.memory[at:], b)
	e.packets[e.n] = earlyPacket{ns: ns, from: from, b: e.memory[at:e.used]}
	e.n++
}

// said returns when (engine time) the most recent voice was first heard since the call may have begun.
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

// sounds reports whether a packet holds anything audible.
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

// open decides at the first turn when the call began: then, or when the far end was first heard, if that was
// earlier. The time in between is passed at once; what we say meanwhile is not sent.
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
	s.recall(e, at, math.MaxInt64) // some may have arrived since the turn began
	return false
}

// recall processes what was kept, from index at on, that arrived before an engine time, and returns the
// index of the rest.
func (s *Stream) recall(e *early, at int, until int64) int {
	for ; at < e.n && e.packets[at].ns < until; at++ {
		p := &e.packets[at]
		s.receive(p.b, p.from, p.ns)
	}
	return at
}

// expect makes the stream look back to the beginning of a call, to which packets since a time may belong.
func (s *Stream) expect(since time.Time) {
	if !since.IsZero() {
		s.early = &early{since: s.media.driver.clock() - int64(s.media.opts.Now().Sub(since))}
	}
}

// keeps reports whether a packet was kept for the stream's first turn, or is of no use.
func (s *Stream) keeps(b []byte, from netip.AddrPort, ns int64) bool {
	if s.early == nil {
		return false
	}
	if ns < s.early.since {
		if p, ok := rtp.Parse(b); ok && s.isVoice(p.Type) {
			s.rang.hear(p, ns)
		}
	}
	if ns >= min(s.early.since, s.zero-jitter.EarlyNS) {
		s.early.keep(b, from, ns)
	}
	return true
}
