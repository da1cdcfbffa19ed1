package speech

import (
	"slices"
	"testing"

	"github.com/ringtrue/ringtrue/internal/leg"
)

// TestEarsMakeNoMemoryWhileTheyAreLocked checks that Hear does not allocate while it holds the
// lock, because a media thread calls it.
func TestEarsMakeNoMemoryWhileTheyAreLocked(t *testing.T) { //nolint:paralleltest // allocations of others would be counted too
	e := &sphinxEars{wake: make(chan struct{}, 1)}
	frame := make([]int16, 160)
	turn := func() {
		e.Hear(frame)
		if pcm, _, more, _ := e.next(); len(pcm) != 2*len(frame) || more {
			t.Fatalf("%d samples, more %v", len(pcm), more)
		}
	}
	turn()
	turn()
	if n := testing.AllocsPerRun(100, turn); n != 0 {
		t.Errorf("%v allocations a frame", n)
	}
}

// TestEarsLendWhatTheyHave checks that what is being fed to the recogniser does not change while
// more is heard.
func TestEarsLendWhatTheyHave(t *testing.T) {
	t.Parallel()
	e := &sphinxEars{wake: make(chan struct{}, 1)}
	var box leg.Mailbox[leg.Words]
	frame, heard := make([]int16, 160), []int16{}
	for n := range 400 {
		for i := range frame {
			frame[i] = int16(n * 50)
		}
		e.Hear(frame)
		if n%7 == 3 {
			e.Words(box.Expect(0))
			e.Hear(frame)
		}
		pcm, _, _, _ := e.next()
		before := slices.Clone(pcm)
		e.Hear(frame)
		if !slices.Equal(pcm, before) {
			t.Fatalf("what was lent changed at %d", n)
		}
		heard = append(heard, pcm...)
	}
	for more := true; more; {
		var pcm []int16
		pcm, _, more, _ = e.next()
		heard = append(heard, pcm...)
	}
	if want := 2 * 160 * (2*400 + 57); len(heard) != want {
		t.Errorf("%d samples came, want %d", len(heard), want)
	}
	for i, v := range heard[upTaps:] {
		if v < heard[i]-2000 { // the edge of a step overshoots
			t.Fatalf("sample %d is %d after %d", i+upTaps, v, heard[i])
		}
	}
}

// TestEarsKeepTheEnd makes a program fall behind a speaker who never pauses: the end of the speech
// must be kept, and a request made meanwhile must still get what was said just before it.
func TestEarsKeepTheEnd(t *testing.T) {
	t.Parallel()
	const perSecond = 50
	e := &sphinxEars{wake: make(chan struct{}, 1)}
	var box leg.Mailbox[leg.Words]
	frame := make([]int16, 160)
	hear := func(second int) {
		for i := range frame {
			frame[i] = int16(100 * second)
		}
		for range perSecond {
			e.Hear(frame)
		}
	}
	for second := 1; second <= 40; second++ {
		hear(second)
		if second == 25 {
			e.Words(box.Expect(0))
		}
	}
	asked, letter, _, _ := e.next()
	asked = slices.Clone(asked)
	rest, none, more, _ := e.next()
	for what, c := range map[string]struct {
		pcm  []int16
		from int16
		to   int16
	}{"before the question": {asked, 1500, 2500}, "after it": {rest, 2500, 4000}} {
		first, last := c.pcm[0], c.pcm[len(c.pcm)-1]
		if first < c.from || first > c.from+200 || max(last-c.to, c.to-last) > 10 {
			t.Errorf("%s there is sound from %d to %d", what, first, last)
		}
	}
	if letter == nil || none != nil || more {
		t.Errorf("the question is %v, the next one %v, and there is more: %v", letter, none, more)
	}
}
