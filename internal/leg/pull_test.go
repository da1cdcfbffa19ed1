package leg

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// spoken is a tape with words of 4000 samples on a channel, as samples or as codes, that begin at the given
// positions, and before all of them noise of a loudness.
func spoken(plain bool, noise byte, at ...int64) (tape *Tape, end int64) {
	tape = codedTape()
	put := func(pos int64, codes []byte) {
		if plain {
			pcm := make([]int16, len(codes))
			offset(pcm, codes)
			tape.Write(AgentChannel, pos, pcm)
		} else {
			tape.WriteCoded(AgentChannel, pos, codes)
		}
	}
	for _, pos := range at {
		end = max(end, pos+4000)
	}
	if noise > 0 {
		hum := make([]byte, end)
		for i := range hum {
			hum[i] = byte(i%2)*noise + tape.code.silence
		}
		put(0, hum)
	}
	for _, pos := range at {
		put(pos, codes(4000))
	}
	return tape, end
}

// codes are n bytes of which none is silence.
func codes(n int) []byte {
	out := make([]byte, n)
	for i := range out {
		out[i] = byte(i*7%150 + 1)
	}
	return out
}

// wordsOf are the samples of a channel that are louder than the noise beside them.
func wordsOf(pcm []int16) []int16 {
	return slices.DeleteFunc(slices.Clone(pcm), func(v int16) bool { return v == 0 })
}

// TestPullMovesWordsUpIntoThePause before them, by no more than there is of it, and leaves alone
// what was said before.
func TestPullMovesWordsUpIntoThePause(t *testing.T) {
	t.Parallel()
	const block = 160
	for name, c := range map[string]struct {
		at       []int64
		from, by int64
		moved    int64
		want     []int64
	}{
		"all of it":                 {[]int64{0, 12000}, 0, 1600, 1600, []int64{0, 10400}},
		"what there is":             {[]int64{0, 4000 + 20*block}, 0, 9000, 16 * block, []int64{0, 4000 + 4*block}},
		"two pauses":                {[]int64{0, 4000 + 20*block, 8000 + 40*block}, 0, 20 * block, 20 * block, []int64{0, 4000 + 4*block, 8000 + 20*block}},
		"the earlier of two":        {[]int64{0, 4000 + 20*block, 8000 + 40*block}, 0, 5 * block, 5 * block, []int64{0, 4000 + 15*block, 8000 + 35*block}},
		"the one after a place":     {[]int64{0, 4000 + 20*block, 8000 + 40*block}, 5000 + 20*block, 5 * block, 5 * block, []int64{0, 4000 + 20*block, 8000 + 35*block}},
		"a pause within a word":     {[]int64{0, 4000 + 9*block}, 0, 5 * block, 0, []int64{0, 4000 + 9*block}},
		"no pause at all":           {[]int64{0, 4000, 8000, 12000}, 0, 1600, 0, []int64{0, 4000, 8000, 12000}},
		"what was before the first": {[]int64{2400}, 0, 800, 800, []int64{1600}},
		"from one piece of memory to another": {
			[]int64{chunkSamples - 3000, chunkSamples + 5000, chunkSamples + 9000}, chunkSamples - 3000, 3000, 3000,
			[]int64{chunkSamples - 3000, chunkSamples + 2000, chunkSamples + 6000},
		},
		"a pause long ago": {[]int64{0, 20000, 24000, 28000, 32000, 36000, 40000, 44000, 48000}, 0, 800, 0, []int64{0, 20000, 24000, 28000, 32000, 36000, 40000, 44000, 48000}},
	} {
		for _, plain := range []bool{false, true} {
			tape, end := spoken(plain, 0, c.at...)
			want, _ := spoken(plain, 0, c.want...)
			moved := tape.Pull(AgentChannel, c.from, end, c.by)
			got, should := tape.Channel(AgentChannel), want.Channel(AgentChannel)
			if moved < c.moved || moved > c.moved+block-1 && c.by > moved {
				t.Errorf("%s, plain %v: it moved by %d, want %d", name, plain, moved, c.moved)
			}
			if extra := moved - c.moved; extra == 0 && !slices.Equal(got, should) {
				t.Errorf("%s, plain %v: the words stand elsewhere", name, plain)
			}
		}
	}
}

// TestNothingSaidIsPulledAway lays words of any length and loudness anywhere, with pauses
// and noise between them, and pulls by anything.
func TestNothingSaidIsPulledAway(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		tape, pos := NewTape(1<<40), int64(0)
		tape.Begin(8000)
		tape.Coded(offset, 128)
		for range 1 + rng.IntN(15) {
			pos += rng.Int64N(6000)
			word := make([]int16, 200+rng.IntN(5000))
			loud := 200 + rng.IntN(20000)
			for i := range word {
				word[i] = int16(loud/2 + rng.IntN(loud)/2)
			}
			tape.Write(AgentChannel, pos, word)
			pos += int64(len(word))
		}
		before := tape.Channel(AgentChannel)
		from, end := rng.Int64N(pos/2), max(100, pos-rng.Int64N(2)*rng.Int64N(4000))
		moved := tape.Pull(AgentChannel, from, end, rng.Int64N(9000))
		got := tape.Channel(AgentChannel)
		if !slices.Equal(wordsOf(got), wordsOf(before)) {
			t.Fatal("what was said is not what it was before")
		}
		if !slices.Equal(got[:from], before[:from]) || !slices.Equal(got[min(int(end), len(got)):], before[min(int(end), len(got)):len(got)]) {
			t.Fatal("what lies before or behind has moved as well")
		}
		if last := before[end-100 : end]; moved > 0 && !slices.Equal(got[end-moved-100:end-moved], last) {
			t.Fatalf("the end has not moved by %d", moved)
		}
		if written := tape.Samples(); written != int64(len(before)) && written != int64(len(before))-moved {
			t.Fatalf("%d samples are left of %d after a pull by %d", written, len(before), moved)
		}
	}
}

// TestPausesAreQuietBesideTheWords: the noise of a room gives way, and what is said softly does not.
func TestPausesAreQuietBesideTheWords(t *testing.T) {
	t.Parallel()
	sound := func(tape *Tape, from, to int64, loud int16) {
		pcm := make([]int16, to-from)
		for i := range pcm {
			pcm[i] = loud - int16(i%2)*2*loud
		}
		tape.Write(AgentChannel, from, pcm)
	}
	for name, c := range map[string]struct {
		words, between int16
		gives          bool
	}{
		"nothing":                         {8000, 0, true},
		"the noise of a line":             {8000, 8, true},
		"the noise of an office":          {8000, 300, true},
		"the noise of a street":           {8000, 2000, false},
		"the noise of a line, softly":     {120, 8, true},
		"soft words":                      {120, 30, false},
		"one sound, louder and less loud": {3000, 1500, false},
	} {
		tape := NewTape(1 << 40)
		tape.Begin(8000)
		sound(tape, 0, 8000, c.words)
		sound(tape, 8000, 12000, c.between)
		sound(tape, 12000, 20000, c.words)
		if moved := tape.Pull(AgentChannel, 0, 20000, 800); moved > 0 != c.gives {
			t.Errorf("%s between words: it moved by %d", name, moved)
		}
	}
	// A soft consonant between loud sounds, over noise that is softer still.
	tape := NewTape(1 << 40)
	tape.Begin(8000)
	for at, loud := range map[int64]int16{0: 8000, 4000: 100, 5000: 8000, 9000: 20, 10000: 8000} {
		sound(tape, at, at+1000, loud)
	}
	if moved := tape.Pull(AgentChannel, 4000, 6000, 800); moved > 0 {
		t.Errorf("%d samples of a soft consonant gave way", moved)
	}
}

// TestPullOfNothing asks for what is not there.
func TestPullOfNothing(t *testing.T) {
	t.Parallel()
	tape := codedTape()
	tape.Pull(AgentChannel, 0, 0, 100)
	tape.Pull(AgentChannel, 0, 1<<40, 1<<40)
	tape.Pull(AgentChannel, 1<<40, 1<<40, 1<<40)
	tape.WriteCoded(AgentChannel, 0, codes(5000))
	for _, by := range []int64{-1, 0, 1 << 40} {
		if moved := tape.Pull(AgentChannel, 0, 1<<40, by); moved != 0 || tape.Samples() != 5000 {
			t.Errorf("a pull by %d moved words by %d", by, moved)
		}
	}
}

// TestVacantIsWhereNothingStands, which is also so before the call and beyond all that was written.
func TestVacantIsWhereNothingStands(t *testing.T) {
	t.Parallel()
	tape := codedTape()
	tape.WriteCoded(AgentChannel, 1000, codes(500))
	for _, c := range []struct {
		pos      int64
		n        int
		from, to int
	}{
		{0, 1000, 0, 1000},
		{900, 200, 0, 100},
		{1450, 200, 50, 200},
		{1100, 200, 0, 0},
		{990, 530, 510, 530},
		{-50, 100, 0, 100},
		{1 << 30, 100, 0, 100},
	} {
		if from, to := tape.Vacant(AgentChannel, c.pos, c.n); from != c.from || to != c.to {
			t.Errorf("of %d samples from %d on %d to %d are vacant, want %d to %d", c.n, c.pos, from, to, c.from, c.to)
		}
	}
}

// fullTape is one of four seconds of words with one pause, at the rate of a room or of a telephone.
func fullTape(wide bool) (tape *Tape, end int64) {
	if !wide {
		return spoken(false, 0, 0, 4000, 12000, 16000, 20000, 24000, 28000)
	}
	tape = NewTape(1 << 40)
	tape.Begin(16000)
	pcm := make([]int16, 64000)
	for i := range pcm {
		pcm[i] = 1000
	}
	clear(pcm[16000:24000])
	tape.Write(AgentChannel, 0, pcm)
	return tape, 64000
}

func TestPullTakesNoMemory(t *testing.T) {
	for _, wide := range []bool{false, true} {
		tape, end := fullTape(wide)
		if n := testing.AllocsPerRun(20, func() { end -= tape.Pull(AgentChannel, 0, end, 1) }); n > 0 {
			t.Errorf("wide %v: it takes memory %v times", wide, n)
		}
	}
}

// BenchmarkPull looks through four seconds and moves three of them.
func BenchmarkPull(b *testing.B) {
	for name, wide := range map[string]bool{"telephone": false, "room": true} {
		b.Run(name, func(b *testing.B) {
			tape, end := fullTape(wide)
			for b.Loop() {
				if tape.Pull(AgentChannel, 0, end, 2) == 0 {
					tape, end = fullTape(wide)
				} else {
					end -= 2
				}
			}
		})
	}
}
