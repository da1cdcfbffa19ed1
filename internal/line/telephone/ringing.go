package telephone

import (
	"github.com/ringtrue/ringtrue/internal/line/jitter"
	"github.com/ringtrue/ringtrue/internal/rtp"
)

// handoverNS is how long after the call began another source may take over from the one that rang before the answer, whose
// last packets then belong to the ringing. Until then nothing of them is on the recording (jitter.Settles).
const handoverNS = int64(jitter.Settles)

// rings is the source that was heard before the answer: of a ringing tone, or of words about the connection.
type rings struct {
	heard  bool
	source uint32
	at     int64 // when it was heard last
	over   bool  // another has taken over from it
}

// hear notes the source of a packet of before the answer. Another one that is heard beside it is the voice that outruns the answer.
func (r *rings) hear(p rtp.Packet, ns int64) {
	if !r.heard || r.source == p.SSRC || ns-r.at > gapNS {
		*r = rings{heard: true, source: p.SSRC, at: ns}
	}
}

// ringsOn reports whether the source that is heard at engine time ns, soon after the answer, is the one that rang before it.
// It may be going on with the voice of the party that answers.
func (s *Stream) ringsOn(ns int64) bool {
	return s.rang.heard && s.speaks(s.rang.source) && ns-s.zero < handoverNS
}

// handsOver takes back what is left of the ringing after the answer when another source takes over at engine time ns.
func (s *Stream) handsOver(ns int64) {
	if s.ringsOn(ns) {
		s.far.TakeBack()
		s.rang.over = true
	}
}

// rangOut reports whether a packet at engine time ns is of the source that rang, soon after another took over from it:
// when some of that one's packets are lost, it must not be heard again.
func (s *Stream) rangOut(p rtp.Packet, ns int64) bool {
	return s.rang.over && p.SSRC == s.rang.source && ns-s.zero < handoverNS
}
