//go:build race

package decode_test

// raced says that the race detector is at work, under which everything takes several times as long.
const raced = true
