package line

import "math/bits"

// ring is the last second of what came, by timestamp: ringSamples samples, and
// for each whether it is there.
type ring struct {
	pcm [ringSamples]int16
	marks
}

// marks say of each of the last ringSamples stamps whether it is there.
type marks struct {
	there [ringSamples / 64]uint64
}

func (r *marks) clear() { r.there = [ringSamples / 64]uint64{} }

// has says whether the sample of the stamp is there.
func (r *marks) has(stamp int64) bool {
	return r.there[stamp>>6&(ringSamples/64-1)]>>(stamp&63)&1 != 0
}

// put lays samples down from a stamp on; there are fewer than ringSamples.
func (r *ring) put(stamp int64, pcm []int16) {
	n := copy(r.pcm[stamp&(ringSamples-1):], pcm)
	copy(r.pcm[:], pcm[n:])
	r.mark(stamp, stamp+int64(len(pcm)), true)
}

// get copies samples out from a stamp on, whether they are there or not.
func (r *ring) get(stamp int64, pcm []int16) {
	n := copy(pcm, r.pcm[stamp&(ringSamples-1):])
	copy(pcm[n:], r.pcm[:])
}

// mark says of the samples from one stamp to another that they are there, or that they are not.
func (r *marks) mark(from, to int64, there bool) {
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

// run is how many samples from a stamp on, before end and without crossing the
// end of the memory, are alike, and whether they are there.
func (r *marks) run(from, end int64) (n int64, there bool) {
	there = r.has(from)
	end = min(end, from|(ringSamples-1)+1)
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
	for from < to {
		n, there := r.run(from, to)
		if !there {
			return false
		}
		from += n
	}
	return true
}
