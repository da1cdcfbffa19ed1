package pace

import (
	"testing"
	"time"
)

// short is a call that is over as soon as it is asked.
type short struct{ finished bool }

func (*short) Begin(int64)     {}
func (*short) Tick(int64) bool { return true }
func (*short) Halt()           {}
func (s *short) Finish()       { s.finished = true }

// TestAPacerIsToldToEnd checks that a pacer ends although somebody is waiting at its lock and finds
// it closed.
func TestAPacerIsToldToEnd(t *testing.T) {
	t.Parallel()
	p := NewPacer(time.Now, 1)
	h, ended := p.shards[0], make(chan struct{})
	go func() {
		defer close(ended)
		p.wg.Wait()
	}()
	h.mu.Lock() // as hand does
	h.closed = true
	h.nudge()
	for len(h.wake) > 0 {
		time.Sleep(time.Millisecond)
	}
	time.Sleep(10 * time.Millisecond) // it has tried the lock and found it held
	h.mu.Unlock()
	var late short
	p.Add(&late)
	if !late.finished {
		t.Error("a call that came too late goes on")
	}
	select {
	case <-ended:
	case <-time.After(10 * time.Second):
		t.Fatal("it sleeps for ever")
	}
	p.Close()
}
