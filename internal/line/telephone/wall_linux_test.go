package telephone

import "testing"

// TestASetClockMovesNoArrival sets the wall clock while packets wait: their arrival times must not
// change.
func TestASetClockMovesNoArrival(t *testing.T) {
	t.Parallel()
	const ms, hour = 1_000_000, int64(3600) * 1_000_000_000
	for _, by := range []int64{hour, 30_000 * ms, 500 * ms, 40 * ms, 0, -40 * ms, -500 * ms, -hour} {
		ahead := 50 * hour
		var w wall
		w.look(1000*ms, 1000*ms+ahead)
		w.look(1020*ms, 1020*ms+ahead)
		noted := map[int64]int64{}
		for at := int64(990 * ms); at < 1080*ms; at += 3 * ms {
			if at == 1029*ms {
				ahead += by
			}
			noted[at] = at + ahead
		}
		for _, look := range []int64{1040, 1060, 1080} {
			w.look(look*ms, look*ms+ahead)
		}
		for at, noted := range noted {
			got := w.arrival(noted)
			switch {
			case got == at:
			case by < 0 && at < 1029*ms && got > at && got <= 1080*ms: // it may seem to have just arrived
			default:
				t.Errorf("set by %d ms: what came at %d ms came at %d ms", by/ms, at/ms, got/ms)
			}
		}
	}
}

// TestAClockThatIsDrawnNearIsNotSet checks that a clock that the system corrects gradually, by
// letting it run faster, is not taken for one that was set.
func TestAClockThatIsDrawnNearIsNotSet(t *testing.T) {
	t.Parallel()
	var w wall
	for mono := int64(0); mono < 100*frameNS; mono += frameNS {
		w.look(mono, mono+mono/10)
		if at := w.arrival(mono + mono/10); at != mono {
			t.Fatalf("what came at %d came at %d", mono, at)
		}
	}
	if w.since != 0 {
		t.Errorf("set at %d", w.since)
	}
}
