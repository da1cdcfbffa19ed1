package jitter

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/rtp"
)

// The speech in these tests: words of 1.5 s, followed by as many frames without packets.
const (
	wordFrames = 75
	wordEvery  = 2 * wordFrames
	words      = 8
)

// sender is a far end that says words and sends nothing between them.
type sender struct {
	// ahead is how many frames of a word it sends immediately, before their time; the others follow
	// at the normal pace.
	ahead func(word int) int
	// held is for how long the network delays frame n of a word.
	held func(word, n int) time.Duration
	// still means that its timestamps do not advance in pauses.
	still bool
}

// offs makes an ear receive everything and returns, for each word, how far its beginning, middle
// and end are from where the first packet of the word would have been without a network.
func (s sender) offs(t *testing.T, e ear, perTick int) (off [words][]time.Duration) {
	t.Helper()
	size := perTick * frameSize
	said := make([]int16, words*wordFrames*size)
	audio.NewNoise(5).Pink(said, -20)
	type packet struct {
		rtp.Packet
		at time.Duration
	}
	var sent []packet
	before := time.Duration(0)
	for i := range words * wordFrames {
		word, n := i/wordFrames, i%wordFrames
		frame := word*wordEvery + n
		at := time.Duration(frame-min(n, s.ahead(word)))*leg.FrameTime + transit
		if s.held != nil {
			at = max(at+s.held(word, n), before) // the network keeps the order
		}
		before = at
		if s.still {
			frame = i
		}
		p := rtp.Packet{Sequence: uint16(i), Timestamp: uint32(frame * frameSize), Payload: e.code(said[i*size : (i+1)*size])}
		sent = append(sent, packet{p, at})
	}
	for n := range words * wordEvery {
		for _, p := range sent {
			if due := time.Duration(n+3) * leg.FrameTime; p.at <= due && p.at > due-leg.FrameTime {
				e.take(p.Packet, p.at)
			}
		}
		e.hear(n + 3)
	}
	tape := e.recording(words * wordEvery)
	for word := range off {
		for _, n := range []int{0, wordFrames / 2, wordFrames - 1} {
			i := word*wordFrames + n
			at := perTick*begin + (word*wordEvery+n)*size
			d, ok := standsOff(tape, said[i*size:(i+1)*size], at, perTick)
			if !ok && (word > 0 || perTick == 1) { // less is known about what came before a room was opened
				t.Errorf("frame %d of word %d is not on the recording", n, word)
			}
			off[word] = append(off[word], time.Duration(d)*time.Second/time.Duration(telephoneRate*perTick))
		}
	}
	return off
}

// standsOff is seek with a sign: negative means too early.
func standsOff(tape, want []int16, at, edge int) (int, bool) {
	d, ok := seek(tape, want, at, edge)
	if ok && (at+d+len(want) > len(tape) || differ(tape[at+d+edge:], want[edge:len(want)-edge]) > 0) {
		d = -d
	}
	return d, ok
}

func inBothEars(t *testing.T, check func(t *testing.T, e ear, perTick int)) {
	t.Run("on the telephone", func(t *testing.T) { t.Parallel(); check(t, telephoneEar{newWire()}, 1) })
	t.Run("in a room", func(t *testing.T) { t.Parallel(); check(t, newRoomEar(), wide) })
}

// within fails for words, from the given one on, that are further off.
func within(t *testing.T, off [words][]time.Duration, from int, soonest, latest time.Duration) {
	t.Helper()
	for word := from; word < words; word++ {
		for _, d := range off[word] {
			if d < soonest || d > latest {
				t.Errorf("word %d stands off by %v", word, off[word])
				break
			}
		}
	}
}

// TestNoWordIsHeardBeforeItCame makes a far end send the beginning of each word at once. A listener
// hears it from the arrival of the first packet on, and the rest after it.
func TestNoWordIsHeardBeforeItCame(t *testing.T) {
	t.Parallel()
	check := func(name string, s sender) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			inBothEars(t, func(t *testing.T, e ear, perTick int) {
				// The first word alone looks as if the network had delayed its packets.
				within(t, s.offs(t, e, perTick), 1, 0, 0)
			})
		})
	}
	for _, frames := range []int{3, 5, 10, 20, 40, wordFrames} {
		ahead := func(int) int { return frames }
		check(fmt.Sprintf("%d frames at once", frames), sender{ahead: ahead})
		if frames >= 5 && frames < wordFrames {
			check(fmt.Sprintf("%d frames at once, and timestamps that stand still in pauses", frames), sender{ahead: ahead, still: true})
		}
	}
}

// TestWordsThatComeAheadThroughJitter varies the transit time of packets.
func TestWordsThatComeAheadThroughJitter(t *testing.T) {
	t.Parallel()
	const most = 15 * time.Millisecond
	for seed := range uint64(5) {
		inBothEars(t, func(t *testing.T, e ear, perTick int) {
			dice := rand.New(rand.NewPCG(seed, 1))
			off := sender{
				ahead: func(int) int { return 15 },
				held:  func(int, int) time.Duration { return time.Duration(dice.Int64N(int64(most))) },
			}.offs(t, e, perTick)
			within(t, off, words/2, -most/2, most)
		})
	}
}

// TestWhatTheNetworkKeptBackWasSaidInTime delays the beginnings of words in the network: of one
// word, or of each by a different time.
func TestWhatTheNetworkKeptBackWasSaidInTime(t *testing.T) {
	t.Parallel()
	atOnce := func(by func(word int) time.Duration) func(word, n int) time.Duration {
		return func(word, n int) time.Duration { return max(0, by(word)-time.Duration(n)*leg.FrameTime) }
	}
	for name, held := range map[string]func(int, int) time.Duration{
		"once": atOnce(func(word int) time.Duration {
			if word != 3 {
				return 0
			}
			return 200 * time.Millisecond
		}),
		"by another time each": atOnce(func(word int) time.Duration { return time.Duration(word*7%5) * 45 * time.Millisecond }),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			inBothEars(t, func(t *testing.T, e ear, perTick int) {
				within(t, sender{ahead: func(int) int { return 0 }, held: held}.offs(t, e, perTick), 0, 0, 0)
			})
		})
	}
}

// TestAFarEndThatFindsItsPace sends some words ahead of their time, and the others in time.
func TestAFarEndThatFindsItsPace(t *testing.T) {
	t.Parallel()
	inBothEars(t, func(t *testing.T, e ear, perTick int) {
		ahead := func(word int) int {
			if word >= 4 {
				return 0
			}
			return 12
		}
		within(t, sender{ahead: ahead}.offs(t, e, perTick), 1, 0, 0)
	})
}

// TestALongWordSoonAfterAShortOne sends words of different lengths at once, with timestamps that stand still in
// pauses. A network could have kept back in a pause what is then sent, but it is the far end's habit.
func TestALongWordSoonAfterAShortOne(t *testing.T) {
	t.Parallel()
	e := newRoomEar()
	e.w.Asked(0)
	lengths := []int{60, 50, 20, 60, 30, 50, 20, 45} // frames
	said := make([]int16, 400*wideFrame)
	audio.NewNoise(5).Pink(said, -20)
	now, seq, next, at := 0, 0, 5, make([]int, len(lengths))
	for word, frames := range lengths {
		for ; now <= next; now++ {
			e.hear(now)
		}
		at[word] = next
		for range frames {
			p := rtp.Packet{Sequence: uint16(seq), Timestamp: uint32(seq * frameSize), Payload: e.code(said[seq*wideFrame : (seq+1)*wideFrame])}
			for ; e.w.Full(time.Duration(now) * leg.FrameTime); now++ {
				e.hear(now)
			}
			e.take(p, time.Duration(next)*leg.FrameTime)
			seq++
		}
		next += frames + 15
	}
	tape, first := e.recording(next), 0
	for word, frames := range lengths {
		for n := range frames {
			want := said[(first+n)*wideFrame : (first+n+1)*wideFrame]
			if off, ok := seek(tape, want, (at[word]+n)*wideFrame, wide); !ok || off > wide {
				t.Errorf("frame %d of word %d is whole: %v, and %d samples off", n, word, ok, off)
				break
			}
		}
		first += frames
	}
}
