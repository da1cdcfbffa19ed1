package line

import (
	"net/netip"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
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
	p, ok := parseRTP(b)
	if !ok || !s.expects(p.Type) || !s.plausible(from) {
		return
	}
	isKey := s.setup.EventType != 0 && p.Type == s.setup.EventType
	if !isKey && s.strange(p, ns) {
		return
	}
	s.take(p, ns)
}

// take takes a packet of the source that is heard, or of the one that follows it.
func (s *Stream) take(p packet, ns int64) {
	s.clockIn(ns)
	at := s.position(ns)
	if s.setup.EventType != 0 && p.Type == s.setup.EventType {
		s.key(p, at, ns)
		return
	}
	if p.Type == 13 {
		s.far.admit(p, at, ns) // comfort noise: it says that silence is meant
		return
	}
	s.far.audio(p, at, ns)
}

func (s *Stream) expects(kind uint8) bool {
	return kind == PCMU().Type || kind == PCMA().Type || kind == 13 || kind == s.setup.EventType && kind != 0
}

// plausible says whether RTP from there belongs to the call: from the agreed
// address, or once from another before anything came from the agreed one (the
// far end sits behind address translation). What we send follows it.
func (s *Stream) plausible(from netip.AddrPort) bool {
	if from == s.remote {
		if !s.sawRemote {
			s.sawRemote = true
			s.sock.settle(from)
		}
		return true
	}
	if s.latched || s.sawRemote {
		return false
	}
	s.latched = true
	s.remote = from
	s.note(call.KindSourceChanged, nil)
	return true
}

// strangerWithin is how far a second packet of another source may be from its
// first one to prove that it is a source and not a stray packet. A stranger may
// be followed by others for as long as strangerNS before one takes its place.
const (
	strangerWithin = 50
	strangerNS     = int64(100 * time.Millisecond)
)

// stranger is the first packet of a source other than the one that is heard.
type stranger struct {
	waits   bool
	first   packet
	payload [maxPayload]byte
	ns      int64
}

// strange says that a packet is of another source than the one that is heard
// and waits to be believed (RFC 3550 appendix A.1): a single packet that was
// led astray, or that was made up, must not take the far end's voice away. The
// source changes when two packets of the new one come without any of the old
// between them; the first one is then taken too.
func (s *Stream) strange(p packet, ns int64) bool {
	w := &s.stranger
	if !s.far.seq.started || s.far.seq.ssrc == p.SSRC {
		w.waits = false
		return false
	}
	ahead := p.Sequence - w.first.Sequence
	if w.waits && w.first.SSRC == p.SSRC && ahead > 0 && ahead <= strangerWithin {
		w.waits = false
		s.take(w.first, w.ns)
		return false
	}
	if len(p.Payload) <= maxPayload && (!w.waits || ns-w.ns > strangerNS) {
		w.waits, w.first, w.ns = true, p, ns
		w.first.Payload = w.payload[:copy(w.payload[:], p.Payload)]
	}
	return true
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
func (s *Stream) key(p packet, at, ns int64) {
	e, ok := parseKeyEvent(p.Payload)
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
		stamp := s.far.stamp + int64(int32(p.Timestamp-uint32(s.far.stamp)))
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
	_ = at
}

// receiveControl takes a datagram from the RTCP port.
func (s *Stream) receiveControl(b []byte, from netip.AddrPort, ns int64) {
	if from.Addr() != s.remote.Addr() && from.Addr() != s.control.Addr() {
		return
	}
	r, ok := parseRTCP(b, s.own.ssrc)
	if !ok {
		return
	}
	if r.Sender {
		s.lastSR, s.lastSRAt = uint32(r.NTP>>16), ns
	}
	if r.Blocked {
		s.result.Stats.RemoteLost = int64(max(r.Block.Lost, 0))
		if rt := r.Block.roundTrip(s.media.wall(ns)); rt > 0 {
			s.result.Stats.RoundTrip = rt
		}
	}
}

// sendReport tells the far end how we hear it.
func (s *Stream) sendReport(now int64) {
	s.reportAt = now + reportNS
	if !s.control.IsValid() {
		return
	}
	var block *reportBlock
	if s.far.seq.started {
		b := s.far.seq.block()
		if s.lastSRAt != 0 {
			b.LastSR = s.lastSR
			b.DelaySR = uint32((now - s.lastSRAt) << 16 / 1e9)
		}
		block = &b
	}
	n := writeSR(s.memory.packet[:], s.own.info(now), block)
	s.sock.sendControl(s.memory.packet[:n], s.control)
}
