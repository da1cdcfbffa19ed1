package sqlite

import (
	"syscall"
	"testing"

	"modernc.org/libc"
)

// TestMemoryStays takes pieces of each size until they lie in two blocks, and
// gives them back: both blocks are still there.
//
//nolint:paralleltest // pieces may lie in the blocks of other tests, which go away with them
func TestMemoryStays(t *testing.T) {
	m := keepMemory()
	defer m.free()
	tls := libc.NewTLS()
	defer tls.Close()
	for size := uint64(leastPiece); size <= largestPiece; size *= 2 {
		blocks := map[uintptr]bool{}
		var pieces []uintptr
		for len(blocks) < 2 {
			p := libc.Xmalloc(tls, size)
			pieces = append(pieces, p)
			blocks[p/block*block] = true
		}
		for _, p := range pieces {
			libc.Xfree(tls, p)
		}
		for address := range blocks {
			if !isMapped(t, address) {
				t.Errorf("size %d: a block has been given back", size)
			}
		}
	}
}

// isMapped asks the system whether there is memory at an address, without touching it.
func isMapped(t *testing.T, address uintptr) bool {
	t.Helper()
	_, _, errno := syscall.Syscall(syscall.SYS_MSYNC, address, 4096, syscall.MS_ASYNC)
	if errno != 0 && errno != syscall.ENOMEM {
		t.Fatal(errno)
	}
	return errno == 0
}
