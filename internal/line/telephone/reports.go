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

// sendReport sends a receiver report to the far end.
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
