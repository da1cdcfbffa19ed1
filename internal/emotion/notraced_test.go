//go:build !race

package emotion

// raced says that the race detector is at work, under which pools forget at random.
const raced = false
