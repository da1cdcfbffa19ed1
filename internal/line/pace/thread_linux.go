package pace

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// Favour asks the kernel to prefer this thread over recognition and whatever else
// runs here: to run it whenever it is due, or else at least to give it more than
// its share, which does not reach beyond the own session where sessions are
// grouped. Only a privileged process may; the others go on as they are. A thread
// that this one starts does not inherit it.
func Favour() {
	const nice = -10
	attr := unix.SchedAttr{Size: unix.SizeofSchedAttr, Policy: unix.SCHED_RR, Priority: 1, Flags: unix.SCHED_FLAG_RESET_ON_FORK}
	if unix.SchedSetAttr(0, &attr, 0) != nil {
		_ = unix.Setpriority(unix.PRIO_PROCESS, unix.Gettid(), nice)
	}
}

// SleepUntil sleeps to an absolute monotonic time and keeps the processor, since
// getting one back may take longer than a slot: a thread at real-time priority would
// wait in a loop for locks whose holders it keeps from running. A signal (the runtime wants the
// thread for a moment) may end it early; the caller looks at the clock.
func SleepUntil(ns int64) {
	ts := unix.NsecToTimespec(ns)
	_, _, _ = unix.RawSyscall6(unix.SYS_CLOCK_NANOSLEEP, unix.CLOCK_MONOTONIC, unix.TIMER_ABSTIME,
		uintptr(unsafe.Pointer(&ts)), 0, 0, 0)
}
