package jitter

import (
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/rtp"
)

// seqWindow is how many sequence numbers are remembered to distinguish a late packet from a
// duplicate. A packet counts as lost when it leaves the window unseen.
const seqWindow = 512

// beforeFirst is by how many numbers a packet may precede the first one that arrived and still
// have been overtaken by it; overtaken is the same for the newest packet, and beforeNewest the
// limit for its timestamp, a second at 48 kHz. A packet beyond these begins a new numbering.
const beforeFirst, overtaken, beforeNewest = 16, 32, 48000

// seqOutage is the longest run of missing packets (one minute) that counts as loss rather than
// as a new sequence.
const seqOutage = 3000

// sequence counts what a far end sent and what of it arrived (RFC 3550 appendix A), across
// changes of its SSRC.
type sequence struct {
	// The fields needed for every packet come first, so that they share cache lines.
	started   bool
	hasLast   bool
	lastGone  bool
	excused   bool // no packet was expected for a while
	ssrc      uint32
	highest   int64 // extended sequence number
	judged    int64 // all numbers below have been counted as lost or received
	transit   int64 // ns, of the newest packet in order
	lastAt    int64
	longest   int64
	jitter    float64 // ns
	jitterMax float64

	received, receivedNow int64 // the latter for report blocks

	seen window

	// newest is the latest timestamp so far. again is the number of the newest packet that had
	// come before, 0 once a new one has come; againAt is when the first of the consecutive ones
	// came, inRow how many they are.
	newest  uint32
	inRow   int32
	again   int64
	againAt int64

	base                                int64
	lost, duplicate, misordered, bursts int64
	// For report blocks.
	expectedPrior, receivedPrior int64
}

// window is a bit set of the newest sequence numbers.
type window [seqWindow / 64]uint64

func (w *window) has(n int64) bool { return w[n/64%int64(len(w))]>>(n%64)&1 != 0 }

func (w *window) add(n int64) { w[n/64%int64(len(w))] |= 1 << (n % 64) }

func (w *window) drop(n int64) { w[n/64%int64(len(w))] &^= 1 << (n % 64) }

// novelty is what the sequence number of a packet says about it.
type novelty int

const (
	fresh novelty = iota
	older
	repeated
	anew // the first of another sequence of the same source
)

// repeatNS is for how long packets that came before may follow one another, without a new one, before
// they are taken for a new numbering. If nothing came for that long before them, two are enough.
const repeatNS = int64(160 * time.Millisecond)

// arrive counts a packet and returns how it is to be treated.
func (s *sequence) arrive(p rtp.Packet, at int64) novelty {
	if !s.started || p.SSRC != s.ssrc {
		s.restart(p)
		return s.fresh(s.highest, p, at, fresh)
	}
	ext := s.ext(p)
	d := ext - s.highest
	switch {
	case d > seqOutage || d < -seqWindow || d > 1 && s.excused:
		s.restart(p) // the far end began a new sequence without notice, or went on counting while it could not be heard
		return s.fresh(s.highest, p, at, anew)
	case d > 0:
		return s.fresh(ext, p, at, fresh)
	case ext < s.base && s.base-ext <= beforeFirst && s.highest-ext <= overtaken && s.newest-p.Timestamp <= beforeNewest:
		s.base, s.judged = ext, ext
	case ext < s.judged || s.seen.has(ext):
		return s.repeat(ext, p, at)
	}
	s.again = 0
	s.misordered++
	s.accept(ext)
	return older
}

// fresh processes the newest packet.
func (s *sequence) fresh(ext int64, p rtp.Packet, at int64, kind novelty) novelty {
	if int32(p.Timestamp-s.newest) > 0 || kind == anew {
		s.newest = p.Timestamp
	}
	s.again, s.excused = 0, false
	s.advance(ext)
	s.accept(ext)
	s.gap(at)
	return kind
}

// repeat processes a packet whose number has come before. It is a different packet if its
// timestamp is later than any so far, or if only such packets come.
func (s *sequence) repeat(ext int64, p rtp.Packet, at int64) novelty {
	if int32(p.Timestamp-s.newest) > 0 || s.begunAnew(ext, at) {
		s.restart(p)
		return s.fresh(s.highest, p, at, anew)
	}
	if !s.inARow(ext) {
		s.againAt, s.inRow = at, 0
	}
	s.again = ext
	s.inRow++
	s.duplicate++
	return repeated
}

// inARow reports whether a repeated number follows the previous repeated one.
func (s *sequence) inARow(ext int64) bool { return s.again != 0 && ext == s.again+1 }

// begunAnew reports whether the consecutive packets that end with this number are no repetitions.
func (s *sequence) begunAnew(ext, at int64) bool {
	return s.inARow(ext) && (at-s.againAt >= repeatNS || s.againAt-s.lastAt >= repeatNS)
}

// revokes reports whether a packet shows that those before it were no repetitions.
func (s *sequence) revokes(p rtp.Packet, at int64) bool {
	return s.started && p.SSRC == s.ssrc && s.repeats(p) && s.begunAnew(s.ext(p), at)
}

// ext returns the sequence number of a packet, near the newest one, extended beyond 16 bits.
func (s *sequence) ext(p rtp.Packet) int64 {
	return s.highest + int64(int16(p.Sequence-uint16(s.highest)))
}

// beginsBy starts a new sequence with the first of so many packets that were taken for repetitions.
func (s *sequence) beginsBy(p rtp.Packet, at int64, many int) novelty {
	s.duplicate -= int64(many)
	s.restart(p)
	return s.fresh(s.highest, p, at, anew)
}

// repeats reports whether a packet of this source has come before, or is too old to tell.
func (s *sequence) repeats(p rtp.Packet) bool {
	ext := s.ext(p)
	return ext <= s.highest && ext >= s.highest-seqWindow && (ext < s.judged || s.seen.has(ext))
}

func (s *sequence) accept(ext int64) {
	s.seen.add(ext)
	s.received++
	s.receivedNow++
}

// restart begins with a new source after settling what is pending for the old one.
func (s *sequence) restart(p rtp.Packet) {
	if s.started {
		s.judge(s.highest + 1)
	}
	s.seen = window{}
	s.started, s.ssrc = true, p.SSRC
	// One cycle is added so that a packet before the first has a positive number.
	s.highest = int64(p.Sequence) + 1<<16
	s.base, s.judged, s.lastGone = s.highest, s.highest, false
	s.expectedPrior, s.receivedPrior, s.receivedNow = 0, 0, 0
	s.hasLast, s.newest = false, p.Timestamp
}

// advance moves the window up to ext.
func (s *sequence) advance(ext int64) {
	for n := s.highest + 1; n <= ext; n++ {
		s.judge(n - seqWindow + 1)
		s.seen.drop(n)
	}
	s.highest = max(s.highest, ext)
}

// judge settles every number below end as received or lost.
func (s *sequence) judge(end int64) {
	for ; s.judged < end; s.judged++ {
		gone := !s.seen.has(s.judged)
		if gone {
			s.lost++
			if !s.lastGone {
				s.bursts++
			}
		}
		s.lastGone = gone
	}
}

func (s *sequence) gap(at int64) {
	if s.lastAt != 0 {
		s.longest = max(s.longest, at-s.lastAt)
	}
	s.lastAt = at
}

// excuse declares that nothing was expected before a time.
func (s *sequence) excuse(at int64) {
	s.excused, s.hasLast = true, false
	if s.lastAt != 0 {
		s.lastAt = max(s.lastAt, at)
	}
}

// pace updates the jitter with the transit time (ns, any origin) of a packet.
func (s *sequence) pace(transit int64) {
	if s.hasLast {
		d := float64(transit - s.transit)
		if d < 0 {
			d = -d
		}
		// A jump of seconds is a new clock, not jitter.
		if d < 2e9 {
			s.jitter += (d - s.jitter) / 16
			s.jitterMax = max(s.jitterMax, s.jitter)
		}
	}
	s.transit, s.hasLast = transit, true
}

// block returns the report block for this source since the last one.
func (s *sequence) block() rtp.Block {
	expected := s.highest - s.base + 1
	gone := expected - s.receivedNow
	since := expected - s.expectedPrior
	goneSince := since - (s.receivedNow - s.receivedPrior)
	s.expectedPrior, s.receivedPrior = expected, s.receivedNow
	b := rtp.Block{
		SSRC: s.ssrc, Lost: int32(min(max(gone, 0), 1<<23-1)),
		Highest: uint32(s.highest), Jitter: uint32(s.jitter * telephoneRate / 1e9),
	}
	if since > 0 && goneSince > 0 {
		b.FractionLost = uint8(min(goneSince<<8/since, 255))
	}
	return b
}

// into adds what was counted so far to the statistics of a leg.
func (s *sequence) into(out *call.LineStats) {
	if s.started {
		s.judge(s.highest + 1)
	}
	out.Received, out.Lost, out.Duplicate = s.received, s.lost, s.duplicate
	out.Misordered, out.Bursts = s.misordered, s.bursts
	out.Jitter, out.JitterMax = time.Duration(s.jitter), time.Duration(s.jitterMax)
	out.LongestGap = time.Duration(s.longest)
}
