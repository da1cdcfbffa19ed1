package pace

import (
	"runtime"
	"time"
)

// rest is how a pacing thread sleeps: on the kernel's own clock, because a timer of
// the runtime is noticed by another thread, which nobody prefers.
type rest struct {
	// zero is the kernel's monotonic time (ns) at time 0 of the Pacer.
	zero int64
}

// newRest holds the kernel's clock beside the one that base was read from, however long
// ago: whoever was kept from the processor in between would be late for good.
func newRest(now func() time.Time, base time.Time) rest {
	k := NewKernelTime(now)
	return rest{zero: k.zero - int64(k.base.Sub(base))}
}

// until sleeps to a time of the Pacer (ns), or a little less.
func (r rest) until(at, _ int64) { SleepUntil(r.zero + at) }

// prefer gives the calling goroutine a thread of its own that the system prefers; it
// ends with the goroutine, and its priority with it.
func prefer() {
	runtime.LockOSThread()
	Favour()
}

// MakeRoom gives the program n more processors to schedule on, because media threads
// keep theirs while they sleep for a slot. Lines in one process add up.
func MakeRoom(n int) { runtime.GOMAXPROCS(max(1, runtime.GOMAXPROCS(0)+n)) }
