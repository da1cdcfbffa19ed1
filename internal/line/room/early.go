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
	// earlyMost is how long before the beginning of the call, when both sides hear each other,
	// the far end may have spoken and still be recorded.
	earlyMost = hearPatience
	// earlyPackets bounds the number of packets kept: packets of 10 ms, with some margin.
	earlyPackets = 256
	// earlyMargin is how long before the far end's first sound the call then begins: words begin softly,
	// and later packets may show that it was said earlier.
	earlyMargin = int64(100 * time.Millisecond)
	// earlySound is the peak that counts as sound rather than microphone noise: -42 dBFS.
	earlySound = 256
)

// early keeps what the far end says before the call begins: it may speak as soon as it is heard,
// while the call begins when both sides hear each other. Packets are decoded on arrival to find out
// whether anything is said, by the goroutines that read them and not in the media loop.
type early struct {
	mu      sync.Mutex
	over    bool  // the call has begun
	asked   int64 // see stream
	packets []earlyPacket
	decoder jitter.Decoder
	pcm     []int16
}

// earlyPacket is a packet that arrived at a Pacer time (ns).
type earlyPacket struct {
	arrival

	stamp  uint32 // of 48 kHz
	sounds bool
}

// keep keeps a packet, dropping the oldest if there are too many. It returns false once the call has begun.
func (e *early) keep(b []byte, source uint32, ns int64) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.over {
		return false
	}
	p, ok := rtp.Parse(b)
	if !ok {
		return true // of no use later on either
	}
	if len(e.packets) >= earlyPackets {
		e.packets = e.packets[1:]
	}
	e.packets = append(e.packets, earlyPacket{arrival{source, ns, slices.Clone(b)}, p.Timestamp, e.sounds(p.Payload)})
	return true
}

// sounds reports whether the next packet holds anything audible; e.mu must be held.
func (e *early) sounds(payload []byte) bool {
	if e.decoder == nil {
		e.decoder, e.pcm = newDecoder(), make([]int16, 120*jitter.WidebandRate/1000)
	}
	n, err := e.decoder.Decode(e.pcm, payload)
	return err == nil && n > 0 && (slices.Max(e.pcm[:n]) > earlySound || slices.Min(e.pcm[:n]) < -earlySound)
}

// take stops keeping packets. It returns them in order of arrival and the time (ns) since when
// something was said, not before since; ok is false if nothing was.
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

// late returns how much later (ns) than it was said a packet arrived, judging by the others. What exceeds
// the time for which it can have been waiting was sent ahead.
func (e *early) late(packets []earlyPacket, one *earlyPacket) int64 {
	late := lateness(packets, one)
	if e.asked != 0 && late > one.ns-e.asked+jitter.SurelyAheadNS {
		return 0
	}
	return late
}

// lateness returns how much later (ns) than the packet with the shortest transit a packet arrived:
// packets that were waiting to be read arrive all at once.
func lateness(packets []earlyPacket, one *earlyPacket) (late int64) {
	for i := range packets {
		if p := &packets[i]; p.source == one.source {
			sent := int64(int32(p.stamp-one.stamp)) * int64(time.Second) / opusClock
			late = max(late, sent-(p.ns-one.ns))
		}
	}
	return min(late, int64(earlyMost))
}

// open decides when the call began: now, or when the far end was first heard to speak, if that was earlier. The
// time in between is then passed at once; what we say meanwhile is not sent.
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
	s.waiting = s.recall(s.waiting, earlyPackets-s.far.Frames(), math.MaxInt64) // some may have arrived since the turn began
	return false
}
