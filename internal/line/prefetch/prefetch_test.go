package prefetch

import (
	"slices"
	"testing"
	"unsafe"
)

// TestFetchTouchesNothing prefetches memory that must not be read, and at every offset of a cache
// line.
func TestFetchTouchesNothing(t *testing.T) {
	t.Parallel()
	memory := make([]byte, 1024)
	for at := range 256 {
		Fetch(unsafe.Pointer(&memory[at]), uintptr(at))
	}
	if slices.ContainsFunc(memory, func(b byte) bool { return b != 0 }) {
		t.Error("fetching has changed memory")
	}
	Fetch(nil, 256)
}
