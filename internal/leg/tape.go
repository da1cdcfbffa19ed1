package leg

import "time"

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
// A Tape belongs to the line during the call and to whoever made it afterwards.
type Tape struct {
	rate    int
	limit   int64
	tracks  [2]track
	refused int64
}

type track struct {
	chunks [][]int16
	// now is the chunk that was written last, from position nowFrom on.
	now     []int16
	nowFrom int64
	end     int64
	written int64
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

// Write lays samples down at position pos (samples since the answer). A later
// write over the same place wins. Samples before 0 or beyond the limit are dropped.
func (t *Tape) Write(channel int, pos int64, pcm []int16) {
	if pos < 0 {
		if -pos >= int64(len(pcm)) {
			t.refused += int64(len(pcm))
			return
		}
		t.refused += -pos
		pcm, pos = pcm[-pos:], 0
	}
	if over := pos + int64(len(pcm)) - t.limit; over > 0 {
		t.refused += min(over, int64(len(pcm)))
		if over >= int64(len(pcm)) {
			return
		}
		pcm = pcm[:int64(len(pcm))-over]
	}
	t.tracks[channel].write(pos, pcm)
}

// Warm reads the places that will be written next, so that they are in the
// processor's cache by then. What it returns means nothing.
func (t *Tape) Warm() int64 { return t.tracks[0].warm() + t.tracks[1].warm() }

func (k *track) warm() (sum int64) {
	const line, frame = 32, 160 // samples
	for at := k.end - k.nowFrom; len(k.now) > 0 && at < k.end-k.nowFrom+frame+line; at += line {
		if at >= 0 && at < int64(len(k.now)) {
			sum += int64(k.now[at])
		}
	}
	return sum
}

func (k *track) write(pos int64, pcm []int16) {
	k.written += int64(len(pcm))
	k.end = max(k.end, pos+int64(len(pcm)))
	if at := pos - k.nowFrom; at >= 0 && at+int64(len(pcm)) <= int64(len(k.now)) {
		copy(k.now[at:], pcm)
		return
	}
	for len(pcm) > 0 {
		index, offset := int(pos/chunkSamples), int(pos%chunkSamples)
		for len(k.chunks) <= index {
			k.chunks = append(k.chunks, nil)
		}
		if k.chunks[index] == nil {
			k.chunks[index] = make([]int16, chunkSamples)
		}
		k.now, k.nowFrom = k.chunks[index], int64(index)*chunkSamples
		n := copy(k.chunks[index][offset:], pcm)
		pcm, pos = pcm[n:], pos+int64(n)
	}
}

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
	for i, chunk := range t.tracks[channel].chunks {
		if chunk != nil {
			copy(out[min(i*chunkSamples, len(out)):], chunk)
		}
	}
	return out
}
