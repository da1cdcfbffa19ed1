package leg

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestPullTakesThePauseAway lays speech with one pause down, as samples and as codes, and
// takes the pause away again: nothing that was said is lost, and what followed stands where it should.
func TestPullTakesThePauseAway(t *testing.T) {
	t.Parallel()
	for _, plain := range []bool{false, true} {
		for _, at := range []int{0, 3200, chunkSamples - 4000, chunkSamples + 8000} {
			tape := codedTape()
			const pause, before, after = 1600, 4800, 9600
			said := codes(before + after)
			put := func(pos int, codes []byte) {
				if plain {
					pcm := make([]int16, len(codes))
					offset(pcm, codes)
					tape.Write(AgentChannel, int64(pos), pcm)
				} else {
					tape.WriteCoded(AgentChannel, int64(pos), codes)
				}
			}
			put(0, codes(at)) // long ago
			put(at, said[:before])
			put(at+before+pause, said[before:])
			end := at + before + pause + after
			tape.Pull(AgentChannel, int64(end), pause)
			got := tape.Channel(AgentChannel)
			want := make([]int16, len(said))
			offset(want, said)
			if len(got) != end-pause || !slices.Equal(got[at:], want) {
				t.Errorf("plain %v at %d: %d samples are left, and they differ from what was said", plain, at, len(got))
			}
		}
	}
}

// codes are n bytes of which none is silence.
func codes(n int) []byte {
	out := make([]byte, n)
	for i := range out {
		out[i] = byte(i*7%150 + 1)
	}
	return out
}

// TestPullAgainstAPlainOne pulls tapes with anything on them, and compares with a slice of samples.
func TestPullAgainstAPlainOne(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		tape := codedTape()
		for range 1 + rng.IntN(12) {
			pos, some := rng.Int64N(2*chunkSamples), randomCodes(rng)
			if rng.IntN(4) == 0 {
				pcm := make([]int16, len(some))
				offset(pcm, some)
				tape.Write(AgentChannel, pos, pcm)
			} else {
				tape.WriteCoded(AgentChannel, pos, some)
			}
		}
		before := tape.Channel(AgentChannel)
		end := int64(len(before)) - rng.Int64N(2)*rng.Int64N(9000)
		by := rng.Int64N(9000)
		tape.Pull(AgentChannel, end, by)
		got := tape.Channel(AgentChannel)
		if end <= 0 || by <= 0 {
			continue
		}
		by = min(by, end)
		gone := slices.IndexFunc(before, func(int16) bool { return true })
		for gone+1 < len(got) && int64(gone) < end-by && got[gone] == before[gone] {
			gone++ // the first sample that moved, or one that is as the one that took its place
		}
		want := slices.Concat(before[:gone], before[int64(gone)+by:end], make([]int16, by), before[end:])
		want = want[:len(got)]
		if !slices.Equal(got, want) {
			t.Fatalf("%d samples were taken out of %d before %d, and what is left differs", by, len(before), end)
		}
	}
}

// TestPullOfNothing asks for what is not there.
func TestPullOfNothing(t *testing.T) {
	t.Parallel()
	tape := codedTape()
	tape.Pull(AgentChannel, 0, 100)
	tape.Pull(AgentChannel, 1<<40, 1<<40)
	tape.WriteCoded(AgentChannel, 0, codes(500))
	tape.Pull(AgentChannel, 500, -1)
	if tape.Samples() != 500 {
		t.Errorf("%d samples are left of 500", tape.Samples())
	}
	tape.Pull(AgentChannel, 1<<40, 1<<40)
	if tape.Samples() != 0 {
		t.Errorf("%d samples are left where all were taken", tape.Samples())
	}
}
