// Package pack keeps numbers, texts and flags in as few bytes as they need, one after
// the other, for rows that a database holds by the hundred thousand. What the bytes mean
// is known to whoever wrote them: package bucket and package monitor.
package pack

import (
	"encoding/binary"
	"errors"
	"math"
	"math/bits"
)

// ErrUnreadable is returned for a stored row that this program did not write.
var ErrUnreadable = errors.New("a packed row cannot be read")

// Writer appends to B.
type Writer struct{ B []byte }

// Uint appends a number; one below 0 becomes 0.
func (p *Writer) Uint(v int) { p.B = binary.AppendUvarint(p.B, uint64(max(v, 0))) }

// Int appends any whole number.
func (p *Writer) Int(v int64) { p.B = binary.AppendVarint(p.B, v) }

// Text appends a text.
func (p *Writer) Text(s string) {
	p.Uint(len(s))
	p.B = append(p.B, s...)
}

// Bytes appends bytes, their number before them.
func (p *Writer) Bytes(b []byte) {
	p.Uint(len(b))
	p.B = append(p.B, b...)
}

// Flag appends a flag, in a byte of its own.
func (p *Writer) Flag(b bool) {
	if b {
		p.B = append(p.B, 1)
	} else {
		p.B = append(p.B, 0)
	}
}

// Milli keeps a figure in whole thousandths.
func (p *Writer) Milli(v float64) { p.Int(Thousandths(v)) }

// Millis keeps several.
func (p *Writer) Millis(values []float64) {
	p.Uint(len(values))
	for _, v := range values {
		p.Milli(v)
	}
}

// Thousandths is a figure in whole thousandths.
func Thousandths(v float64) int64 { return int64(math.Round(v * 1000)) }

// Reader reads B from the front; after the first fault Err is set and everything is zero.
type Reader struct {
	B   []byte
	Err error
	// at is how much has been read. It is not cut off B: to write a slice costs several times what
	// writing a number does, and there is one to be written for every number read.
	at int
}

// Rest is what is yet to be read, not a copy.
func (u *Reader) Rest() []byte { return u.B[u.at:] }

// Fail says that the rest is not what it should be.
func (u *Reader) Fail() {
	u.B, u.at, u.Err = nil, 0, ErrUnreadable
}

// Uint reads what Writer.Uint wrote.
func (u *Reader) Uint() int {
	if b := u.B[u.at:]; len(b) > 0 && b[0] < 0x80 { // most often a number is one byte
		u.at++
		return int(b[0])
	}
	return u.long()
}

// long reads a number of any length; none is above the greatest int64.
func (u *Reader) long() int {
	v, n := binary.Uvarint(u.B[u.at:])
	if n <= 0 || v > math.MaxInt64 {
		u.Fail()
		return 0
	}
	u.at += n
	return int(v)
}

// Count is the number of things that follow, each of at least one byte.
func (u *Reader) Count() int {
	n := u.Uint()
	if n > len(u.B)-u.at {
		u.Fail()
		return 0
	}
	return n
}

// Int reads what Writer.Int wrote.
func (u *Reader) Int() int64 {
	if b := u.B[u.at:]; len(b) > 0 && b[0] < 0x80 {
		u.at++
		return int64(b[0]>>1) ^ -int64(b[0]&1)
	}
	return u.longInt()
}

// AddInts reads a number for each bit that is set in places, from the lowest on, and adds it to
// that one of to; a bit that has none there is a fault.
func (u *Reader) AddInts(to []int64, places uint64) {
	b, at := u.B, u.at
	for ; places != 0; places &= places - 1 {
		i := bits.TrailingZeros64(places)
		if i >= len(to) {
			u.Fail()
			return
		}
		var v uint64
		switch {
		case at+1 < len(b) && b[at] < 0x80:
			v, at = uint64(b[at]), at+1
		case at+1 < len(b) && b[at+1] < 0x80:
			v, at = uint64(b[at]&0x7f)|uint64(b[at+1])<<7, at+2
		default:
			u.at = at
			to[i] += u.longInt()
			if b, at = u.B, u.at; u.Err != nil {
				return
			}
			continue
		}
		to[i] += int64(v>>1) ^ -int64(v&1)
	}
	u.at = at
}

func (u *Reader) longInt() int64 {
	v, n := binary.Varint(u.B[u.at:])
	if n <= 0 {
		u.Fail()
		return 0
	}
	u.at += n
	return v
}

// Bytes are a part of what is read, not a copy.
func (u *Reader) Bytes() []byte {
	n := u.Count()
	u.at += n
	return u.B[u.at-n : u.at : u.at]
}

// Text reads what Writer.Text wrote.
func (u *Reader) Text() string { return string(u.Bytes()) }

// Flag reads what Writer.Flag wrote.
func (u *Reader) Flag() bool {
	if u.at == len(u.B) {
		u.Fail()
		return false
	}
	u.at++
	return u.B[u.at-1] != 0
}

// Milli reads what Writer.Milli wrote.
func (u *Reader) Milli() float64 { return float64(u.Int()) / 1000 }

// Millis reads what Writer.Millis wrote, nil for none.
func (u *Reader) Millis() []float64 {
	n := u.Count()
	if n == 0 {
		return nil
	}
	out := make([]float64, n)
	for i := range out {
		out[i] = u.Milli()
	}
	return out
}
