package sqlite

import (
	"sync"

	"modernc.org/libc"
)

// memory is a piece of each size that SQLite's allocator has. It asks the system
// for 64 kB at a time, for pieces of one size, and gives them back when the last
// piece is freed: without one that stays, each time a statement is run.
type memory struct {
	tls    *libc.TLS
	pieces []uintptr
	once   sync.Once
}

const (
	leastPiece   = 16
	largestPiece = 16 << 10
)

func keepMemory() *memory {
	m := &memory{tls: libc.NewTLS()}
	for size := uint64(leastPiece); size <= largestPiece; size *= 2 {
		m.pieces = append(m.pieces, libc.Xmalloc(m.tls, size))
	}
	return m
}

// free may be called again.
func (m *memory) free() {
	m.once.Do(func() {
		for _, p := range m.pieces {
			libc.Xfree(m.tls, p)
		}
		m.tls.Close()
	})
}
