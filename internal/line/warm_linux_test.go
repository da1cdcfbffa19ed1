package line

import (
	"slices"
	"testing"
	"time"
	"unsafe"

	"github.com/ringtrue/ringtrue/internal/leg"
)

// TestWarmChangesNothing warms a stream at every moment of its life.
func TestWarmChangesNothing(t *testing.T) {
	t.Parallel()
	run := func(warm bool) []int16 {
		w := newWire()
		s := &Stream{sock: &rawPair{}, setup: Setup{Tape: w.tape}}
		for n := range 300 {
			if warm {
				s.far = *w.r
				warmAll(s)
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
	warmAll(&Stream{sock: &rawPair{}, setup: Setup{Tape: leg.NewTape(0)}}) // with nothing there
}

func warmAll(s *Stream) {
	s.warm()
	s.warmFurther()
	s.warmLast()
}

// guest is a Party that counts what is asked of it.
type guest struct {
	leaver
	warmed, further int
}

func (g *guest) Warm(leg.Fetch)        { g.warmed++ }
func (g *guest) WarmFurther(leg.Fetch) { g.further++ }

// TestWhoComesNextIsWarmed goes through a lane: each but the first ones, who have nobody
// before them, is warmed once, and first itself and then what it leads to.
func TestWhoComesNextIsWarmed(t *testing.T) {
	t.Parallel()
	var lane []*Stream
	var guests []*guest
	for range 9 {
		g := &guest{}
		guests = append(guests, g)
		lane = append(lane, &Stream{sock: &rawPair{}, partyWarms: g, setup: Setup{Tape: leg.NewTape(0)}})
	}
	for at := range lane {
		warm(lane, at)
		for i, g := range guests {
			warmed, further := i >= 2 && i <= at+2, i >= 1 && i <= at+1
			if (g.warmed == 1) != warmed || (g.further == 1) != further {
				t.Errorf("at %d, %d was warmed %d times, and further %d times", at, i, g.warmed, g.further)
			}
		}
	}
}

// TestFetchTouchesNothing asks for memory that nobody may read, and for some at all places of a line.
func TestFetchTouchesNothing(t *testing.T) {
	t.Parallel()
	memory := make([]byte, 1024)
	for at := range 256 {
		fetch(unsafe.Pointer(&memory[at]), uintptr(at))
	}
	if slices.ContainsFunc(memory, func(b byte) bool { return b != 0 }) {
		t.Error("fetching has changed memory")
	}
	fetch(nil, 256)
}
