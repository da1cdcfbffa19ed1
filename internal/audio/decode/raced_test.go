//go:build race

package decode_test

// raced reports whether the race detector is on, which makes everything several times slower.
const raced = true
