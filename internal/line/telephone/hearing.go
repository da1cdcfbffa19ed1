package telephone

import (
	"math"
	"net/netip"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/line/g711"
	"github.com/ringtrue/ringtrue/internal/line/jitter"
	"github.com/ringtrue/ringtrue/internal/line/keys"
	"github.com/ringtrue/ringtrue/internal/rtp"
)

// receive processes a datagram that arrived on the RTP port at engine time ns.
func (s *Stream) receive(b []byte, from netip.AddrPort, ns int64) {
	if len(b) >= 2 && b[1] >= 192 && b[1] <= 223 {
		s.receiveControl(b, from, ns) // both on one port (RFC 5761)
		return
	}
	if s.keeps(b, from, ns) {
		return
	}
	if ns < s.zero-jitter.EarlyNS {
		return // early media: nobody listened, so gaps are not losses
	}
	p, ok := rtp.Parse(b)
	switch {
	case !ok && from == s.remote:
		s.result.Broken++
	case !ok:
	case !s.expects(p.Type), len(p.Payload) == 0, len(p.Payload) > g711.MostPayload:
		s.passOver(p, from, ns)
	case s.plausible(p, from, ns):
		s.hear(p, ns)
	}
}

// passOver accounts for a packet without usable content: an empty one that keeps a NAT binding open,
// one with a payload type that was not agreed, or one of an invalid size. It must not count as lost.
func (s *Stream) passOver(p rtp.Packet, from netip.AddrPort, ns int64) {
	if from != s.remote {
		return
	}
	if ssrc, started := s.far.Source(); started && ssrc == p.SSRC {
		s.far.Count(p, ns)
	}
	switch {
	case len(p.Payload) > g711.MostPayload:
		s.result.Oversized++
	case len(p.Payload) > 0:
		s.result.Unspoken++
		s.result.UnspokenType = p.Type
	}
}

// hear processes a packet of the far end, from whatever source.
func (s *Stream) hear(p rtp.Packet, ns int64) {
	if !s.isKey(p.Type) && s.strange(p, ns) {
		return
	}
	s.take(p, ns)
}

// take processes a packet of the current source or of its successor.
func (s *Stream) take(p rtp.Packet, ns int64) {
	s.clockIn(ns)
	if s.isKey(p.Type) {
		s.key(p, ns)
		return
	}
	at := s.position(ns)
	if p.Type == g711.ComfortNoise {
		s.quietFor = math.MaxInt64
		s.far.Comfort(p, at, ns)
		return
	}
	s.quietFor = 2 * int64(len(p.Payload)) * frameNS / frameSize
	s.far.Audio(p, at, ns)
}

func (s *Stream) expects(kind uint8) bool {
	return s.isVoice(kind) || kind == g711.ComfortNoise || s.isKey(kind)
}

// isVoice reports whether a payload type is audio.
func (s *Stream) isVoice(kind uint8) bool {
	return kind == g711.PCMU().Type || kind == g711.PCMA().Type || kind == s.setup.AudioType && kind != 0
}

// isKey reports whether a payload type is telephone events.
func (s *Stream) isKey(kind uint8) bool {
	return kind != 0 && (kind == s.setup.EventType || kind == s.setup.EventHere)
}

// clockIn records when something was last heard.
func (s *Stream) clockIn(ns int64) {
	_, started := s.far.Source()
	gap := ns - s.lastHeard
	switch {
	case !started:
		s.note(call.KindFirstPacket, nil)
	case gap <= max(gapNS, s.quietFor):
	case s.setup.quiet():
		s.far.Excuse(ns)
	default:
		s.note(call.KindMediaGap, map[string]any{"ms": gap / int64(time.Millisecond)})
	}
	s.lastHeard = max(s.lastHeard, ns)
}

// key processes a telephone-event packet. Events other than keys, such as a flash or fax tones,
// are only counted.
func (s *Stream) key(p rtp.Packet, ns int64) {
	e, ok := rtp.ParseKeyEvent(p.Payload)
	// Some far ends send keys with an SSRC of their own beside their voice.
	ssrc, started := s.far.Source()
	switch {
	case !ok && (!started || ssrc == p.SSRC):
		s.far.Count(p, ns)
		return
	case !ok:
		return
	case !started || ssrc == p.SSRC:
		if s.far.Count(p, ns) {
			return
		}
		s.far.Silence(p.Timestamp, int(e.Duration))
	}
	if s.keysFrom != p.SSRC {
		s.pressed.Reset() // another source has another clock
		s.keysFrom = p.SSRC
	}
	if done := s.pressed.Hear(e, p.Timestamp, ns); done != 0 {
		s.heardDigit(done, keys.ByEvent, ns)
	}
}
