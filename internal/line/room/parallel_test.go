//go:build !race

package room_test

// atOnce is the number of parallel tests: they mostly wait for the clock or for others, and hardly
// ever for a processor.
const atOnce = 10
