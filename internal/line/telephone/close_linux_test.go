package telephone

import (
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/line/g711"
)

// meddler is at the orders of another call for a while when its own ends.
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

// TestNobodyIsLeftBehindAtTheEnd of a thread, not even a call whose orders somebody is at.
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
		if i == 0 { // in one lane with the one that follows the next ones
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

// TestAThreadIsToldToEnd although somebody is at its door who finds it closed.
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
	time.Sleep(10 * time.Millisecond) // it has looked, and found the door locked
	h.mu.Unlock()
	h.hand(s)
	select {
	case <-ended:
	case <-time.After(10 * time.Second):
		t.Error("it sleeps for ever")
	}
}
