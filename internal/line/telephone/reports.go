package telephone

import (
	"net/netip"

	"github.com/ringtrue/ringtrue/internal/rtp"
)

// receiveControl processes a datagram from the RTCP port.
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
	// More losses than packets sent are an error: some count from sequence number 0.
	if r.Blocked && int64(r.Block.Lost) <= s.own.sent {
		s.result.Stats.RemoteLost = min(s.losses.hear(r.From, int64(max(r.Block.Lost, 0))), s.own.sent)
		if rt := r.Block.RoundTrip(s.media.wall(ns)); rt > 0 {
			s.result.Stats.RoundTrip = rt
		}
	}
}

// mostReceivers is of how many receivers of ours the counts are kept apart.
const mostReceivers = 4

// losses is what the far end's receivers say they lost of ours. One that takes the call over, or is set up anew by a
// re-INVITE, counts from nothing, and what was lost before stays lost.
type losses struct {
	before int64 // by those that count anew or are not kept apart any more
	by     [mostReceivers]receiver
	n      int
	anew   bool // the media were agreed anew since the last report
}

// receiver is one of them, by its SSRC.
type receiver struct {
	ssrc uint32
	lost int64
}

// hear takes the newest count of a receiver, and gives what was lost in all.
func (l *losses) hear(from uint32, lost int64) (all int64) {
	at := l.find(from, lost)
	if l.anew && lost < l.by[at].lost {
		l.before += l.by[at].lost
	}
	l.anew, l.by[at] = false, receiver{ssrc: from, lost: lost}
	all = l.before
	for _, r := range l.by[:l.n] {
		all += r.lost
	}
	return all
}

// find is the place of a receiver. A new one whose count goes on where that of the newest stood is the same
// by another SSRC.
func (l *losses) find(from uint32, lost int64) (at int) {
	for i, r := range l.by[:l.n] {
		if r.ssrc == from {
			return i
		}
	}
	if l.n > 0 && lost >= l.by[l.n-1].lost {
		return l.n - 1
	}
	if l.n == mostReceivers {
		l.before += l.by[0].lost
		l.n = copy(l.by[:], l.by[1:])
	}
	l.n++
	l.by[l.n-1] = receiver{}
	return l.n - 1
}

// sendReport tells the far end how we hear it.
func (s *Stream) sendReport(now int64) {
	s.reportAt = now + reportNS
	if !s.control.IsValid() || s.control.Addr().IsUnspecified() { // on hold in the old way: nobody is there
		return
	}
	var block *rtp.Block
	if _, started := s.far.Source(); started {
		b := s.far.Report()
		if s.lastSRAt != 0 {
			b.LastSR = s.lastSR
			b.DelaySR = uint32((now - s.lastSRAt) << 16 / 1e9)
		}
		block = &b
	}
	n := rtp.WriteReport(s.memory.packet[:], s.own.info(now), block)
	s.sock.SendControl(s.memory.packet[:n], s.control)
}
