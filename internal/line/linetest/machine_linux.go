package linetest

import (
	"time"

	"golang.org/x/sys/unix"
)

// processors returns the processors that this program may run on.
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

// prefer binds the calling thread to one processor and, where permitted, gives it priority over
// the threads of all lines.
func prefer(processor int) {
	var one unix.CPUSet
	one.Set(processor)
	_ = unix.SchedSetaffinity(0, &one)
	_ = unix.SchedSetAttr(0, &unix.SchedAttr{
		Size: unix.SizeofSchedAttr, Policy: unix.SCHED_RR, Priority: 2, Flags: unix.SCHED_FLAG_RESET_ON_FORK,
	}, 0)
}

// nap sleeps with the kernel's clock. A timer of the runtime would be noticed by another
// thread, without priority.
func nap(d time.Duration) {
	ts := unix.NsecToTimespec(int64(d))
	_ = unix.Nanosleep(&ts, nil) // ending early because of a signal is not late
}
