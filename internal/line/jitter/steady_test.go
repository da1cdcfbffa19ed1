package jitter

import (
	"testing"
	"time"
)

// TestSteadyIsWhoSendsAtAnEvenPace checks the condition on which the media loop does not look for
// another packet.
func TestSteadyIsWhoSendsAtAnEvenPace(t *testing.T) {
	t.Parallel()
	w := newWire()
	if w.r.Steady() {
		t.Error("somebody who never sent anything is steady")
	}
	at := func(n int) time.Duration { return time.Duration(n)*20*time.Millisecond + transit }
	for n := range 50 {
		w.send(n, at(n))
	}
	if !w.r.Steady() {
		t.Error("an even pace is not steady")
	}
	for n := 50; n < 100; n += 2 { // two at a time
		w.send(n, at(n+1))
		w.send(n+1, at(n+1))
	}
	if w.r.Steady() {
		t.Errorf("pairs of packets are steady with a jitter of %.1f ms", w.r.seq.jitter/1e6)
	}
	for n := 100; n < 250; n++ {
		w.send(n, at(n))
	}
	if !w.r.Steady() {
		t.Errorf("an even pace is not steady again, with a jitter of %.2f ms", w.r.seq.jitter/1e6)
	}
}
