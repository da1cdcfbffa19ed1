package telephone

import (
	"testing"

	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/line/udp"
)

// TestWarmingNeedsNothingThere warms a stream that has not begun.
func TestWarmingNeedsNothingThere(t *testing.T) {
	t.Parallel()
	s := &Stream{sock: &udp.Pair{}, setup: Setup{Tape: leg.NewTape(0)}}
	s.warm()
	s.warmFurther()
	s.warmLast()
}

// guest is a Party that counts calls of its methods.
type guest struct {
	leaver
	warmed, further int
}

func (g *guest) Warm(leg.Fetch)        { g.warmed++ }
func (g *guest) WarmFurther(leg.Fetch) { g.further++ }

// TestWhoComesNextIsWarmed goes through a lane: each stream except the first ones, which have
// nobody before them, must be warmed once, first itself and then what it refers to.
func TestWhoComesNextIsWarmed(t *testing.T) {
	t.Parallel()
	var lane []*Stream
	var guests []*guest
	for range 9 {
		g := &guest{}
		guests = append(guests, g)
		lane = append(lane, &Stream{sock: &udp.Pair{}, partyWarms: g, setup: Setup{Tape: leg.NewTape(0)}})
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
