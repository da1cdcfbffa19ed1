package line

import (
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

func newKernelTime(m *Media) kernelTime {
	var ts unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_MONOTONIC, &ts)
	return kernelTime{now: m.opts.Now, base: m.opts.Now(), zero: ts.Nano()}
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
