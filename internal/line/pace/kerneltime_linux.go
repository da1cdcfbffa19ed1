package pace

import (
	"math"
	"time"

	"golang.org/x/sys/unix"
)

// KernelTime reads the kernel's monotonic clock, on which SleepUntil sleeps, by way of another
// clock, whose reading needs no system call.
type KernelTime struct {
	now  func() time.Time
	base time.Time
	zero int64
}

// NewKernelTime determines the offset between the two clocks as closely as it can. The kernel's
// is read second: a thread that sleeps until a time of the kernel's clock then finds that this
// one has reached it too, and does not go back to sleep for the difference.
func NewKernelTime(now func() time.Time) KernelTime { return beside(now, kernelsOwn) }

// kernelsOwn returns the time of the kernel's clock (ns).
func kernelsOwn() int64 {
	var ts unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_MONOTONIC, &ts)
	return ts.Nano()
}

func beside(now func() time.Time, kernel func() int64) KernelTime {
	k := KernelTime{now: now}
	nearest := time.Duration(math.MaxInt64)
	for range 8 {
		base := k.now()
		zero := kernel()
		if apart := k.now().Sub(base); apart < nearest {
			nearest, k.base, k.zero = apart, base, zero
		}
	}
	return k
}

// Read returns the monotonic and the wall time in ns.
func (k *KernelTime) Read() (mono, wall int64) {
	t := k.now()
	return k.zero + int64(t.Sub(k.base)), t.UnixNano()
}

// Mono returns the monotonic time in ns.
func (k *KernelTime) Mono() int64 {
	mono, _ := k.Read()
	return mono
}
