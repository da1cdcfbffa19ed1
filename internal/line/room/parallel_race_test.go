//go:build race

package room_test

// atOnce is lower with the race detector, under which a media server and both ends of a call take a
// whole processor.
const atOnce = 3
