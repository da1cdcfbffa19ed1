package jitter

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/leg"
)

// TestSchedulesOfTwoEndsDoNotWearAtEachOther makes both ends run our own schedule: the far end's
// stream is anywhere in a slot of 4 ms and may move when other calls end, its thread sometimes
// wakes a few milliseconds late, and our frames are due at any moment between two packets. The
// delay of the jitter buffer must have room for all of it.
func TestSchedulesOfTwoEndsDoNotWearAtEachOther(t *testing.T) {
	t.Parallel()
	const frames, settled, slotNS = 1500, 10, int64(4 * time.Millisecond)
	for phase := time.Duration(0); phase < leg.FrameTime; phase += 500 * time.Microsecond {
		w, rng := newWire(), rand.New(rand.NewPCG(uint64(phase), 5))
		place, next, missing := time.Duration(0), 0, 0
		var arrives time.Duration
		draw := func() {
			if rng.IntN(100) == 0 {
				place = time.Duration(rng.Int64N(slotNS))
			}
			late := time.Duration(rng.Int64N(int64(500 * time.Microsecond)))
			if rng.IntN(200) == 0 {
				late = time.Duration(rng.Int64N(5e6))
			}
			arrives = time.Duration(next)*leg.FrameTime + phase + place + late
		}
		draw()
		for n := range frames {
			for now := time.Duration(n) * leg.FrameTime; next < frames && arrives <= now; {
				w.send(next, arrives)
				next++
				draw()
			}
			if _, gone := w.hear(n); n > settled && (gone || w.r.play.misses > 0) {
				missing++
			}
		}
		if missing > 0 {
			t.Errorf("phase %v: %d frames were not whole, the delay ended at %d samples", phase, missing, w.r.play.delay)
		}
	}
}

// TestTheEarDoesNotSkipWhatIsSaid makes a delayed far end gradually punctual again, so that
// everything is placed earlier than before. The Party must keep hearing without a gap until a
// pause, during which it catches up.
func TestTheEarDoesNotSkipWhatIsSaid(t *testing.T) {
	t.Parallel()
	const frames, pause = 100, 80
	w := newWire()
	clear(w.tone[pause*frameSize:])
	var heard []int16
	for n := range frames {
		late := max(0, 10*time.Millisecond-time.Duration(max(0, n-40))*700*time.Microsecond)
		w.send(n, time.Duration(n)*leg.FrameTime+transit+late)
		pcm, missing := w.hear(n + 3)
		if n > 5 && missing {
			t.Errorf("frame %d is missing", n)
		}
		heard = append(heard, pcm...)
	}
	first := firstLoud(heard)
	const period = telephoneRate / 400
	for at := first + 2*period; at < first+(pause-2)*frameSize; at++ {
		if d := int(heard[at]) - int(heard[at-period]); d > 600 || d < -600 {
			t.Fatalf("at %d the tone jumps by %d", at-first, d)
		}
	}
	if w.r.play.delay > startDelay {
		t.Errorf("after the pause everything is heard %d samples later", w.r.play.delay)
	}
}

// TestWhoStoodStillHearsTheLastSecond stops our own side while the far end goes on: what came
// meanwhile must be heard afterwards, at least its last second.
func TestWhoStoodStillHearsTheLastSecond(t *testing.T) {
	t.Parallel()
	const stop = 100
	for _, c := range []struct{ frames, missing int }{{40, 0}, {48, 0}, {65, 65 - 50}} {
		w, missing := newWire(), 0
		at := 0
		for n := range stop + c.frames {
			w.send(n, time.Duration(n)*leg.FrameTime+time.Millisecond)
			if n >= stop && n < stop+c.frames-1 {
				continue // we stand still
			}
			for ; at <= n; at++ {
				if _, gone := w.hear(at); at > 3 && gone {
					missing++
				}
			}
		}
		if missing != c.missing {
			t.Errorf("after %v at a stand %d frames were not heard, want %d", time.Duration(c.frames)*leg.FrameTime, missing, c.missing)
		}
	}
}

// TestWhatIsHadLateIsHeard makes packets arrive in time but be read late on this machine: after the
// first of them the ear must wait for as long as it takes.
func TestWhatIsHadLateIsHeard(t *testing.T) {
	t.Parallel()
	const from, to, frames, adapts = 100, 150, 200, 12
	for kept := 1; kept <= 10; kept++ {
		w, missing, next := newWire(), 0, 0
		for n := range frames {
			for ; next <= n; next++ {
				if next >= from && next < to && next+kept > n {
					break
				}
				w.send(next, time.Duration(next)*leg.FrameTime)
			}
			if _, gone := w.hear(n); n > 3 && gone {
				missing++
			}
		}
		if missing > adapts {
			t.Errorf("kept for %v: %d frames were not heard", time.Duration(kept)*leg.FrameTime, missing)
		}
	}
}

// TestEarlyMediaCostNoDelay checks that packets from before the answer do not count as late.
func TestEarlyMediaCostNoDelay(t *testing.T) {
	t.Parallel()
	w := newWire()
	for n := range 5 {
		w.send(n, time.Duration(n-5)*leg.FrameTime)
	}
	if got := w.r.play.delay; got != startDelay {
		t.Errorf("the ear is %d samples behind, want %d", got, startDelay)
	}
}
