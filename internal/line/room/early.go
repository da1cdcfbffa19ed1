package room

import (
	"math"
	"slices"
	"sync"
	"time"

	"github.com/ringtrue/ringtrue/internal/line/jitter"
	"github.com/ringtrue/ringtrue/internal/rtp"
)

const (
	// earlyMost is how long before both sides hear each other a far end may have spoken to be on
	// the recording: longer is not waited for once its sound comes.
	earlyMost = hearPatience
	// earlyPackets bounds what is kept: packets of 10 ms, and some to spare.
	earlyPackets = 256
	// earlyMargin is how long before its first sound the call begins then: the beginning of a word is soft,
	// and what follows may show that it was said sooner.
	earlyMargin = int64(100 * time.Millisecond)
	// earlySound is from what peak on there is something to be heard, and not the noise of a
	// microphone: -42 dBFS.
	earlySound = 256
)

// early keeps what a far end says before the call has begun here: it may speak as soon as it is
// heard, and we begin when both sides hear each other. Packets are decoded as they come, to
// know whether anything is said, by those who read them and not in the media loop.
type early struct {
	mu      sync.Mutex
	over    bool  // the call has begun
	asked   int64 // see stream
	packets []earlyPacket
	decoder jitter.Decoder
	pcm     []int16
}

// earlyPacket is a packet that came at a time (ns) of the pacer's.
type earlyPacket struct {
	arrival

	stamp  uint32 // of 48 kHz
	sounds bool
}

// keep keeps a packet, in place of the oldest when there are too many; false when the call has begun.
func (e *early) keep(b []byte, source uint32, ns int64) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.over {
		return false
	}
	p, ok := rtp.Parse(b)
	if !ok {
		return true // nobody could make anything of it later on
	}
	if len(e.packets) >= earlyPackets {
		e.packets = e.packets[1:]
	}
	e.packets = append(e.packets, earlyPacket{arrival{source, ns, slices.Clone(b)}, p.Timestamp, e.sounds(p.Payload)})
	return true
}

// sounds says whether there is anything to be heard in the next packet; e.mu is held.
func (e *early) sounds(payload []byte) bool {
	if e.decoder == nil {
		e.decoder, e.pcm = newDecoder(), make([]int16, 120*jitter.WidebandRate/1000)
	}
	n, err := e.decoder.Decode(e.pcm, payload)
	return err == nil && n > 0 && (slices.Max(e.pcm[:n]) > earlySound || slices.Min(e.pcm[:n]) < -earlySound)
}

// take ends the keeping. It gives what was kept in the order in which it came, and the time (ns)
// since when something was said, not before the time since; ok is false when nothing was.
func (e *early) take(since int64) (packets []earlyPacket, said int64, ok bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	packets, e.packets, e.decoder, e.pcm, e.over = e.packets, nil, nil, nil, true
	for len(packets) > 0 && packets[0].ns < since {
		packets = packets[1:]
	}
	for i := range packets {
		if p := &packets[i]; p.sounds {
			return packets, max(p.ns-e.late(packets, p), since), true
		}
	}
	return packets, 0, false
}

// late is by how much (ns) later one came than it was said, as far as the others tell. What is more than can
// have waited was sent ahead.
func (e *early) late(packets []earlyPacket, one *earlyPacket) int64 {
	late := lateness(packets, one)
	if e.asked != 0 && late > one.ns-e.asked+jitter.SurelyAheadNS {
		return 0
	}
	return late
}

// lateness is by how much (ns) later than the most prompt of all packets one came: those that were
// there before they were read came all at once.
func lateness(packets []earlyPacket, one *earlyPacket) (late int64) {
	for i := range packets {
		if p := &packets[i]; p.source == one.source {
			sent := int64(int32(p.stamp-one.stamp)) * int64(time.Second) / opusClock
			late = max(late, sent-(p.ns-one.ns))
		}
	}
	return min(late, int64(earlyMost))
}

// open decides when the call began: now, or when the far end was first heard to speak if that was before. The time
// since then passes at once. What we say meanwhile reaches nobody.
func (s *stream) open(now int64) (over bool) {
	s.early.asked = s.asked
	packets, said, spoke := s.early.take(s.zero - int64(earlyMost))
	s.started.Store(true)
	if spoke && said < s.zero+earlyMargin {
		s.lead = (s.zero - said + earlyMargin + frameNS - 1) / frameNS
		s.zero -= s.lead * frameNS
		s.lastHeard, s.result.zero = s.zero, s.pacer.Wall(s.zero)
	}
	if s.asked != 0 {
		s.far.Asked(time.Duration(s.asked - s.zero))
	}
	for i := range packets {
		s.waiting = append(s.waiting, packets[i].arrival)
	}
	for s.next < s.lead {
		s.waiting = s.recall(s.waiting, earlyPackets-s.far.Frames(), s.zero+(s.next+1)*frameNS)
		if s.step(now, true) {
			return true
		}
	}
	s.waiting = s.recall(s.waiting, earlyPackets-s.far.Frames(), math.MaxInt64) // some of it may have come since the turn began
	return false
}
