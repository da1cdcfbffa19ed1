package telephone

import (
	"net/netip"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/line/g711"
	"github.com/ringtrue/ringtrue/internal/rtp"
)

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
		s.sawRemote = s.moved >= movedFor && !s.left.IsValid()
	case from == s.remote:
		s.sawRemote = true
	case s.sawRemote:
		return false
	case from == s.setup.Remote, from == s.left: // though it had moved
		s.sawRemote, s.latched, s.remote, s.left = true, from != s.setup.Remote, from, netip.AddrPort{}
		s.note(call.KindSourceChanged, nil)
	case from == s.former && ns < s.formerly: // it is heard out, and has not moved
		return true
	case !s.mayMove(p.SSRC, from, ns):
		return false
	default:
		return s.moves(p, from, ns)
	}
	s.astray = false
	if s.sawRemote {
		s.sock.Settle(from)
	}
	return true
}

// mayMove says that a source may be believed at another address than the one that is known.
func (s *Stream) mayMove(source uint32, from netip.AddrPort, ns int64) bool {
	if !s.astray {
		return !s.latched
	}
	return s.speaks(source) || s.succeeds(from, ns)
}

// leave notes that the far end has named another address than the one where it was heard, which was as agreed. What still
// comes from there was sent before, or is of whoever hands over to somebody else: that is no sign that it is to be
// sent to, and the new address may well wait to be spoken to.
func (s *Stream) leave(now int64) {
	s.former = netip.AddrPort{}
	if s.sawRemote && !s.latched {
		s.former, s.formerly = s.remote, now+awayNS
	}
}

// speaks says that a source is the one that is heard.
func (s *Stream) speaks(source uint32) bool {
	ssrc, _ := s.far.Source()
	return ssrc == source
}

// awayNS is how long nothing may come from the far end's address before its voice is
// looked for elsewhere: what translates addresses on its way may have begun anew.
const awayNS = int64(500 * time.Millisecond)

// goneNS is how long nothing may come from the far end until another source is believed in its place that
// speaks from another port of the same machine: a gateway that has passed the call on, and does not say so.
// The one that was left takes it back as soon as it speaks again: it may have been silent for so long.
const goneNS = int64(2 * time.Second)

// succeeds says that another source may have taken the place of the one that was heard.
func (s *Stream) succeeds(from netip.AddrPort, ns int64) bool {
	return ns-s.lastHeard > goneNS && (from.Addr() == s.remote.Addr() || from.Addr() == s.setup.Remote.Addr())
}

// lookAround lets the source that was heard be found at another address.
func (s *Stream) lookAround() {
	s.sawRemote, s.astray = false, true
	s.sock.Loosen()
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
	if s.astray && !s.speaks(p.SSRC) {
		s.left = s.remote
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
	payload [g711.MostPayload]byte
	ns      int64
}

// followedBy says that a packet is of the same source as the one that waits, and later.
func (w *stranger) followedBy(p rtp.Packet) bool {
	ahead := p.Sequence - w.first.Sequence
	return w.waits && w.first.SSRC == p.SSRC && ahead > 0 && ahead <= strangerWithin
}

// keep lets a packet wait, unless another one has not waited for long.
func (w *stranger) keep(p rtp.Packet, from netip.AddrPort, ns int64) bool {
	if len(p.Payload) > g711.MostPayload || w.waits && ns-w.ns <= strangerNS {
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
	if ssrc, started := s.far.Source(); !started || ssrc == p.SSRC {
		// What only repeats itself proves no source to be alive.
		if s.strangers != nil && !s.far.Repeats(p) {
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
	s.pressed.Reset() // another source has another clock
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
