package prefetch

import (
	"slices"
	"testing"
	"unsafe"
)

// TestFetchTouchesNothing asks for memory that nobody may read, and for some at all places of a line.
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
