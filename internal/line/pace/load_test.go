package pace

import (
	"testing"
	"time"
)

func TestGaugeTellsTheLastWholeSecond(t *testing.T) {
	t.Parallel()
	var g Gauge
	at := 7 * secondNS
	for i := range int64(1000) {
		late := int64(time.Millisecond)
		if i%50 == 0 {
			late = int64(9 * time.Millisecond)
		}
		g.Note(at+i*int64(time.Millisecond), late, 400_000, 10, 200)
	}
	if l := g.Read(at + secondNS/2); l.Streams != 0 || l.Late != 0 {
		t.Errorf("before the second is over: %+v, want no streams and no lateness", l)
	}
	l := g.Read(at + secondNS)
	if l.Streams != 200 || l.Busy < 0.39 || l.Busy > 0.41 || l.Late != 9500*time.Microsecond {
		t.Errorf("%+v, want 200 streams, 0.4 busy, 2 in 100 frames 9 ms late", l)
	}
	if l := g.Read(at + 3*secondNS); l.Streams != 0 || l.Busy != 0 {
		t.Errorf("after a second without any work: %+v, want no streams and nothing busy", l)
	}
}

func TestOneLateFrameInAHundredIsNoLateness(t *testing.T) {
	t.Parallel()
	var g Gauge
	g.Note(secondNS, int64(40*time.Millisecond), 0, 10, 1)
	g.Note(secondNS, int64(time.Millisecond), 0, 990, 1)
	if l := g.Read(2 * secondNS); l.Late != 1500*time.Microsecond {
		t.Errorf("late by %v, want 1.5 ms", l.Late)
	}
}

func TestGaugeCountsLatenessFromTheBeginning(t *testing.T) {
	t.Parallel()
	var g Gauge
	g.Note(secondNS, 0, 0, 3, 1)
	g.Note(4*secondNS, int64(1200*time.Microsecond), 0, 5, 1)
	g.Note(5*secondNS, int64(time.Second), 0, 2, 1)
	var before, after Lateness
	g.Lateness(5*secondNS, &before)
	if want := (Lateness{0: 3, 2: 5}); before != want {
		t.Errorf("the second that goes on counts already: %v", before)
	}
	g.Lateness(9*secondNS, &after)
	g.Lateness(9*secondNS, &after)
	if want := (Lateness{0: 6, 2: 10, lateSteps - 1: 4}); after != want {
		t.Errorf("two gauges that counted the same: %v", after)
	}
}

func TestLoadsOfThreadsJoin(t *testing.T) {
	t.Parallel()
	got := Load{Second: 3, Streams: 10, Busy: 0.2, Late: 4}.With(Load{Second: 4, Streams: 5, Busy: 0.3, Late: 2})
	if want := (Load{Second: 4, Streams: 15, Busy: 0.3, Late: 4}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// TestALookFromTheFutureLosesNothing checks that nothing is lost although the reader of the gauge
// read the clock after the writing thread but came first.
func TestALookFromTheFutureLosesNothing(t *testing.T) {
	t.Parallel()
	var g Gauge
	g.Note(secondNS, 0, 1000, 7, 3)
	ahead := g.Read(2 * secondNS)
	g.Note(2*secondNS-1, 0, 10, 1, 1)
	if now := g.Read(2*secondNS + 1); now != ahead || now.Streams != 3 {
		t.Errorf("%+v, and a moment later %+v, want the same 3 streams", ahead, now)
	}
	var all Lateness
	if g.Lateness(3*secondNS, &all); all != (Lateness{0: 8}) {
		t.Errorf("%v, want 8 frames in the first place alone", all)
	}
}

// TestWhoNotesWaitsForNobody checks that what is noted during a read is counted later, without
// waiting.
func TestWhoNotesWaitsForNobody(t *testing.T) {
	t.Parallel()
	var g Gauge
	g.Note(1, 0, 5, 1, 7)
	g.mu.Lock() // as somebody who reads and is kept from going on
	g.Note(2, 0, 5, 2, 9)
	g.Note(3, int64(time.Hour), 5, 4, 8)
	g.mu.Unlock()
	g.Note(4, 0, 5, 8, 6)
	var all Lateness
	g.Lateness(secondNS, &all)
	if l := g.Read(secondNS); l.Streams != 9 || l.Busy != 20/float64(secondNS) || all[0] != 11 || all[len(all)-1] != 4 {
		t.Errorf("%+v, %v, want 9 streams, 20 ns busy, 11 frames in the first place and 4 in the last", l, all)
	}
}
