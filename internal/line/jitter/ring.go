package jitter

import (
	"math/bits"

	"github.com/ringtrue/ringtrue/internal/line/g711"
)

// ring holds the last second of what came, by timestamp: ringSamples samples in a law of G.711,
// and marks which of them are present.
type ring struct {
	law g711.Codec
	marks
	codes [ringSamples]byte
}

// marks records for each of the last ringSamples stamps whether it is present.
type marks struct {
	// since and until delimit the newest run without a gap. Most of the time that is all there is.
	since, until int64
	// noted is the stamp up to which the bitmap there is up to date; it is brought up to date on demand.
	noted int64
	there [ringSamples / 64]uint64
}

func (r *marks) clear() { *r = marks{} }

// has reports whether the sample of the stamp is present.
func (r *marks) has(stamp int64) bool {
	r.catchUp()
	return r.there[stamp>>6&(ringSamples/64-1)]>>(stamp&63)&1 != 0
}

// translate converts the content to another law, which may change samples by a quantisation step.
func (r *ring) translate(law g711.Codec) {
	var pcm [frameSize]int16
	for at := 0; at < ringSamples; at += frameSize {
		codes := r.codes[at:min(at+frameSize, ringSamples)]
		r.law.Decode(pcm[:len(codes)], codes)
		law.Encode(codes, pcm[:len(codes)])
	}
	r.law = law
}

// put stores fewer than ringSamples samples from a stamp on.
func (r *ring) put(stamp int64, codes []byte) {
	n := copy(r.codes[stamp&(ringSamples-1):], codes)
	copy(r.codes[:], codes[n:])
	r.mark(stamp, stamp+int64(len(codes)), true)
}

// get copies samples from a stamp on, present or not.
func (r *ring) get(stamp int64, pcm []int16) {
	first := r.codes[stamp&(ringSamples-1):]
	if n := len(pcm); n <= len(first) {
		r.law.Decode(pcm, first[:n])
		return
	}
	r.law.Decode(pcm, first)
	r.law.Decode(pcm[len(first):], r.codes[:len(pcm)-len(first)])
}

// mark marks the samples from one stamp to another as present or missing.
func (r *marks) mark(from, to int64, there bool) {
	if r.follow(from, to, there) {
		return
	}
	r.write(from, to, there)
	r.noted = r.until
}

// catchUp brings the bitmap up to date.
func (r *marks) catchUp() {
	if r.noted < r.until {
		r.write(max(r.noted, r.since), r.until, true)
		r.noted = r.until
	}
}

// write sets the bits of the samples.
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

// follow extends the run without a gap. It returns true if that is all there is to record,
// because the samples continue where the last ones ended.
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
	case !there: // replaces older ones
		r.since = max(r.since, to-ringSamples)
	}
	return false
}

// gapless reports whether every sample from one stamp to another is known to be present.
func (r *marks) gapless(from, to int64) bool { return from >= r.since && to <= r.until }

// run returns how many samples from a stamp on, before end and without wrapping around the
// memory, are alike, and whether they are present.
func (r *marks) run(from, end int64) (n int64, there bool) {
	end = min(end, from|(ringSamples-1)+1)
	if r.gapless(from, end) {
		return end - from, true
	}
	there = r.has(from) // brings all of them up to date
	for at := from; at < end; {
		word := r.there[at>>6&(ringSamples/64-1)]
		if there {
			word = ^word
		}
		word >>= at & 63 // the samples that differ
		if word != 0 {
			return min(at+int64(bits.TrailingZeros64(word)), end) - from, there
		}
		at += 64 - at&63
	}
	return end - from, there
}

// whole reports whether every sample from one stamp to another is present.
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
