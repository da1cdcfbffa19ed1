package sqlite

import (
	"sync"

	"modernc.org/libc"
)

// memory is what SQLite's allocator keeps of the system's memory while the file
// is open. It asks the system for 64 kB at a time, a block for pieces of one
// size, and gives a block back when its last piece is freed: without a piece that
// stays in each of some blocks it does so each time a statement is run, for as
// soon as all other blocks are full, those few that a statement needs lie in a
// block of their own.
type memory struct {
	tls    *libc.TLS
	pieces []uintptr
	once   sync.Once
}

const (
	leastPiece   = 16
	largestPiece = 16 << 10
	// block is what the allocator asks for, and stays where its address is a multiple of it.
	block = 64 << 10
	// keptBlocks is how many blocks of each size stay: more than the statements
	// that are kept, and those at work, need at a time.
	keptBlocks = 8
)

func keepMemory() *memory {
	m := &memory{tls: libc.NewTLS()}
	for size := uint64(leastPiece); size <= largestPiece; size *= 2 {
		m.keep(size)
	}
	return m
}

// keep fills blocks with pieces of the size, and leaves one in each.
func (m *memory) keep(size uint64) {
	stays := map[uintptr]bool{}
	var others []uintptr
	for len(stays) <= keptBlocks { // until one more has been begun, so that the others are full
		p := libc.Xmalloc(m.tls, size)
		if in := p / block; !stays[in] {
			stays[in] = true
			m.pieces = append(m.pieces, p)
			continue
		}
		others = append(others, p)
	}
	for _, p := range others {
		libc.Xfree(m.tls, p)
	}
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
