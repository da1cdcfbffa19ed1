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

// chunkSamples is how much of a channel is laid out at a time (8 s at 8 kHz):
// rare enough for the media loop, small enough for short calls.
const chunkSamples = 1 << 16

// Tape keeps both directions of one call by media position, so that each
// sample stands where it was said, whatever the network did to the order of
// the packets. What was never written is silence and counts as not covered.
//
// What a line carries in one byte a sample is kept like that (see Coded), since
// memory is what many calls at a time are short of.
//
// A Tape belongs to the line during the call and to whoever made it afterwards.
type Tape struct {
	rate    int
	limit   int64
	code    code
	tracks  [2]track
	refused int64
}

// NewTape returns an empty tape that takes at most max of media; writes beyond
// it are dropped and counted.
func NewTape(max time.Duration) *Tape {
	return &Tape{limit: int64(max / time.Millisecond)}
}

// Begin sets the rate (Hz). The line calls it once, when the call is answered.
func (t *Tape) Begin(rate int) {
	t.rate = rate
	t.limit = t.limit * int64(rate) / 1000
}

// Rate is the sample rate in Hz, 0 before Begin.
func (t *Tape) Rate() int { return t.rate }

// Coded says in which code WriteCoded will speak, one byte a sample: decode
// writes the samples of src into dst, and silence is the byte of sample 0. It is
// called before the first WriteCoded and not again.
func (t *Tape) Coded(decode func(dst []int16, src []byte), silence byte) {
	t.code = newCode(decode, silence)
	for i := range t.tracks { // the first word must not wait for memory
		t.tracks[i].prepare(false)
	}
}

// Ask has the tape ask there for the memory that it will need next, whenever there is
// room. A tape that was not told to, or finds no room, starts a goroutine each time; and
// each time that wakes threads, which many calls at once feel.
func (t *Tape) Ask(there chan<- Ahead) {
	for i := range t.tracks {
		t.tracks[i].asks = there
	}
}

// Write lays samples down at position pos (samples since the answer). A later
// write over the same place wins. Samples before 0 or beyond the limit are dropped.
func (t *Tape) Write(channel int, pos int64, pcm []int16) {
	if from, to := t.within(pos, len(pcm)); from < to {
		t.tracks[channel].write(&t.code, pos+int64(from), pcm[from:to])
	}
}

// WriteCoded is Write for samples in the tape's code.
func (t *Tape) WriteCoded(channel int, pos int64, codes []byte) {
	if from, to := t.within(pos, len(codes)); from < to {
		t.tracks[channel].writeCoded(&t.code, pos+int64(from), codes[from:to])
	}
}

// Hush lays n samples of silence down. Beyond all that was written it is there already: however long it lasts, it
// costs neither time nor memory.
func (t *Tape) Hush(channel int, pos, n int64) {
	from, to := t.within(pos, int(n))
	if from >= to {
		return
	}
	k := &t.tracks[channel]
	k.clear(pos+int64(from), min(pos+int64(to), k.end))
	k.extend(pos+int64(from), to-from)
}

// Cut takes away what stands on a channel from a position on.
func (t *Tape) Cut(channel int, from int64) {
	k := &t.tracks[channel]
	if k.end <= from {
		return
	}
	k.clear(from, k.end)
	k.written, k.end = max(k.written-(k.end-from), 0), from
}

// within says which of n samples from pos on the tape takes, and counts the others.
func (t *Tape) within(pos int64, n int) (from, to int) {
	from = int(min(max(-pos, 0), int64(n)))
	to = int(max(min(t.limit-pos, int64(n)), int64(from)))
	if took := to - from; took < n {
		t.refused += int64(n - took)
	}
	return from, to
}

// Warm fetches what the next write to a channel needs of the tape itself, and WarmFurther,
// later on, the place that it will go to.
func (t *Tape) Warm(channel int, fetch Fetch) {
	fetch(unsafe.Pointer(t), unsafe.Offsetof(t.tracks)+uintptr(channel+1)*unsafe.Sizeof(t.tracks[0]))
}

// WarmFurther fetches the place of a channel that will be written next.
func (t *Tape) WarmFurther(channel int, fetch Fetch) { t.tracks[channel].warm(fetch) }

// Samples is the length of the tape: the end of its longer channel.
func (t *Tape) Samples() int64 { return max(t.tracks[0].end, t.tracks[1].end) }

// Duration is the length of the tape as media time.
func (t *Tape) Duration() time.Duration {
	if t.rate == 0 {
		return 0
	}
	return time.Duration(t.Samples()) * time.Second / time.Duration(t.rate)
}

// Written is how many samples a channel was given; compared with Samples it
// tells how much of the call the channel covers.
func (t *Tape) Written(channel int) int64 { return t.tracks[channel].written }

// Refused is how many samples were dropped because they lay outside the tape.
func (t *Tape) Refused() int64 { return t.refused }

// Channel returns a copy of one channel, Samples() long.
func (t *Tape) Channel(channel int) []int16 {
	out := make([]int16, t.Samples())
	t.tracks[channel].read(&t.code, out)
	return out
}
