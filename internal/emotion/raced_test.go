//go:build race

package emotion

// raced says that the race detector is active, which makes pools drop items at
// random.
const raced = true
