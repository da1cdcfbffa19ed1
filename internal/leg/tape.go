package leg

import (
	"time"
	"unsafe"
)

// The channels of every recording.
const (
	CallerChannel = 0 // left
	AgentChannel  = 1 // right
)

// chunkSamples is the size in samples of the chunks in which a channel is allocated (8 s at 8
// kHz): large enough to be rare in the media loop, small enough for short calls.
const chunkSamples = 1 << 16

// Tape records both directions of one call by media position, so that each sample is stored
// where it was said, however the network reordered the packets. What was never written is
// silence and does not count as covered.
//
// Audio that a line carries as one byte per sample is stored in that form (see Coded), because
// memory is the scarce resource with many simultaneous calls.
//
// A Tape is not safe for concurrent use: it belongs to the line during the call and to its
// creator afterwards.
type Tape struct {
	rate    int
	limit   int64
	code    code
	tracks  [2]track
	refused int64
}

// NewTape returns an empty tape that holds at most max of media. Writes beyond that are dropped
// and counted.
func NewTape(max time.Duration) *Tape {
	return &Tape{limit: int64(max / time.Millisecond)}
}

// Begin sets the sample rate (Hz). The line calls it once, when the call is answered.
func (t *Tape) Begin(rate int) {
	t.rate = rate
	t.limit = t.limit * int64(rate) / 1000
}

// Rate returns the sample rate in Hz, 0 before Begin.
func (t *Tape) Rate() int { return t.rate }

// Coded sets the code used by WriteCoded, which has one byte per sample: decode decodes src into dst,
// and silence is the code of sample 0. It must be called at most once, before the first WriteCoded.
func (t *Tape) Coded(decode func(dst []int16, src []byte), silence byte) {
	t.code = newCode(decode, silence)
	for i := range t.tracks { // the first word must not wait for an allocation
		t.tracks[i].prepare(false)
	}
}

// Ask makes the tape send its upcoming memory needs to there, if the channel has room.
// Otherwise, or without Ask, the tape starts a goroutine for each; that wakes threads, which is
// noticeable with many calls.
func (t *Tape) Ask(there chan<- Ahead) {
	for i := range t.tracks {
		t.tracks[i].asks = there
	}
}

// Write stores samples at position pos (in samples since the answer), over what was there.
// Samples before 0 or beyond the limit are dropped.
func (t *Tape) Write(channel int, pos int64, pcm []int16) {
	if from, to := t.within(pos, len(pcm)); from < to {
		t.tracks[channel].write(&t.code, pos+int64(from), pcm[from:to])
	}
}

// WriteCoded is like Write, for samples in the tape's code.
func (t *Tape) WriteCoded(channel int, pos int64, codes []byte) {
	if from, to := t.within(pos, len(codes)); from < to {
		t.tracks[channel].writeCoded(&t.code, pos+int64(from), codes[from:to])
	}
}

// Hush writes n samples of silence. Beyond the end of what was written, this costs neither time nor memory,
// however large n is.
func (t *Tape) Hush(channel int, pos, n int64) {
	from, to := t.within(pos, int(n))
	if from >= to {
		return
	}
	k := &t.tracks[channel]
	k.clear(pos+int64(from), min(pos+int64(to), k.end))
	k.extend(pos+int64(from), to-from)
}

// Cut removes everything on a channel from position from on.
func (t *Tape) Cut(channel int, from int64) {
	k := &t.tracks[channel]
	if k.end <= from {
		return
	}
	k.clear(from, k.end)
	k.written, k.end = max(k.written-(k.end-from), 0), from
}

// within returns the range of n samples at pos that fits on the tape, and counts the others as refused.
func (t *Tape) within(pos int64, n int) (from, to int) {
	from = int(min(max(-pos, 0), int64(n)))
	to = int(max(min(t.limit-pos, int64(n)), int64(from)))
	if took := to - from; took < n {
		t.refused += int64(n - took)
	}
	return from, to
}

// Warm prefetches the parts of the Tape itself that the next write to a channel uses. It is
// followed by WarmFurther.
func (t *Tape) Warm(channel int, fetch Fetch) {
	fetch(unsafe.Pointer(t), unsafe.Offsetof(t.tracks)+uintptr(channel+1)*unsafe.Sizeof(t.tracks[0]))
}

// WarmFurther prefetches the memory that the next write to a channel goes to.
func (t *Tape) WarmFurther(channel int, fetch Fetch) { t.tracks[channel].warm(fetch) }

// Samples returns the length of the tape, that of its longer channel.
func (t *Tape) Samples() int64 { return max(t.tracks[0].end, t.tracks[1].end) }

// Duration returns the length of the tape in media time.
func (t *Tape) Duration() time.Duration {
	if t.rate == 0 {
		return 0
	}
	return time.Duration(t.Samples()) * time.Second / time.Duration(t.rate)
}

// Written returns how many samples were written to a channel. Written divided by Samples is the
// channel's coverage.
func (t *Tape) Written(channel int) int64 { return t.tracks[channel].written }

// Refused returns how many samples were dropped because they lay outside the tape.
func (t *Tape) Refused() int64 { return t.refused }

// Channel returns a copy of one channel, Samples() long.
func (t *Tape) Channel(channel int) []int16 {
	out := make([]int16, t.Samples())
	t.tracks[channel].read(&t.code, out)
	return out
}
