package pace

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// Favour asks the kernel to prefer the calling thread over speech recognition and everything
// else: by real-time scheduling, or else by a lower nice value, which where the kernel groups
// processes by session only has an effect within the session. Both need privileges; without
// them Favour does nothing. Threads started by this one do not inherit the priority.
func Favour() {
	const nice = -10
	attr := unix.SchedAttr{Size: unix.SizeofSchedAttr, Policy: unix.SCHED_RR, Priority: 1, Flags: unix.SCHED_FLAG_RESET_ON_FORK}
	if unix.SchedSetAttr(0, &attr, 0) != nil {
		_ = unix.Setpriority(unix.PRIO_PROCESS, unix.Gettid(), nice)
	}
}

// SleepUntil sleeps until an absolute monotonic time (ns) without giving up the Go scheduler's
// processor, since getting one back may take longer than a slot: a thread with real-time
// priority would spin for locks whose holders it keeps from running. A signal (the runtime
// preempting the thread) may end it early; the caller has to check the clock.
func SleepUntil(ns int64) {
	ts := unix.NsecToTimespec(ns)
	_, _, _ = unix.RawSyscall6(unix.SYS_CLOCK_NANOSLEEP, unix.CLOCK_MONOTONIC, unix.TIMER_ABSTIME,
		uintptr(unsafe.Pointer(&ts)), 0, 0, 0)
}
