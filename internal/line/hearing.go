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
	case !s.expects(p.Type), len(p.Payload) == 0:
		s.passOver(p, from, ns)
	case s.plausible(p, from, ns):
		s.hear(p, ns)
	}
}

// passOver takes note of a packet that says nothing: an empty one that keeps the way open,
// or one of a payload type that was not agreed. It is not lost all the same.
func (s *Stream) passOver(p rtp.Packet, from netip.AddrPort, ns int64) {
	if from != s.remote {
		return
	}
	if s.far.seq.started && s.far.seq.ssrc == p.SSRC {
		s.far.seq.arrive(p, ns)
	}
	if len(p.Payload) > 0 {
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
	at := s.position(ns)
	if s.isKey(p.Type) {
		s.key(p, at, ns)
		return
	}
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

// movedFor is how many packets from another address than the agreed one must come
// for that to be final.
const movedFor = 50

// plausible says whether RTP from there belongs to the call: from the agreed
// address, or from another before anything came from the agreed one (the far end
// sits behind address translation). What we send follows it. The agreed one takes
// it back when it speaks soon after: what came first was meant for a call that
// had our port before.
func (s *Stream) plausible(p rtp.Packet, from netip.AddrPort, ns int64) bool {
	switch {
	case from == s.remote && s.sawRemote:
		return true
	case from == s.remote && s.latched:
		s.moved++
		s.sawRemote = s.moved >= movedFor
	case from == s.remote:
		s.sawRemote = true
	case s.sawRemote:
		return false
	case from == s.setup.Remote: // though it had moved
		s.sawRemote, s.latched, s.remote = true, false, from
		s.note(call.KindSourceChanged, nil)
	case s.latched && !s.astray:
		return false
	case s.astray && p.SSRC != s.far.seq.ssrc:
		return false
	default:
		return s.moves(p, from, ns)
	}
	s.astray = false
	if s.sawRemote {
		s.sock.settle(from)
	}
	return true
}

// awayNS is how long nothing may come from the far end's address before its voice is
// looked for elsewhere: what translates addresses on its way may have begun anew.
const awayNS = int64(500 * time.Millisecond)

// lookAround lets the source that was heard be found at another address.
func (s *Stream) lookAround() {
	s.sawRemote, s.astray = false, true
	s.sock.loosen()
}

// moves says that the far end's media come from an address that was not agreed:
// one packet may be led astray, two in a row are believed.
func (s *Stream) moves(p rtp.Packet, from netip.AddrPort, ns int64) bool {
	w := s.elsewhere
	if w == nil {
		w = &stranger{}
		s.elsewhere = w
	}
	if w.from != from || !w.followedBy(p) {
		w.keep(p, from, ns)
		return false
	}
	w.waits, s.latched, s.astray, s.moved, s.remote = false, true, false, 0, from
	s.note(call.KindSourceChanged, nil)
	s.hear(w.first, w.ns)
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
	from    netip.AddrPort
	first   rtp.Packet
	payload [maxPayload]byte
	ns      int64
}

// followedBy says that a packet is of the same source as the one that waits, and later.
func (w *stranger) followedBy(p rtp.Packet) bool {
	ahead := p.Sequence - w.first.Sequence
	return w.waits && w.first.SSRC == p.SSRC && ahead > 0 && ahead <= strangerWithin
}

// keep lets a packet wait, unless another one has not waited for long.
func (w *stranger) keep(p rtp.Packet, from netip.AddrPort, ns int64) bool {
	if len(p.Payload) > maxPayload || w.waits && ns-w.ns <= strangerNS {
		return false
	}
	w.waits, w.from, w.first, w.ns = true, from, p, ns
	w.first.Payload = w.payload[:copy(w.payload[:], p.Payload)]
	return true
}

// strange says that a packet is of another source than the one that is heard
// and waits to be believed (RFC 3550 appendix A.1): a single packet that was
// led astray, or that was made up, must not take the far end's voice away. The
// source changes when two packets of the new one come without any of the old
// between them; the first one is then taken too.
func (s *Stream) strange(p rtp.Packet, ns int64) bool {
	if !s.far.seq.started || s.far.seq.ssrc == p.SSRC {
		// What only repeats itself proves no source to be alive.
		if s.strangers != nil && !s.far.seq.repeats(p) {
			s.strangers.leave()
		}
		return false
	}
	if s.strangers == nil { // there are none on most calls
		s.strangers = &strangers{}
	}
	w := s.strangers.of(p, ns)
	if w == nil || !w.followedBy(p) {
		return true
	}
	first, at := w.first, w.ns
	s.strangers.leave()
	s.take(first, at)
	return false
}

// strangers are several that wait at a time: were there room for one only, stray
// packets of ever other sources could keep a true one out for good.
type strangers [4]stranger

// leave sends all of them away.
func (w *strangers) leave() {
	for i := range w {
		w[i].waits = false
	}
}

// of gives the one that a packet follows, or else lets the packet wait if there
// is room; nil when there is none.
func (w *strangers) of(p rtp.Packet, ns int64) *stranger {
	for i := range w {
		if w[i].followedBy(p) {
			return &w[i]
		}
	}
	for i := range w {
		if w[i].keep(p, netip.AddrPort{}, ns) {
			return &w[i]
		}
	}
	return nil
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
func (s *Stream) key(p rtp.Packet, at, ns int64) {
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
	_ = at
}

// receiveControl takes a datagram from the RTCP port.
func (s *Stream) receiveControl(b []byte, from netip.AddrPort, ns int64) {
	if from.Addr() != s.remote.Addr() && from.Addr() != s.control.Addr() {
		return
	}
	r, ok := rtp.ParseReport(b, s.own.ssrc)
	if !ok {
		return
	}
	if r.Sender {
		s.lastSR, s.lastSRAt = uint32(r.NTP>>16), ns
	}
	if r.Blocked {
		s.result.Stats.RemoteLost = int64(max(r.Block.Lost, 0))
		if rt := r.Block.RoundTrip(s.media.wall(ns)); rt > 0 {
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
	var block *rtp.Block
	if s.far.seq.started {
		b := s.far.seq.block()
		if s.lastSRAt != 0 {
			b.LastSR = s.lastSR
			b.DelaySR = uint32((now - s.lastSRAt) << 16 / 1e9)
		}
		block = &b
	}
	n := rtp.WriteReport(s.memory.packet[:], s.own.info(now), block)
	s.sock.sendControl(s.memory.packet[:n], s.control)
}
