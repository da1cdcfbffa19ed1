package speech

import "golang.org/x/sys/unix"

// priority says how much a program steps back behind the media loop.
type priority int

const (
	// prioLive is for what a call on the line waits for.
	prioLive priority = iota
	// prioIdle is for what can wait until nobody else wants the processor.
	prioIdle
)

// lowerPriority makes a started program step back. A failure is no reason to
// stop: the program then merely competes.
func lowerPriority(pid int, p priority) {
	if p == prioLive {
		_ = unix.Setpriority(unix.PRIO_PROCESS, pid, 10)
		return
	}
	_ = unix.Setpriority(unix.PRIO_PROCESS, pid, 19)
	_ = unix.SchedSetAttr(pid, &unix.SchedAttr{Size: unix.SizeofSchedAttr, Policy: unix.SCHED_IDLE, Nice: 19}, 0)
}
