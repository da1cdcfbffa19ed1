package pace

import (
	"runtime"
	"time"
)

// rest implements the sleep of a pacing thread with the kernel's clock. A timer of the runtime
// would be noticed by another thread, without priority.
type rest struct {
	// zero is the kernel's monotonic time (ns) at Pacer time 0.
	zero int64
}

// newRest determines the offset of the kernel's clock now, not when base was read: any delay in
// between would make every sleep late by that much.
func newRest(now func() time.Time, base time.Time) rest {
	k := NewKernelTime(now)
	return rest{zero: k.zero - int64(k.base.Sub(base))}
}

// until sleeps until a Pacer time (ns), or slightly less.
func (r rest) until(at, _ int64) { SleepUntil(r.zero + at) }

// prefer locks the calling goroutine to a thread of its own and raises its priority. The thread
// ends with the goroutine.
func prefer() {
	runtime.LockOSThread()
	Favour()
}

// MakeRoom raises GOMAXPROCS by n, because sleeping media threads keep their processors.
// Several lines in one process add up.
func MakeRoom(n int) { runtime.GOMAXPROCS(max(1, runtime.GOMAXPROCS(0)+n)) }
