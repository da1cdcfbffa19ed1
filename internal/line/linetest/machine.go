package linetest

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Machine measures whether this machine runs programs when they are due. Its watchers sleep
// until one time after another and record how late they wake up: one with ordinary priority,
// and one per processor with priority over all lines, because a virtual processor may be
// stopped while others go on, and the calls running on it stop too.
//
// A test may disregard the result of a call only if both the line and the Machine report that it
// was starved: then a line that is late by its own fault on an idle machine is still detected.
type Machine struct {
	worst atomic.Int64
	lap   atomic.Int64
}

// busy is the wake-up delay from which the machine counts as busy; on an idle machine it is
// less than a tenth of that.
const busy = 10 * time.Millisecond

// Watch starts measuring until the end of the test.
func Watch(t testing.TB) *Machine {
	t.Helper()
	m, stop := &Machine{}, make(chan struct{})
	var watchers sync.WaitGroup
	watchers.Go(func() { m.watch(time.Sleep, stop) })
	for _, processor := range processors() {
		watchers.Go(func() {
			runtime.LockOSThread() // never unlocked: the thread ends with the watcher
			prefer(processor)
			m.watch(nap, stop)
		})
	}
	t.Cleanup(func() {
		close(stop)
		watchers.Wait()
	})
	return m
}

// watch wakes up again and again.
func (m *Machine) watch(sleep func(time.Duration), stop <-chan struct{}) {
	const every = 5 * time.Millisecond
	for {
		select {
		case <-stop:
			return
		default:
		}
		due := time.Now().Add(every)
		sleep(every)
		late := int64(time.Since(due))
		raise(&m.worst, late)
		raise(&m.lap, late)
	}
}

// raise makes a value at least as large as another.
func raise(value *atomic.Int64, least int64) {
	for old := value.Load(); old < least && !value.CompareAndSwap(old, least); {
		old = value.Load()
	}
}

// Late returns the largest wake-up delay so far.
func (m *Machine) Late() time.Duration { return time.Duration(m.worst.Load()) }

// Stalled returns a description if a program without priority, as a media loop may be, had to wait
// for the processor for longer than limit since the previous call of Stalled; otherwise "".
func (m *Machine) Stalled(limit time.Duration) string {
	if late := time.Duration(m.lap.Swap(0)); late > limit {
		return fmt.Sprintf("other programs had to wait for %v", late)
	}
	return ""
}

// tries is how often a call is repeated on a starved machine.
const tries = 8

// Fairly repeats do a few times, as long as do returns how this machine starved it. It returns
// false if that never changed: the test must then check only what does not depend on time. It
// fails the test if only the line, and not the Machine, saw the machine starve.
func Fairly(t testing.TB, do func(m *Machine) (starved string)) bool {
	t.Helper()
	m := Watch(t)
	var why string
	for range tries {
		m.Stalled(0)
		if why = do(m); why == "" {
			return true
		}
		if t.Failed() {
			return false
		}
	}
	if late := m.Late(); late < busy {
		t.Errorf("%d times the line was starved (%s), but this machine was late by %v at most", tries, why, late)
	}
	t.Logf("this machine was starved %d times (%s), by up to %v: nothing can be said of how it sounded", tries, why, m.Late())
	return false
}
