package leg

import (
	"bytes"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"time"
	"unsafe"
)

// offset is a code for tests: byte b stands for the sample b − 200.
func offset(dst []int16, src []byte) {
	for i, b := range src {
		dst[i] = int16(b) - 200
	}
}

const offsetSilence = 200

func codedTape() *Tape {
	t := NewTape(time.Hour)
	t.Begin(8000)
	t.Coded(offset, offsetSilence)
	return t
}

// TestTapeAgainstAPlainOne lays codes and samples down at random, silence among
// them, and compares with one slice of samples.
func TestTapeAgainstAPlainOne(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 4))
	for round := range 40 {
		tape, plain := codedTape(), make([]int16, 0, 4*chunkSamples)
		for range 400 {
			codes := randomCodes(rng)
			pos := rng.IntN(3 * chunkSamples)
			if rng.IntN(2) == 0 && len(plain) < 3*chunkSamples {
				pos = len(plain) // as calls go
			}
			pcm := make([]int16, len(codes))
			offset(pcm, codes)
			if end := pos + len(pcm); end > len(plain) {
				plain = plain[:end]
			}
			copy(plain[pos:], pcm)
			if rng.IntN(100) < round {
				tape.Write(AgentChannel, int64(pos), pcm)
			} else {
				tape.WriteCoded(AgentChannel, int64(pos), codes)
			}
			tape.WarmFurther(AgentChannel, func(unsafe.Pointer, uintptr) {})
		}
		if got := tape.Channel(AgentChannel); !slices.Equal(got, plain) {
			t.Fatalf("round %d: the channel differs from what was written", round)
		}
		if got := tape.Channel(CallerChannel); slices.ContainsFunc(got, func(v int16) bool { return v != 0 }) {
			t.Fatalf("round %d: the other channel is not silent", round)
		}
	}
}

// randomCodes are up to two seconds, now and then of silence alone.
func randomCodes(rng *rand.Rand) []byte {
	codes := make([]byte, 1+rng.IntN(16000))
	silent := rng.IntN(3) == 0
	for i := range codes {
		if codes[i] = offsetSilence; !silent {
			codes[i] = byte(rng.Uint32())
		}
	}
	return codes
}

func TestSilenceTakesNoMemory(t *testing.T) {
	t.Parallel()
	tape := codedTape()
	silence, voice := make([]byte, 160), make([]byte, 160)
	for i := range silence {
		silence[i] = offsetSilence
	}
	for i := range int64(10_000) {
		tape.WriteCoded(CallerChannel, i*160, silence)
	}
	if n := len(tape.tracks[CallerChannel].chunks); n != 0 {
		t.Errorf("200 s of silence take %d chunks", n)
	}
	if tape.Samples() != 1_600_000 || tape.Written(CallerChannel) != 1_600_000 {
		t.Errorf("%d samples, %d written", tape.Samples(), tape.Written(CallerChannel))
	}
	tape.WriteCoded(CallerChannel, 8000, voice)
	tape.WriteCoded(CallerChannel, 8000, silence) // over a voice it is no matter of course
	if got := tape.Channel(CallerChannel)[8000]; got != 0 {
		t.Errorf("silence over a voice left %d", got)
	}
}

func TestHush(t *testing.T) {
	t.Parallel()
	tape := codedTape()
	tape.Write(AgentChannel, 0, slices.Repeat([]int16{7}, chunkSamples+1000))
	tape.Hush(AgentChannel, -100, 100)
	tape.Hush(AgentChannel, -100, 110)
	tape.Hush(AgentChannel, chunkSamples-10, 20)
	tape.Hush(AgentChannel, chunkSamples+990, 3000*8000)
	tape.Hush(AgentChannel, 3599*8000, 2*8000)
	want := slices.Repeat([]int16{7}, chunkSamples+990)
	clear(want[:10])
	clear(want[chunkSamples-10:][:20])
	want = append(want, make([]int16, 3600*8000-len(want))...)
	if got := tape.Channel(AgentChannel); !slices.Equal(got, want) {
		t.Error("not what was hushed is silent")
	}
	if n := len(tape.tracks[AgentChannel].chunks); n != 2 || tape.Refused() != 200+8000 {
		t.Errorf("silence takes %d chunks, %d samples were refused", n-2, tape.Refused())
	}
	if want := int64(chunkSamples + 1000 + 10 + 20 + 3000*8000 + 8000); tape.Written(AgentChannel) != want {
		t.Errorf("%d samples were written, want %d", tape.Written(AgentChannel), want)
	}
}

func TestCodedTapeDropsWhatLiesOutside(t *testing.T) {
	t.Parallel()
	tape := NewTape(time.Second)
	tape.Begin(8000)
	tape.Coded(offset, offsetSilence)
	tape.WriteCoded(AgentChannel, -2, []byte{1, 2, 201})
	tape.WriteCoded(AgentChannel, 7999, []byte{202, 3})
	tape.WriteCoded(AgentChannel, -1<<40, []byte{1})
	tape.WriteCoded(AgentChannel, 1<<40, []byte{1})
	got := tape.Channel(AgentChannel)
	if len(got) != 8000 || got[0] != 1 || got[7999] != 2 || tape.Refused() != 5 || tape.Written(AgentChannel) != 2 {
		t.Errorf("%d samples from %d to %d, %d refused, %d written", len(got), got[0], got[len(got)-1], tape.Refused(), tape.Written(AgentChannel))
	}
}

// TestCut takes away what lies beyond a place, in either form and in several chunks, and what is written there afterwards
// follows silence.
func TestCut(t *testing.T) {
	t.Parallel()
	const long, left = 2*chunkSamples + 100, chunkSamples - 7
	for _, plain := range []bool{false, true} {
		tape := codedTape()
		if plain {
			tape.Write(AgentChannel, 0, slices.Repeat([]int16{1}, long))
		} else {
			tape.WriteCoded(AgentChannel, 0, bytes.Repeat([]byte{201}, long))
		}
		tape.Write(CallerChannel, 0, []int16{5})
		tape.Cut(AgentChannel, long)
		tape.Cut(AgentChannel, left)
		if tape.Samples() != left || tape.Written(AgentChannel) != left {
			t.Errorf("%d samples are left, %d written", tape.Samples(), tape.Written(AgentChannel))
		}
		tape.Write(AgentChannel, long-1, []int16{9})
		want := append(slices.Repeat([]int16{1}, left), make([]int16, long-left)...)
		want[long-1] = 9
		if !slices.Equal(tape.Channel(AgentChannel), want) {
			t.Errorf("what was taken away can still be heard (plain: %v)", plain)
		}
	}
}

// TestWarmFetchesWhatIsWrittenNext compares, at every place of a chunk, what was fetched with where
// the next frame then comes to lie.
func TestWarmFetchesWhatIsWrittenNext(t *testing.T) {
	t.Parallel()
	const frame = 160
	for _, plain := range []bool{false, true} {
		tape := codedTape()
		codes, pcm := bytes.Repeat([]byte{1}, frame), slices.Repeat([]int16{1}, frame)
		k := &tape.tracks[AgentChannel]
		for pos := int64(0); pos < 2*chunkSamples; pos += frame {
			var from unsafe.Pointer
			var size uintptr
			tape.WarmFurther(AgentChannel, func(at unsafe.Pointer, n uintptr) { from, size = at, n })
			last, laid := k.last, k.laid
			if plain {
				tape.Write(AgentChannel, pos, pcm)
			} else {
				tape.WriteCoded(AgentChannel, pos, codes)
			}
			if laid == 0 || laid == chunkSamples {
				continue // nobody knows yet where that is
			}
			var want unsafe.Pointer
			n := uintptr(min(frame, chunkSamples-laid))
			if h := k.chunks[last]; plain {
				want, n = unsafe.Pointer(&h.pcm[laid]), 2*n
			} else {
				want = unsafe.Pointer(&h.codes[laid])
			}
			if from != want || size != n {
				t.Fatalf("at %d (plain %v) %d bytes were fetched at %p, and the next %d are written at %p", pos, plain, size, from, n, want)
			}
		}
	}
}

// TestTheFirstWordWaitsForNoMemory on either channel.
func TestTheFirstWordWaitsForNoMemory(t *testing.T) {
	t.Parallel()
	tape := codedTape()
	for channel := range tape.tracks {
		made := tape.tracks[channel].spare.Load()
		if made == nil {
			t.Fatalf("channel %d has none", channel)
		}
		tape.WriteCoded(channel, 0, make([]byte, 160))
		if &tape.tracks[channel].chunks[0].codes[0] != &made.codes[0] {
			t.Errorf("channel %d was written elsewhere", channel)
		}
	}
}

// TestTheNextChunkIsMadeAhead writes as a line does.
func TestTheNextChunkIsMadeAhead(t *testing.T) {
	t.Parallel()
	for _, plain := range []bool{false, true} {
		tape, codes, pcm := codedTape(), make([]byte, 160), make([]int16, 160)
		k := &tape.tracks[AgentChannel]
		for pos := int64(0); pos < 5*chunkSamples; pos += 160 {
			before := len(k.chunks)
			if made := k.spare.Load(); before > 0 && k.laid+160 > chunkSamples && made == nil {
				t.Fatalf("at %d (plain %v) there is no chunk to go on with", pos, plain)
			}
			if plain {
				tape.Write(AgentChannel, pos, pcm)
			} else {
				tape.WriteCoded(AgentChannel, pos, codes)
			}
			for k.asked > k.last && k.laid < chunkSamples/2+160 && k.spare.Load() == nil {
				runtime.Gosched() // it is on its way
			}
		}
	}
}

// TestMemoryIsAskedForWhereThereIsRoom gives a tape room to ask twice, for three chunks.
func TestMemoryIsAskedForWhereThereIsRoom(t *testing.T) {
	t.Parallel()
	tape, codes := codedTape(), make([]byte, 160)
	there := make(chan Ahead, 2)
	tape.Ask(there)
	k := &tape.tracks[AgentChannel]
	k.spare.Store(nil)
	for pos := int64(0); pos+160 <= chunkSamples; pos += 160 {
		tape.WriteCoded(AgentChannel, pos, codes)
	}
	if len(there) != 1 || k.spare.Load() != nil {
		t.Fatalf("%d chunks were asked for, not 1, and the tape has made its own: %v", len(there), k.spare.Load() != nil)
	}
	(<-there).Make()
	made := k.spare.Load()
	tape.WriteCoded(AgentChannel, chunkSamples, codes)
	if made == nil || &k.chunks[1].codes[0] != &made.codes[0] {
		t.Error("what was made ahead is not what the tape goes on with")
	}
	there <- Ahead{}
	there <- Ahead{} // no more room
	tape.WriteCoded(AgentChannel, chunkSamples*3/2, codes)
	for k.spare.Load() == nil {
		runtime.Gosched() // it makes its own
	}
}
