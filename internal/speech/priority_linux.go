package speech

import "golang.org/x/sys/unix"

// priority is how far a program yields to the media loop.
type priority int

const (
	// prioLive is for results that a live call is waiting for.
	prioLive priority = iota
	// prioIdle is for work that can wait until the processor is idle.
	prioIdle
)

// lowerPriority lowers the priority of a started program. Errors are ignored: the program then
// competes at normal priority.
func lowerPriority(pid int, p priority) {
	if p == prioLive {
		_ = unix.Setpriority(unix.PRIO_PROCESS, pid, 10)
		return
	}
	_ = unix.Setpriority(unix.PRIO_PROCESS, pid, 19)
	_ = unix.SchedSetAttr(pid, &unix.SchedAttr{Size: unix.SizeofSchedAttr, Policy: unix.SCHED_IDLE, Nice: 19}, 0)
}
