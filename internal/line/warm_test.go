package line

import (
	"slices"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/leg"
)

// TestWarmChangesNothing warms a stream at every moment of its life.
func TestWarmChangesNothing(t *testing.T) {
	t.Parallel()
	run := func(warm bool) []int16 {
		w := newWire()
		s := &Stream{setup: Setup{Tape: w.tape}}
		for n := range 300 {
			if warm {
				s.far = *w.r
				s.warm()
				s.warmFurther()
				*w.r = s.far
			}
			if n%7 != 3 {
				w.send(n, time.Duration(n)*20*time.Millisecond+transit)
			}
			w.hear(n)
		}
		_, pcm := w.finish()
		return pcm
	}
	if !slices.Equal(run(true), run(false)) {
		t.Error("the recording depends on whether its memory was warm")
	}
	fresh := Stream{setup: Setup{Tape: leg.NewTape(0)}}
	fresh.warm() // with nothing there
	fresh.warmFurther()
}

// TestSteadyIsWhoSendsAtAnEvenPace is what the loop goes by when it does not ask
// whether there is another packet.
func TestSteadyIsWhoSendsAtAnEvenPace(t *testing.T) {
	t.Parallel()
	w := newWire()
	if w.r.steady() {
		t.Error("somebody who never sent anything is steady")
	}
	at := func(n int) time.Duration { return time.Duration(n)*20*time.Millisecond + transit }
	for n := range 50 {
		w.send(n, at(n))
	}
	if !w.r.steady() {
		t.Error("an even pace is not steady")
	}
	for n := 50; n < 100; n += 2 { // two at a time
		w.send(n, at(n+1))
		w.send(n+1, at(n+1))
	}
	if w.r.steady() {
		t.Errorf("pairs of packets are steady with a jitter of %.1f ms", w.r.seq.jitter/1e6)
	}
	for n := 100; n < 250; n++ {
		w.send(n, at(n))
	}
	if !w.r.steady() {
		t.Errorf("an even pace is not steady again, with a jitter of %.2f ms", w.r.seq.jitter/1e6)
	}
}
