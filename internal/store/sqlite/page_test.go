package sqlite

import (
	"bytes"
	"encoding/binary"
	"testing"
)

// leaf is a page of a table with cells at the places, and the rest of it full of something.
func leaf(cells ...uint16) []byte {
	page := bytes.Repeat([]byte{'x'}, 512)
	start := uint16(512)
	for i, cell := range cells {
		binary.BigEndian.PutUint16(page[leafHead+2*i:], cell)
		start = min(start, cell)
	}
	page[0] = tableLeaf
	binary.BigEndian.PutUint16(page[1:], 0)
	binary.BigEndian.PutUint16(page[3:], uint16(len(cells))) //nolint:gosec // a few
	binary.BigEndian.PutUint16(page[5:], start)
	return page
}

func TestUnused(t *testing.T) {
	t.Parallel()
	changed := func(page []byte, at int, to ...byte) []byte {
		copy(page[at:], to)
		return page
	}
	for name, c := range map[string]struct {
		page   []byte
		usable int
		want   int
	}{
		"none":                           {nil, 512, 0},
		"two cells":                      {leaf(500, 400), 512, 400 - leafHead - 4},
		"no cells":                       {leaf(), 512, 512 - leafHead},
		"the end is not SQLite's":        {leaf(400), 480, 400 - leafHead - 2},
		"an inner page without cells":    {changed(leaf(500), 0, tableInterior, 0, 0, 0, 0, 1, 0xf4), 512, 500 - interiorHead},
		"a page that a row goes on":      {changed(leaf(500), 0, 0), 512, 0},
		"a cell before all cells":        {changed(leaf(500, 400), 5, 1, 0xf4), 512, 0},
		"a cell beyond the end":          {leaf(510), 512, 0},
		"a list of cells into the cells": {changed(leaf(500), 3, 1, 0), 512, 0},
		"cells beyond the page":          {changed(leaf(500), 3, 0xff, 0xff), 512, 0},
		"free space before all cells":    {changed(leaf(500), 1, 0, 100), 512, 0},
		"a start of 64 kB":               {changed(leaf(500), 5, 0, 0), 512, 0},
	} {
		before := bytes.Clone(c.page)
		part := unused(c.page, c.usable)
		if len(part) != c.want {
			t.Errorf("%s: %d bytes; want %d", name, len(part), c.want)
		}
		if !bytes.Equal(before, c.page) {
			t.Errorf("%s: looking changed it", name)
		}
	}
}

// FuzzUnused has pages of any kind looked at: of none more is unused than what
// lies behind its list of cells and before each of them.
func FuzzUnused(f *testing.F) {
	f.Add(leaf(500, 400), 512)
	f.Add(leaf(), 480)
	f.Fuzz(func(t *testing.T, page []byte, usable int) {
		part := unused(page, usable)
		if len(part) == 0 {
			return
		}
		before := bytes.Clone(page)
		clear(part)
		head, cells := headOf(page, usable), int(binary.BigEndian.Uint16(page[3:]))
		end, start := head+2*cells, usable
		for i := range cells {
			start = min(start, int(binary.BigEndian.Uint16(page[head+2*i:])))
		}
		if head == 0 || !bytes.Equal(page[:end], before[:end]) || !bytes.Equal(page[start:], before[start:]) {
			t.Fatalf("of a page with %d cells from %d on something else was overwritten", cells, start)
		}
	})
}
