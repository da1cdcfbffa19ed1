package jitter

import (
	"math/bits"

	"github.com/ringtrue/ringtrue/internal/line/g711"
)

// ring is the last second of what came, by timestamp: ringSamples samples as they
// came, in a law of G.711, and for each whether it is there.
type ring struct {
	law g711.Codec
	marks
	codes [ringSamples]byte
}

// marks say of each of the last ringSamples stamps whether it is there.
type marks struct {
	// since and until bound what came without a gap, up to the newest: most of the
	// time that is all there is.
	since, until int64
	// noted is up to where there says so too; it is brought up to date when it is asked.
	noted int64
	there [ringSamples / 64]uint64
}

func (r *marks) clear() { *r = marks{} }

// has says whether the sample of the stamp is there.
func (r *marks) has(stamp int64) bool {
	r.catchUp()
	return r.there[stamp>>6&(ringSamples/64-1)]>>(stamp&63)&1 != 0
}

// translate turns what is there into another law, which may change it by a step.
func (r *ring) translate(law g711.Codec) {
	var pcm [frameSize]int16
	for at := 0; at < ringSamples; at += frameSize {
		codes := r.codes[at:min(at+frameSize, ringSamples)]
		r.law.Decode(pcm[:len(codes)], codes)
		law.Encode(codes, pcm[:len(codes)])
	}
	r.law = law
}

// put lays samples down from a stamp on; there are fewer than ringSamples.
func (r *ring) put(stamp int64, codes []byte) {
	n := copy(r.codes[stamp&(ringSamples-1):], codes)
	copy(r.codes[:], codes[n:])
	r.mark(stamp, stamp+int64(len(codes)), true)
}

// get gives samples from a stamp on, whether they are there or not.
func (r *ring) get(stamp int64, pcm []int16) {
	first := r.codes[stamp&(ringSamples-1):]
	if n := len(pcm); n <= len(first) {
		r.law.Decode(pcm, first[:n])
		return
	}
	r.law.Decode(pcm, first)
	r.law.Decode(pcm[len(first):], r.codes[:len(pcm)-len(first)])
}

// mark says of the samples from one stamp to another that they are there, or that they are not.
func (r *marks) mark(from, to int64, there bool) {
	if r.follow(from, to, there) {
		return
	}
	r.write(from, to, there)
	r.noted = r.until
}

// catchUp writes down what came without a gap.
func (r *marks) catchUp() {
	if r.noted < r.until {
		r.write(max(r.noted, r.since), r.until, true)
		r.noted = r.until
	}
}

// write puts it down for each of them.
func (r *marks) write(from, to int64, there bool) {
	for from < to {
		n := min(64-from&63, to-from)
		mask := (uint64(1)<<n - 1) << (from & 63)
		word := &r.there[from>>6&(ringSamples/64-1)]
		if there {
			*word |= mask
		} else {
			*word &^= mask
		}
		from += n
	}
}

// follow keeps what is known to be there without a gap. It says whether that is all
// that need be known of these samples: they go on where the last ones ended.
func (r *marks) follow(from, to int64, there bool) (known bool) {
	if there && from >= r.since && from <= r.until && from < to {
		r.until = max(r.until, to)
		r.since = max(r.since, r.until-ringSamples)
		return true
	}
	r.catchUp()
	switch {
	case from >= to:
	case there && from > r.until:
		r.since, r.until = from, to
	case !there && from < r.until && to > r.since:
		r.since, r.until = 0, 0
	case !there: // it stands where older ones stood
		r.since = max(r.since, to-ringSamples)
	}
	return false
}

// gapless says that every sample from one stamp to another came, as far as that is known.
func (r *marks) gapless(from, to int64) bool { return from >= r.since && to <= r.until }

// run is how many samples from a stamp on, before end and without crossing the
// end of the memory, are alike, and whether they are there.
func (r *marks) run(from, end int64) (n int64, there bool) {
	end = min(end, from|(ringSamples-1)+1)
	if r.gapless(from, end) {
		return end - from, true
	}
	there = r.has(from) // and all of them are up to date
	for at := from; at < end; {
		word := r.there[at>>6&(ringSamples/64-1)]
		if there {
			word = ^word
		}
		word >>= at & 63 // what is left are the samples that differ
		if word != 0 {
			return min(at+int64(bits.TrailingZeros64(word)), end) - from, there
		}
		at += 64 - at&63
	}
	return end - from, there
}

// whole says whether every sample from one stamp to another is there.
func (r *marks) whole(from, to int64) bool {
	for from < to && !r.gapless(from, to) {
		n, there := r.run(from, to)
		if !there {
			return false
		}
		from += n
	}
	return true
}
