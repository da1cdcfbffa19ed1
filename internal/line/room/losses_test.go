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

// loosely is a track that is not bound for its first so many packets.
type loosely struct {
	nowhere

	unbound int
}

func (l *loosely) IsBound() bool {
	l.unbound--
	return l.unbound < 0
}

// TestWhatIsSentBetweenTwoConnectionsIsLost checks that packets that go nowhere, while a connection is made anew, are added
// to what others have counted, and that there is no count when nobody counts and every packet goes somewhere.
func TestWhatIsSentBetweenTwoConnectionsIsLost(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		unbound  int
		reported int64 // by the server, -1 for nothing
		want     int64
	}{{0, -1, -1}, {0, 3, 3}, {20, -1, 20}, {20, 3, 23}} {
		b := newBeginning(t, nil)
		b.track = &loosely{unbound: c.unbound}
		if c.reported >= 0 {
			b.remoteLost.hear(1, c.reported)
		}
		b.run(50, nil)
		if n := b.result.stats.RemoteLost; n != c.want || b.result.stats.Sent != 50 {
			t.Errorf("%d packets went nowhere, the server counts %d: %d of %d are lost, want %d", c.unbound, c.reported, n, b.result.stats.Sent, c.want)
		}
	}
}
