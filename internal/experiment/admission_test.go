package experiment

import (
	"context"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
)

// machine is a media loop in virtual time that can pace so many calls.
type machine struct {
	second  int64
	running int
	paces   float64
	// foreign is lateness that has nothing to do with the calls.
	foreign time.Duration
	// worst is the largest share of its time that it was ever busy.
	worst float64
	last  Pressure
}

// tick lets a second pass, in which so many calls were running.
func (m *machine) tick(running int) {
	m.second++
	m.running = running
	busy := float64(running) / m.paces
	m.worst = max(m.worst, busy)
	late := time.Millisecond + m.foreign
	if busy > 1 {
		late = 40 * time.Millisecond
	}
	m.last = Pressure{Second: m.second, Calls: running, Busy: min(busy, 1), Late: late}
}

func (m *machine) pressure() Pressure { return m.last }

// enterAll lets in as many calls as may enter now.
func enterAll(a *Admission, most int) (n int) {
	for n < most {
		if ok, _ := a.Enter(); !ok {
			return n
		}
		n++
	}
	return n
}

func TestAdmissionNeverAsksMoreThanTheMachineCanPace(t *testing.T) {
	t.Parallel()
	for _, paces := range []float64{60, 200, 1000, 5000} {
		m := &machine{paces: paces}
		a := NewAdmission(m.pressure)
		placed := 0
		for range 60 {
			placed += enterAll(a, 10_000)
			m.tick(placed)
		}
		if m.worst > 0.9 {
			t.Errorf("a machine for %g calls was busy for %.2f of its time", paces, m.worst)
		}
		if float64(placed) < 0.5*paces {
			t.Errorf("a machine for %g calls was given %d", paces, placed)
		}
	}
}

func TestAdmissionWaitsForTheEffectOfCallsThatRing(t *testing.T) {
	t.Parallel()
	m := &machine{paces: 300}
	a := NewAdmission(m.pressure)
	ringing := 0
	for range 30 { // nobody answers, so nothing is measured
		ringing += enterAll(a, 10_000)
		m.tick(0)
	}
	if ringing != firstCalls {
		t.Errorf("%d calls were dialled before one was measured, want %d", ringing, firstCalls)
	}
	m.tick(ringing) // all answer at once
	if more := enterAll(a, 10_000); more > ringing {
		t.Errorf("%d more were let in after %d had been seen", more, ringing)
	}
}

func TestAdmissionGoesOnWhenCallsHaveEnded(t *testing.T) {
	t.Parallel()
	m := &machine{paces: 100}
	a := NewAdmission(m.pressure)
	placed := 0
	for range 20 {
		placed += enterAll(a, 10_000)
		m.tick(placed)
	}
	if ok, _ := a.Enter(); ok {
		t.Fatalf("there is still room after %d calls", placed)
	}
	for range 10 {
		a.Leave()
	}
	if n := enterAll(a, 100); n != 10 {
		t.Errorf("%d calls took the places of 10 that had ended", n)
	}
}

func TestAdmissionStepsBackWhenTheMachineGetsSlower(t *testing.T) {
	t.Parallel()
	m := &machine{paces: 400}
	a := NewAdmission(m.pressure)
	placed := 0
	for range 20 {
		placed += enterAll(a, 10_000)
		m.tick(placed)
	}
	m.paces = 150 // something else has begun to run
	m.tick(placed)
	if ok, _ := a.Enter(); ok {
		t.Error("a call was let in while the loop was late")
	}
	for placed > 120 { // calls end one by one
		if n := enterAll(a, 10_000); n > 0 {
			t.Fatalf("%d calls were let in beside %d on a machine for 150", n, placed)
		}
		a.Leave()
		placed--
		m.tick(placed)
	}
	m.worst = 0
	for range 120 {
		placed += enterAll(a, 10_000)
		m.tick(placed)
	}
	if m.worst > 0.9 || placed < 75 {
		t.Errorf("in the end there are %d calls on a machine for 150, which was busy for %.2f of its time", placed, m.worst)
	}
}

func TestTheFirstCallIsAlwaysLetIn(t *testing.T) {
	t.Parallel()
	a := NewAdmission(func() Pressure { return Pressure{Second: 9, Calls: 0, Busy: 1, Late: time.Second} })
	if ok, _ := a.Enter(); !ok {
		t.Fatal("the only call was held back")
	}
	if ok, changed := a.Enter(); ok || !changed {
		t.Errorf("a second call on a hopeless machine: ok %v, changed %v", ok, changed)
	}
	a.Leave()
	if ok, changed := a.Enter(); !ok || !changed {
		t.Errorf("after the first was over: ok %v, changed %v", ok, changed)
	}
}

func TestLatenessThatIsNotOursHoldsNobodyBack(t *testing.T) {
	t.Parallel()
	m := &machine{paces: 1000, foreign: 30 * time.Millisecond}
	a := NewAdmission(m.pressure)
	placed := 0
	for range 20 {
		placed += enterAll(a, 40-placed)
		m.tick(placed)
	}
	if placed != 40 {
		t.Errorf("%d of 40 calls were let in on a machine that is late by itself", placed)
	}
}

// A machine that stands still for a moment now and then paces as many calls as before: if each of
// its late seconds took a tenth of them away, the loop would have next to nothing to do in the end.
func TestSingleLateSecondsDoNotWearTheCallsAway(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		every, row  int // so many late seconds in a row, every so many seconds
		least, most int
	}{{8, 1, 500, 600}, {30, 1, 550, 600}, {8, 2, 100, 450}} {
		m := &machine{paces: 1000}
		a := NewAdmission(m.pressure)
		placed, sum := 0, 0
		for second := range 400 {
			placed += enterAll(a, 10_000)
			m.foreign = 0
			if second%c.every < c.row {
				m.foreign = 30 * time.Millisecond
			}
			m.tick(placed)
			for range placed / 20 { // calls end
				a.Leave()
				placed--
			}
			if second >= 300 {
				sum += m.running
			}
		}
		if mean := sum / 100; mean < c.least || mean > c.most {
			t.Errorf("with %d late seconds of %d there are %d calls on the line, want %d to %d", c.row, c.every, mean, c.least, c.most)
		}
	}
}

// The first sign of trouble lets nobody in, and the second sends calls away.
func TestTroubleThatGoesOnLowersTheCeiling(t *testing.T) {
	t.Parallel()
	m := &machine{paces: 1000}
	a := NewAdmission(m.pressure)
	placed := 0
	for range 20 {
		placed += enterAll(a, 10_000)
		m.tick(placed)
	}
	m.foreign = 30 * time.Millisecond
	for _, want := range []int{placed, placed * 9 / 10} {
		m.tick(placed)
		if n := enterAll(a, 10); n > 0 {
			t.Errorf("%d were let in while the loop was late", n)
		}
		if room, _ := a.Room(); room > want {
			t.Errorf("there is room for %d, want %d at most", room, want)
		}
	}
	m.foreign = 0
	for range calmSeconds {
		a.Leave()
		placed--
		m.tick(placed)
		_, _ = a.Enter()
	}
	if room, _ := a.Room(); room > placed {
		t.Errorf("after %d calm seconds there is room for %d beside %d", calmSeconds, room, placed)
	}
}

// The media loop goes before everything else and is punctual for a while after
// nothing is left for the others.
func TestCallsWaitWhileTheRestOfTheProcessIsStarved(t *testing.T) {
	t.Parallel()
	for _, starved := range []struct {
		busy   float64
		behind time.Duration
		enter  bool
	}{{0.5, 80 * time.Millisecond, false}, {0.5, 40 * time.Millisecond, true}, {0.1, 80 * time.Millisecond, true}} {
		p := Pressure{Second: 1, Calls: 50, Busy: starved.busy / 2, Late: time.Millisecond}
		a := NewAdmission(func() Pressure { return p })
		enterAll(a, 50)
		p = Pressure{Second: 2, Calls: 50, Busy: starved.busy, Late: time.Millisecond, Behind: starved.behind}
		if n := enterAll(a, 1); n == 1 != starved.enter {
			t.Errorf("%+v: %d entered", starved, n)
		}
	}
}

// heldUntil places a call that has to wait, and clears the way the third time it does. Watchers are told
// once what it waits for.
func heldUntil(t *testing.T, w *world, detail string, clear func()) {
	t.Helper()
	w.Hold = time.Hour
	waits := 0
	w.Wait = func(ctx context.Context, d time.Duration) error {
		if d == w.Beat {
			<-ctx.Done()
			return ctx.Err()
		}
		if got := w.store.call("call_0002").Status; got != call.Queued {
			t.Errorf("a call that is held back is %s", got)
		}
		if waits++; waits == 3 {
			clear()
		}
		return nil
	}
	if err := w.Place(t.Context(), "call_0002"); err != nil {
		t.Fatal(err)
	}
	if got := w.store.call("call_0002").Status; got != call.Ended || waits != 3 {
		t.Errorf("after %d waits the call is %s", waits, got)
	}
	told := 0
	for _, p := range w.store.rows.progress {
		if p.CallID == "call_0002" && p.Status == string(call.Queued) && p.Detail == detail {
			told++
		}
	}
	if told != 1 {
		t.Errorf("the watchers were told %d times that the call waits", told)
	}
}

func TestACallThatIsHeldBackSaysSoAndGoesOn(t *testing.T) {
	t.Parallel()
	w := newWorld()
	full := true
	w.admission = NewAdmission(func() Pressure {
		if full {
			return Pressure{Second: 1, Calls: 1, Busy: 1, Late: 40 * time.Millisecond}
		}
		return Pressure{Second: 30, Calls: 0}
	})
	w.Pressure = w.admission.pressure
	start(t, w)
	if ok, _ := w.admission.Enter(); !ok { // somebody else's call
		t.Fatal("the first call was held back")
	}
	heldUntil(t, w, heldDetail, func() {
		full = false
		w.admission.Leave()
	})
	if _, placed := w.admission.Room(); placed != 0 {
		t.Errorf("%d calls are still counted after the end", placed)
	}
}

// TestNoMoreCallsThanTheLineHasPortsFor: whoever could not have any waits, and is not let in to fail.
func TestNoMoreCallsThanTheLineHasPortsFor(t *testing.T) {
	t.Parallel()
	w := newWorld()
	w.MostCalls = 3
	a := New(w.Options).admission
	if n := enterAll(a, 10); n != 3 {
		t.Errorf("%d calls were let in on a line that has ports for 3", n)
	}
	if room, placed := a.Room(); room != 3 || placed != 3 {
		t.Errorf("there is room for %d, and there are %d", room, placed)
	}
	if _, changed := a.Enter(); changed {
		t.Error("the log says that the media loop can pace no more")
	}
	a.Leave()
	if n := enterAll(a, 10); n != 1 {
		t.Errorf("%d calls were let in after one was over", n)
	}
}
