package jitter

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/audio/activity"
	"github.com/ringtrue/ringtrue/internal/leg"
)

func TestPlacementIgnoresJitter(t *testing.T) {
	t.Parallel()
	w, rng := newWire(), rand.New(rand.NewPCG(1, 2))
	for n := range 200 {
		late := time.Duration(rng.IntN(30)) * time.Millisecond
		if n == 0 {
			late = 25 * time.Millisecond // the first one is no faster than the others
		}
		if n%10 == 3 {
			late = 0
		}
		w.send(n, time.Duration(n)*leg.FrameTime+transit+late)
		w.hear(n)
	}
	s, pcm := w.finish()
	if at := firstLoud(pcm); at < begin-8 || at > begin+8 {
		t.Errorf("speech begins at sample %d, was said at %d", at, begin)
	}
	if s.Received != 200 || s.Lost != 0 || w.tape.Written(leg.AgentChannel) < 200*frameSize-frameSize*2 {
		t.Errorf("%+v, %d samples on the tape", s, w.tape.Written(leg.AgentChannel))
	}
	if s.Jitter < 2*time.Millisecond || s.Jitter > 30*time.Millisecond {
		t.Errorf("jitter %v of up to 30 ms", s.Jitter)
	}
}

func TestOrderDuplicatesAndLossAreCounted(t *testing.T) {
	t.Parallel()
	w := newWire()
	order := []int{0, 1, 3, 2, 4, 4, 5, 9, 10, 12, 13}
	for i, n := range order {
		w.send(n, time.Duration(max(n, i))*leg.FrameTime+transit)
	}
	s, pcm := w.finish()
	if s.Received != 10 || s.Misordered != 1 || s.Duplicate != 1 || s.Lost != 4 || s.Bursts != 2 {
		t.Errorf("%+v, want 10 received, 1 misordered, 1 duplicate, 4 lost in 2 bursts", s)
	}
	if s.LongestGap < 60*time.Millisecond || s.LongestGap > 100*time.Millisecond {
		t.Errorf("longest gap %v", s.LongestGap)
	}
	for n, want := range map[int]bool{2: true, 3: true, 7: false, 11: false, 12: true} {
		at := begin + n*frameSize
		if got := firstLoud(pcm[at:at+frameSize]) >= 0; got != want {
			t.Errorf("frame %d on the tape: %v, want %v", n, got, want)
		}
	}
}

// TestTheFirstPacketsInAnotherOrder checks that packets overtaken by the first one to arrive count
// as misordered, not as repetitions.
func TestTheFirstPacketsInAnotherOrder(t *testing.T) {
	t.Parallel()
	w := newWire()
	for i, n := range []int{4, 3, 1, 0, 5, 6, 7, 8, 9} {
		w.send(n, time.Duration(max(n, i, 4))*leg.FrameTime+transit)
	}
	s, pcm := w.finish()
	if s.Received != 9 || s.Misordered != 3 || s.Duplicate != 0 || s.Lost != 1 {
		t.Errorf("%+v, want 9 received, 3 misordered, 1 lost", s)
	}
	for n, want := range map[int]bool{0: true, 1: true, 2: false, 3: true, 4: true, 9: true} {
		at := begin + n*frameSize
		if got := firstLoud(pcm[at:at+frameSize]) >= 0; got != want {
			t.Errorf("frame %d on the tape: %v, want %v", n, got, want)
		}
	}
}

func TestOtherPacketSizesAreReframed(t *testing.T) {
	t.Parallel()
	for _, size := range []int{80, 240, 320, 480} {
		w := newWire()
		missing, next := 0, 0
		for n := range 150 {
			for now := time.Duration(n) * leg.FrameTime; next*size+size < 150*frameSize; next++ {
				due := time.Duration(next*size)*time.Second/telephoneRate + transit
				if due > now {
					break
				}
				w.sendSized(next*size, size, uint16(next), due)
			}
			if _, gone := w.hear(n); gone && n > 15 {
				missing++
			}
		}
		if s, _ := w.finish(); missing > 0 || s.Lost != 0 {
			t.Errorf("packets of %d samples: %d frames missing, %+v", size, missing, s)
		}
	}
}

func TestWhatIsHeardFollowsInOrder(t *testing.T) {
	t.Parallel()
	w := newWire()
	for n := range 100 {
		w.send(n, time.Duration(n)*leg.FrameTime+transit)
		pcm, missing := w.hear(n + 3) // the packet for this moment has just arrived
		if n < 10 {
			continue
		}
		if missing {
			t.Fatalf("frame %d is missing", n)
		}
		if audio.Goertzel(pcm, telephoneRate, 400) < 1e7 {
			t.Fatalf("frame %d does not hold the tone", n)
		}
	}
	if d := w.r.play.delay; d > 480 {
		t.Errorf("the jitter buffer takes %d ms on a line without jitter", d/8)
	}
}

func TestMissingFramesAreFlagged(t *testing.T) {
	t.Parallel()
	w := newWire()
	for n := range 50 {
		w.send(n, time.Duration(n)*leg.FrameTime+transit)
		w.hear(n + 3)
	}
	var flagged int
	for n := 50; n < 60; n++ {
		if _, missing := w.hear(n + 3); missing {
			flagged++
		}
	}
	if flagged < 7 {
		t.Errorf("%d of 10 frames without packets were flagged", flagged)
	}
}

func TestDriftIsFollowed(t *testing.T) {
	t.Parallel()
	for _, ppm := range []int{-200, 200} {
		w := newWire()
		missing := 0
		const frames = 1400 // 28 s: 5.6 ms of drift
		for n := range frames {
			at := time.Duration(n) * leg.FrameTime
			w.send(n, at+at*time.Duration(ppm)/1e6+transit)
			if _, gone := w.hear(n + 3); gone && n > 10 {
				missing++
			}
		}
		drift := int64(frames*frameSize*ppm) / 1e6
		if got := w.r.clk.offset - (int64(begin) - int64(w.ts0)); got < drift-20 || got > drift+20 {
			t.Errorf("%d ppm: the map moved by %d samples, the clock by %d", ppm, got, drift)
		}
		if missing > 0 {
			t.Errorf("%d ppm: %d frames missing", ppm, missing)
		}
	}
}

func TestNewSourceAndNewClock(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*wire){
		"new SSRC, numbers and clock": func(w *wire) { w.ssrc, w.seq0, w.ts0 = 9, 4711, 99 },
		"clock jumps ahead":           func(w *wire) { w.ts0 += 1 << 30 },
		"clock jumps back":            func(w *wire) { w.ts0 -= 80000 },
	} {
		w := newWire()
		for n := range 50 {
			w.send(n, time.Duration(n)*leg.FrameTime+transit)
			w.hear(n + 3)
		}
		change(w)
		for n := 60; n < 110; n++ {
			w.send(n, time.Duration(n)*leg.FrameTime+transit)
			w.hear(n + 3)
		}
		_, pcm := w.finish()
		gap, after := begin+50*frameSize, begin+60*frameSize
		if first := firstLoud(pcm[gap+20 : after-20]); first >= 0 {
			t.Errorf("%s: sound at %d in the pause", name, gap+20+first)
		}
		if first := firstLoud(pcm[after-20:]); first < 10 || first > 40 {
			t.Errorf("%s: speech goes on %d samples from where it should", name, first-20)
		}
	}
}

func TestAClockThatStoodStill(t *testing.T) {
	t.Parallel()
	w := newWire()
	for n := range 50 {
		w.send(n, time.Duration(n)*leg.FrameTime+transit)
		w.hear(n + 3)
	}
	// Two seconds of silence during which the far end's timestamps did not advance.
	for n := 50; n < 100; n++ {
		w.send(n, time.Duration(n+100)*leg.FrameTime+transit)
		w.hear(n + 103)
	}
	_, pcm := w.finish()
	at := begin + 150*frameSize
	if first := firstLoud(pcm[at-40:]); first < 30 || first > 60 {
		t.Errorf("speech after the pause is %d samples from where it should be", first-40)
	}
}

// TestAVoiceWithHolesIsHeard checks that every beginning of a voice that loses every third packet
// is noticed, wherever its packets fall between our frames, and however late some are.
func TestAVoiceWithHolesIsHeard(t *testing.T) {
	t.Parallel()
	const every, long, turns = 150, 50, 6 // frames
	for seed := range uint64(30) {
		dice := rand.New(rand.NewPCG(seed, 1))
		w, ears := newWire(), activity.New(telephoneRate)
		copy(w.tone, audio.Tone(800, 8000, 30*time.Second, telephoneRate)) // lower, it could be ringing
		syllables(w.tone, every, long)
		phase, late := dice.Int64N(20e6), dice.Float64()*3e6
		heard := map[int]bool{}
		for n, was := 0, false; n < turns*every; n++ {
			if n%3 != int(seed%3) {
				w.send(n, time.Duration(int64(n)*20e6+phase+int64(min(dice.ExpFloat64(), 3)*late)))
			}
			pcm, _ := w.hear(n)
			if speaks := ears.Step(pcm); speaks != was {
				was = speaks
				heard[n/every] = heard[n/every] || speaks && n%every < long/2
			}
		}
		if len(heard) != turns {
			t.Errorf("seed %d: of %d turns %v were heard", seed, turns, heard)
		}
	}
}

// syllables turns a tone into something like a voice, audible for long of every every frames: a
// sound that never changes is not taken for speech.
func syllables(pcm []int16, every, long int) {
	fainter := [8]uint{3, 1, 0, 0, 0, 1, 2, 4} // halvings
	for i, s := range pcm {
		frame := i / frameSize
		pcm[i] = s >> fainter[frame%8]
		if frame%every >= long {
			pcm[i] = 0
		}
	}
}

// TestPiecesLieWhereFramesWould records the same far end piece by piece and frame by frame: with
// clock drift, jitter, loss, a stall and a restarted clock.
func TestPiecesLieWhereFramesWould(t *testing.T) {
	t.Parallel()
	run := func(piecemeal bool) []int16 {
		w, rng := newWire(), rand.New(rand.NewPCG(5, 6))
		for n := range 1400 {
			at := time.Duration(n)*(leg.FrameTime+10*time.Microsecond) + transit
			at += time.Duration(rng.IntN(12)) * time.Millisecond
			switch {
			case n > 1000:
				at += 400 * time.Millisecond
			case n > 600:
				at -= 30 * time.Millisecond
			}
			if n == 800 {
				w.ssrc, w.ts0 = 2, 77
			}
			if rng.IntN(30) > 0 {
				w.sendSized(n*frameSize, frameSize, uint16(n), at)
			}
			if n%50 == 45 { // one that was sent long before
				w.sendSized((n-40)*frameSize, frameSize, uint16(n-40), at)
			}
			w.hear(n)
			if !piecemeal {
				w.r.flush(w.r.settled)
			}
		}
		_, pcm := w.finish()
		return pcm
	}
	if !slices.Equal(run(true), run(false)) {
		t.Error("the recording depends on how much of it is laid down at a time")
	}
}

// TestNumbersThatStepBackAtTheBeginning checks that sequence numbers that step back soon after the
// beginning count as new audio if it is said later: nothing was lost or misordered.
func TestNumbersThatStepBackAtTheBeginning(t *testing.T) {
	t.Parallel()
	for name, clock := range map[string]uint32{"on the same clock": 0, "on another one": 500_000_000} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWire()
			for n := range 20 {
				w.send(n, time.Duration(n)*leg.FrameTime+transit)
				w.hear(n)
			}
			w.seq0 -= 30 // packet 20 gets a number 10 below that of the first
			w.ts0 += clock
			for n := 20; n < 60; n++ {
				w.send(n, time.Duration(n)*leg.FrameTime+transit)
				w.hear(n)
			}
			s, pcm := w.finish()
			if s.Received != 60 || s.Misordered != 0 || s.Duplicate != 0 || s.Lost != 0 {
				t.Errorf("%+v, want 60 received and nothing else", s)
			}
			for n := range 60 {
				at := begin + n*frameSize
				if at+frameSize > len(pcm) || firstLoud(pcm[at:at+frameSize]) < 0 {
					t.Errorf("frame %d is not on the tape", n)
				}
			}
		})
	}
}
