//go:build !linux

package speech

// priority is how far a program yields to the media loop.
type priority int

const (
	// prioLive is for results that a live call is waiting for.
	prioLive priority = iota
	// prioIdle is for work that can wait until the processor is idle.
	prioIdle
)

// lowerPriority does nothing on this system: many calls at a time are supported on Linux only.
func lowerPriority(int, priority) {}
