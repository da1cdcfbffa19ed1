package pace

import (
	"math"
	"time"

	"golang.org/x/sys/unix"
)

// KernelTime reads the kernel's monotonic clock, by which SleepUntil sleeps, through
// the clock that was handed in, which costs no system call.
type KernelTime struct {
	now  func() time.Time
	base time.Time
	zero int64
}

// NewKernelTime holds the two clocks beside each other, as near as it can. The kernel's is
// read second: a thread that sleeps until a time by the kernel's clock has then reached it by
// this one too, and need not go back to sleep again and again for what the other lies behind.
func NewKernelTime(now func() time.Time) KernelTime { return beside(now, kernelsOwn) }

// kernelsOwn is the kernel's clock (ns).
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

// Read gives the monotonic and the wall time in ns.
func (k *KernelTime) Read() (mono, wall int64) {
	t := k.now()
	return k.zero + int64(t.Sub(k.base)), t.UnixNano()
}

// Mono gives the monotonic time in ns.
func (k *KernelTime) Mono() int64 {
	mono, _ := k.Read()
	return mono
}
