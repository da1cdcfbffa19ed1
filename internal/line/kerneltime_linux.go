package line

import (
	"math"
	"time"

	"golang.org/x/sys/unix"
)

// kernelTime reads the kernel's monotonic clock, by which the shards sleep, through
// the clock that was handed in, which costs no system call.
type kernelTime struct {
	now  func() time.Time
	base time.Time
	zero int64
}

// newKernelTime holds the two clocks beside each other, as near as it can. The kernel's is
// read second: a thread that sleeps until a time by the kernel's clock has then reached it by
// this one too, and need not go back to sleep again and again for what the other lies behind.
func newKernelTime(m *Media) kernelTime { return beside(m.opts.Now, kernelsOwn) }

// kernelsOwn is the kernel's clock (ns).
func kernelsOwn() int64 {
	var ts unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_MONOTONIC, &ts)
	return ts.Nano()
}

func beside(now func() time.Time, kernel func() int64) kernelTime {
	k := kernelTime{now: now}
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

// read gives the monotonic and the wall time in ns.
func (k *kernelTime) read() (mono, wall int64) {
	t := k.now()
	return k.zero + int64(t.Sub(k.base)), t.UnixNano()
}

func (k *kernelTime) mono() int64 {
	mono, _ := k.read()
	return mono
}
