package telephone

import (
	"net/netip"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/line/g711"
	"github.com/ringtrue/ringtrue/internal/rtp"
)

// movedFor is how many packets must come from another address than the agreed one for that to be final.
const movedFor = 50

// plausible reports whether RTP from an address belongs to the call: from the agreed one, or
// from another before anything came from the agreed one (the far end is behind NAT). Our
// packets are then sent there. The agreed address takes over again when it speaks soon after:
// the first packets were meant for a call that had our port before.
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
	case from == s.setup.Remote, from == s.left: // although it had moved
		s.sawRemote, s.latched, s.remote, s.left = true, from != s.setup.Remote, from, netip.AddrPort{}
		s.note(call.KindSourceChanged, nil)
	case from == s.former && ns < s.formerly: // its last packets are accepted, without sending to it
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

// mayMove reports whether a source is accepted at an address other than the known one. Where only a few packets came from
// that one and no more come, they were of another party.
func (s *Stream) mayMove(source uint32, from netip.AddrPort, ns int64) bool {
	if !s.astray {
		return !s.latched || ns-s.lastHeard > awayNS && !s.left.IsValid()
	}
	return s.speaks(source) || s.succeeds(from, ns)
}

// leave records that the far end has named another address than the one at which it was heard, as agreed. What still
// comes from there was sent before, or comes from a party handing over to another: that is no reason to send to it, and
// the new address may be waiting to receive something first.
func (s *Stream) leave(now int64) {
	s.former = netip.AddrPort{}
	if s.sawRemote && !s.latched {
		s.former, s.formerly = s.remote, now+awayNS
	}
}

// speaks reports whether a source is the current one.
func (s *Stream) speaks(source uint32) bool {
	ssrc, _ := s.far.Source()
	return ssrc == source
}

// awayNS is how long nothing may come from the far end's address before its source is accepted
// from another: a NAT on the way may have assigned a new address.
const awayNS = int64(500 * time.Millisecond)

// goneNS is how long nothing may come from the far end before another source from another port of the same
// machine is accepted in its place: a gateway that has transferred the call without notice. The previous
// source takes over again as soon as it speaks, as it may only have been silent.
const goneNS = int64(2 * time.Second)

// succeeds reports whether another source may have replaced the current one.
func (s *Stream) succeeds(from netip.AddrPort, ns int64) bool {
	return ns-s.lastHeard > goneNS && (from.Addr() == s.remote.Addr() || from.Addr() == s.setup.Remote.Addr())
}

// lookAround allows the current source to be found at another address.
func (s *Stream) lookAround() {
	s.sawRemote, s.astray = false, true
	s.sock.Loosen()
}

// moves reports whether the far end's media come from an address that was not agreed: a single
// packet may be stray, two in a row are believed.
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

// strangerWithin is how far the sequence number of a second packet of another source may be
// from its first one to show that it is a source and not a stray packet. A stranger keeps its
// place for at least strangerNS.
const (
	strangerWithin = 50
	strangerNS     = int64(100 * time.Millisecond)
)

// stranger is the first packet of a source other than the current one.
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
		// What only repeats itself proves no source to be alive, and neither does what rang before the answer.
		if s.strangers != nil && !s.far.Repeats(p) && !s.ringsOn(ns) {
			s.strangers.leave()
		}
		return false
	}
	if s.rangOut(p, ns) {
		return true
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
	s.handsOver(at)
	s.take(first, at)
	return false
}

// strangers holds several waiting sources: with room for only one, stray packets of ever new
// sources could keep a real one out.
type strangers [4]stranger

// leave removes all of them.
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
