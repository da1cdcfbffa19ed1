package linetest

import (
	"time"

	"golang.org/x/sys/unix"
)

// processors are those that this program may run on.
func processors() (list []int) {
	var may unix.CPUSet
	if unix.SchedGetaffinity(0, &may) != nil {
		return nil
	}
	for n := range len(may) * 64 {
		if may.IsSet(n) {
			list = append(list, n)
		}
	}
	return list
}

// prefer keeps the calling thread on one processor and has the kernel run it there
// before the threads of all lines, where that is allowed.
func prefer(processor int) {
	var one unix.CPUSet
	one.Set(processor)
	_ = unix.SchedSetaffinity(0, &one)
	_ = unix.SchedSetAttr(0, &unix.SchedAttr{
		Size: unix.SizeofSchedAttr, Policy: unix.SCHED_RR, Priority: 2, Flags: unix.SCHED_FLAG_RESET_ON_FORK,
	}, 0)
}

// nap sleeps by the kernel's own clock: a timer of the runtime is noticed by
// another thread, which nobody prefers.
func nap(d time.Duration) {
	ts := unix.NsecToTimespec(int64(d))
	_ = unix.Nanosleep(&ts, nil) // a signal may end it early: that is not late
}
