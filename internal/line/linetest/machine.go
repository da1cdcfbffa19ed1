package linetest

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Machine tells whether this machine lets programs run when they are due. It
// waits for one moment after the other and notes how late it woke up, once as
// ordinary programs do and once on every processor as one that is preferred to
// all lines: a virtual processor may be stopped for a while beside others that go
// on, and the calls whose turn it was stop with it.
// A test may pass over what it found in a call only when the
// line says that the call was starved and the machine says so too: a line that
// is late by its own fault on a machine that has time is found out.
type Machine struct {
	worst atomic.Int64
	lap   atomic.Int64
}

// busy is how late one who waits must have been woken for the machine to count
// as busy; a machine that has time is late by less than a tenth of that.
const busy = 10 * time.Millisecond

// Watch begins to look at the machine until the test is over.
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

// Late is by how much one who waited was woken too late, at worst, so far.
func (m *Machine) Late() time.Duration { return time.Duration(m.worst.Load()) }

// Stalled says that a program which does not have its way with the processor, as
// a media loop may, had to wait for it for longer than limit since the last
// time this was asked; "" when it had not.
func (m *Machine) Stalled(limit time.Duration) string {
	if late := time.Duration(m.lap.Swap(0)); late > limit {
		return fmt.Sprintf("other programs had to wait for %v", late)
	}
	return ""
}

// tries is how often a call is placed again on a starved machine.
const tries = 8

// Fairly does something again, a few times at most, for as long as it says that
// this machine was starved meanwhile, and why. It is false when that never
// changed: then the test has to be content with what does not depend on time.
// It fails the test when nothing else than the line has seen the machine starve.
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
