package sqlite

import "testing"

// TestLogIsDueByWhatIsWritten lets a log grow: however fast that goes, it is
// brought over each time that it is worth it.
func TestLogIsDueByWhatIsWritten(t *testing.T) {
	t.Parallel()
	log := newGrowth()
	isDue := func() bool {
		select {
		case <-log.due:
			return true
		default:
			return false
		}
	}
	for round := range 3 {
		log.add(worthIt-1, 0)
		if isDue() {
			t.Errorf("round %d: it is due before it is worth it", round)
		}
		log.add(1, 0)
		if !isDue() || isDue() {
			t.Errorf("round %d: it is not due once", round)
		}
	}
	for range 3 {
		log.add(worthIt, 0) // while nobody has time for it
	}
	if !isDue() || isDue() {
		t.Error("what has been missed is not due once")
	}
}
