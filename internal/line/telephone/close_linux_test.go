package telephone

import (
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/line/g711"
)

// meddler holds the lock of another call's orders for a while when its own call ends.
type meddler struct {
	quietParty

	other *Stream
}

func (p meddler) End(time.Duration, bool) {
	p.other.orders.mu.Lock()
	go func() {
		time.Sleep(20 * time.Millisecond)
		p.other.orders.mu.Unlock()
	}()
}

// TestNobodyIsLeftBehindAtTheEnd checks that all calls of a thread end, even one whose orders are
// locked at that moment.
func TestNobodyIsLeftBehindAtTheEnd(t *testing.T) {
	t.Parallel()
	m, h := byHand()
	streams := make([]*Stream, 2*soon)
	for i := range streams {
		var err error
		if streams[i], err = m.Open(); err != nil {
			t.Fatal(err)
		}
	}
	for i, s := range streams {
		var party leg.Party = quietParty{}
		if i == 0 { // in the same lane as the call at index soon
			party = meddler{other: streams[soon]}
		}
		s.Start(Setup{Party: party, Codec: g711.PCMU()})
	}
	h.takeIn(h.slot())
	h.stop()
	if !h.takeIn(h.slot()) {
		t.Fatal("it does not end")
	}
	for i, s := range streams {
		select {
		case <-s.Done():
		default:
			t.Errorf("call %d never ends", i)
		}
	}
}

// TestAThreadIsToldToEnd checks that the thread ends although it finds its lock held when it is
// woken.
func TestAThreadIsToldToEnd(t *testing.T) {
	t.Parallel()
	m, h := byHand()
	s, err := m.Open()
	if err != nil {
		t.Fatal(err)
	}
	s.setup.Party = quietParty{}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		h.run()
	}()
	h.mu.Lock() // as hand does
	h.closed = true
	h.nudge()
	for len(h.wake) > 0 {
		time.Sleep(time.Millisecond)
	}
	time.Sleep(10 * time.Millisecond) // it has tried the lock and found it held
	h.mu.Unlock()
	h.hand(s)
	select {
	case <-ended:
	case <-time.After(10 * time.Second):
		t.Error("it sleeps for ever")
	}
}
