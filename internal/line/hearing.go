package line

import (
	"net/netip"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/rtp"
)

// earlyNS is how long before the answer (ns) packets may have come that still
// belong to the call: the far end speaks before we know that it has answered.
const earlyNS = int64(100 * time.Millisecond)

// receive takes a datagram from the RTP port that arrived at engine time ns.
func (s *Stream) receive(b []byte, from netip.AddrPort, ns int64) {
	if len(b) >= 2 && b[1] >= 192 && b[1] <= 223 {
		s.receiveControl(b, from, ns) // both on one port (RFC 5761)
		return
	}
	if ns < s.zero-earlyNS {
		return // early media: nobody listened yet, so its gaps are no losses
	}
	p, ok := rtp.Parse(b)
	switch {
	case !ok:
	case !s.expects(p.Type), len(p.Payload) == 0, len(p.Payload) > maxPayload:
		s.passOver(p, from, ns)
	case s.plausible(p, from, ns):
		s.hear(p, ns)
	}
}

// passOver takes note of a packet that says nothing: an empty one that keeps the way open,
// one of a payload type that was not agreed, or one of unheard-of size. It is not lost all the same.
func (s *Stream) passOver(p rtp.Packet, from netip.AddrPort, ns int64) {
	if from != s.remote {
		return
	}
	if s.far.seq.started && s.far.seq.ssrc == p.SSRC {
		s.far.seq.arrive(p, ns)
	}
	switch {
	case len(p.Payload) > maxPayload:
		s.result.Oversized++
	case len(p.Payload) > 0:
		s.result.Unspoken++
		s.result.UnspokenType = p.Type
	}
}

// hear hears a packet of the far end, whoever its source is.
func (s *Stream) hear(p rtp.Packet, ns int64) {
	if !s.isKey(p.Type) && s.strange(p, ns) {
		return
	}
	s.take(p, ns)
}

// take takes a packet of the source that is heard, or of the one that follows it.
func (s *Stream) take(p rtp.Packet, ns int64) {
	s.clockIn(ns)
	if s.isKey(p.Type) {
		s.key(p, ns)
		return
	}
	at := s.position(ns)
	if p.Type == comfortNoise {
		s.far.admit(p, at, ns) // comfort noise: it says that silence is meant
		return
	}
	s.far.audio(p, at, ns)
}

func (s *Stream) expects(kind uint8) bool {
	return kind == PCMU().Type || kind == PCMA().Type || kind == comfortNoise || s.isKey(kind) ||
		kind == s.setup.AudioType && kind != 0
}

// isKey says that packets of a payload type tell of keys.
func (s *Stream) isKey(kind uint8) bool {
	return kind != 0 && (kind == s.setup.EventType || kind == s.setup.EventHere)
}

// clockIn keeps the books on when anything was heard last.
func (s *Stream) clockIn(ns int64) {
	if !s.far.seq.started {
		s.note(call.KindFirstPacket, nil)
	} else if gap := ns - s.lastHeard; gap > gapNS && !s.setup.SendOff {
		s.note(call.KindMediaGap, map[string]any{"ms": gap / int64(time.Millisecond)})
	}
	s.lastHeard = max(s.lastHeard, ns)
}

// key takes a telephone-event packet.
func (s *Stream) key(p rtp.Packet, ns int64) {
	e, ok := rtp.ParseKeyEvent(p.Payload)
	if !ok {
		return
	}
	// Some far ends press keys as a source of its own beside their voice.
	own := !s.far.seq.started || s.far.seq.ssrc == p.SSRC
	if own && s.far.seq.arrive(p, ns) == repeated {
		return
	}
	if own && s.far.open {
		// A press has one timestamp throughout, so it tells nothing about the clock.
		stamp := s.far.times.of(p.Timestamp)
		if d := stamp - s.far.head; d < ringSamples/4 && d > -ringSamples/4 {
			s.far.hush(stamp, int(e.Duration))
		}
	}
	if s.keysFrom != p.SSRC {
		s.far.keys.reset() // another source has another clock
		s.keysFrom = p.SSRC
	}
	if done := s.far.keys.hear(e, p.Timestamp, ns); done != 0 {
		s.heardDigit(done)
	}
}
