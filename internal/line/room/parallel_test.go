//go:build !race

package room_test

// atOnce is how many tests run at once: they wait for the clock and for others, and hardly ever for a processor.
const atOnce = 10
