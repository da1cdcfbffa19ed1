package sip

import (
	"sync"
	"testing"
	"testing/synctest"
)

// TestCallsThatComeDuringCloseAreNotWaitedFor starts calls while somebody waits for all of them to
// end.
func TestCallsThatComeDuringCloseAreNotWaitedFor(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		e := &endpoint{}
		if !e.enter() {
			t.Fatal("a call is refused before the endpoint closes")
		}
		var over sync.WaitGroup
		closed := false
		over.Go(func() {
			e.callsOver()
			closed = true
		})
		synctest.Wait()
		if e.enter() {
			t.Error("a call is counted while the endpoint closes")
		}
		if closed {
			t.Error("the call on the line is not waited for")
		}
		e.calls.Done()
		over.Wait()
		if e.enter() {
			t.Error("a call is counted after the endpoint has closed")
		}
	})
}
