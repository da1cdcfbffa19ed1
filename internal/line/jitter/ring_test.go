package jitter

import (
	"math/rand/v2"
	"testing"

	"github.com/ringtrue/ringtrue/internal/line/g711"
)

// TestRingAgainstAPlainOne marks and queries at random and compares with one flag per sample.
func TestRingAgainstAPlainOne(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	var r ring
	plain := map[int64]bool{}
	const base = 1<<32 - 5000
	for range 3000 {
		from := base + rng.Int64N(6000)
		to := from + rng.Int64N(400)
		there := rng.IntN(2) == 0
		r.mark(from, to, there)
		for s := from; s < to; s++ {
			plain[s] = there
		}
		from = base + rng.Int64N(6000)
		end := from + 1 + rng.Int64N(300)
		n, is := r.run(from, end)
		want := int64(1)
		for from+want < end && plain[from+want] == plain[from] && (from+want)%ringSamples != 0 {
			want++
		}
		if is != plain[from] || n != want {
			t.Fatalf("run(%d, %d) is %d, %v; want %d, %v", from, end, n, is, want, plain[from])
		}
		whole := true
		for s := from; s < end; s++ {
			whole = whole && plain[s]
		}
		if got := r.whole(from, end); got != whole {
			t.Fatalf("whole(%d, %d) is %v", from, end, got)
		}
	}
}

// TestMarksOfALongCall covers many times the capacity of the ring, mostly without gaps, as in a
// call, but with some gaps, late packets and retractions.
func TestMarksOfALongCall(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 4))
	var m marks
	var plain [ringSamples]bool
	mark := func(from, to int64, there bool) {
		m.mark(from, to, there)
		for s := from; s < to; s++ {
			plain[s&(ringSamples-1)] = there
		}
	}
	head := int64(100)
	for range 5000 {
		n := 1 + rng.Int64N(2*frameSize)
		switch rng.IntN(40) {
		case 0: // a gap
			gap := 1 + rng.Int64N(ringSamples/2)
			mark(head, head+gap, false)
			head += gap
		case 1: // late
			from := head - rng.Int64N(ringSamples/2)
			mark(from, min(from+n, head), true)
			continue
		case 2:
			from := head - rng.Int64N(ringSamples-n)
			mark(from, min(from+n, head), false)
			continue
		}
		mark(head, head+n, true)
		head += n
		for range 3 {
			from := head - 1 - rng.Int64N(ringSamples)
			end := min(from+1+rng.Int64N(1000), head)
			whole := true
			for s := from; s < end; s++ {
				whole = whole && plain[s&(ringSamples-1)]
			}
			asked := m // a copy, because queries update the marks
			if got := asked.whole(from, end); got != whole {
				t.Fatalf("at %d: whole(%d, %d) is %v", head, from, end, got)
			}
			if got := asked.has(from); got != plain[from&(ringSamples-1)] {
				t.Fatalf("at %d: has(%d) is %v", head, from, got)
			}
		}
	}
}

func TestRingGivesBackWhatWasPut(t *testing.T) {
	t.Parallel()
	r := ring{law: g711.PCMA()}
	in, want, out := make([]byte, 700), make([]int16, 700), make([]int16, 700)
	for i := range in {
		in[i] = byte(i + 1)
	}
	g711.PCMA().Decode(want, in)
	for _, stamp := range []int64{0, ringSamples - 350, 3*ringSamples - 1, -200} {
		r.clear()
		r.put(stamp, in)
		r.get(stamp, out)
		for i := range in {
			if out[i] != want[i] || !r.has(stamp+int64(i)) {
				t.Fatalf("sample %d from stamp %d is %d", i, stamp, out[i])
			}
		}
		if r.has(stamp-1) || r.has(stamp+700) {
			t.Errorf("from stamp %d there is more than was put", stamp)
		}
	}
}
