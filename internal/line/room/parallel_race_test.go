//go:build race

package room_test

// atOnce is fewer with the race detector: a media server and two ends of a call under it take a processor's time.
const atOnce = 3
