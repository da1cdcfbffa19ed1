package room

import "testing"

func TestLossesOfSeveralAreAdded(t *testing.T) {
	t.Parallel()
	var l losses[string]
	if n := l.all(); n != -1 {
		t.Errorf("nobody has counted, and %d are lost", n)
	}
	for _, one := range []struct {
		by         string
		lost, want int64
	}{{"first", 0, 0}, {"first", 30, 30}, {"first", 29, 29}, {"second", 2, 31}, {"second", 40, 69}, {"third", 0, 69}, {"third", 1, 70}} {
		if l.hear(one.by, one.lost); l.all() != one.want {
			t.Errorf("after %d of the %s: %d, want %d", one.lost, one.by, l.all(), one.want)
		}
	}
}
