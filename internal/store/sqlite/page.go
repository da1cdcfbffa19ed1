package sqlite

import (
	"bytes"
	"encoding/binary"
)

// The kinds of pages that SQLite's trees are made of: the first byte of each.
const (
	indexInterior = 2
	tableInterior = 5
	indexLeaf     = 10
	tableLeaf     = 13
)

const (
	leafHead, interiorHead = 8, 12
	leastCell              = 4
	// treesAreTold is from how many pages on the first byte tells no longer what a page
	// is. Any other page in use begins with the number of a page, and a byte that is
	// that of a kind of tree stands there once there is a page with the number 2<<24.
	treesAreTold = indexInterior << 24
)

// unused is the part of a page of a tree that lies between its list of cells and
// the cells, which SQLite does not read and writes to before it does. It is empty
// for any other page, and for one that is not as it should be: that is left as it is.
// usable is how much of a page SQLite uses. The first page of the file, which
// begins with the file's own head, is none to ask for.
func unused(page []byte, usable int) []byte {
	head := headOf(page, usable)
	if head == 0 {
		return nil
	}
	number := func(at int) int { return int(binary.BigEndian.Uint16(page[at:])) }
	cells, start := number(3), number(5)
	if start == 0 {
		start = 1 << 16
	}
	end := head + 2*cells
	if end > start || start > usable {
		return nil
	}
	if free := number(1); free != 0 && free < start {
		return nil
	}
	for at := head; at < end; at += 2 {
		if cell := number(at); cell < start || cell+leastCell > usable {
			return nil
		}
	}
	return page[end:start]
}

// headOf is how long the head of a page of a tree is, and 0 for any other.
func headOf(page []byte, usable int) int {
	if usable < interiorHead || usable > len(page) {
		return 0
	}
	switch page[0] {
	case indexLeaf, tableLeaf:
		return leafHead
	case indexInterior, tableInterior:
		return interiorHead
	}
	return 0
}

// holds says whether there is something in a part of a page.
func holds(part []byte) bool {
	return len(bytes.TrimLeft(part, "\x00")) > 0
}
