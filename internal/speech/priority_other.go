//go:build !linux

package speech

// priority says how much a program steps back behind the media loop.
type priority int

const (
	// prioLive is for what a call on the line waits for.
	prioLive priority = iota
	// prioIdle is for what can wait until nobody else wants the processor.
	prioIdle
)

// lowerPriority does nothing here: the fast media loop is for Linux.
func lowerPriority(int, priority) {}
