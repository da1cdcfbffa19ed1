package monitor

import (
	"encoding/binary"
	"errors"
	"math"
)

// ErrPacked is returned for a stored row that this program did not write.
var ErrPacked = errors.New("a stored monitoring row cannot be read")

// packer appends numbers and texts in as few bytes as they need.
type packer struct{ b []byte }

func (p *packer) uint(v int) { p.b = binary.AppendUvarint(p.b, uint64(max(v, 0))) }
func (p *packer) int(v int64) {
	p.b = binary.AppendVarint(p.b, v)
}

func (p *packer) text(s string) {
	p.uint(len(s))
	p.b = append(p.b, s...)
}

func (p *packer) bytes(b []byte) {
	p.uint(len(b))
	p.b = append(p.b, b...)
}

func (p *packer) flag(b bool) {
	if b {
		p.b = append(p.b, 1)
	} else {
		p.b = append(p.b, 0)
	}
}

// milli keeps a figure in whole thousandths.
func (p *packer) milli(v float64) { p.int(int64(math.Round(v * 1000))) }

// unpacker reads what a packer wrote; after the first fault everything is zero.
type unpacker struct {
	b   []byte
	err error
}

func (u *unpacker) fail() {
	u.b, u.err = nil, ErrPacked
}

func (u *unpacker) uint() int {
	v, n := binary.Uvarint(u.b)
	if n <= 0 || v > math.MaxInt64 {
		u.fail()
		return 0
	}
	u.b = u.b[n:]
	return int(v)
}

// count is the number of things that follow, each of at least one byte.
func (u *unpacker) count() int {
	n := u.uint()
	if n > len(u.b) {
		u.fail()
		return 0
	}
	return n
}

func (u *unpacker) int() int64 {
	v, n := binary.Varint(u.b)
	if n <= 0 {
		u.fail()
		return 0
	}
	u.b = u.b[n:]
	return v
}

// bytes are a part of what is read, not a copy.
func (u *unpacker) bytes() []byte {
	n := u.count()
	out := u.b[:n:n]
	u.b = u.b[n:]
	return out
}

func (u *unpacker) text() string { return string(u.bytes()) }

func (u *unpacker) flag() bool {
	if len(u.b) == 0 {
		u.fail()
		return false
	}
	b := u.b[0] != 0
	u.b = u.b[1:]
	return b
}

func (u *unpacker) milli() float64 { return float64(u.int()) / 1000 }
