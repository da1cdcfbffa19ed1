package flac

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math/bits"
)

// bitReader reads bits, most significant first, and computes checksums of the bytes it
// consumes. After an error it returns zeros.
type bitReader struct {
	r     *bufio.Reader
	cache uint64 // its lowest held bits are unread
	held  uint
	err   error
	crc8  uint8
	crc16 uint16
	taken int // bytes since begin

	table8  [256]uint8
	table16 [256]uint16
}

// begin resets the checksums and the byte count. It must be called at a byte boundary.
func (b *bitReader) begin() { b.crc8, b.crc16, b.taken = 0, 0, 0 }

// fill consumes one byte.
func (b *bitReader) fill() bool {
	if b.err != nil {
		return false
	}
	c, err := b.r.ReadByte()
	if err != nil {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		b.err = err
		return false
	}
	b.crc8 = b.table8[b.crc8^c]
	b.crc16 = b.crc16<<8 ^ b.table16[uint8(b.crc16>>8)^c]
	b.cache = b.cache<<8 | uint64(c)
	b.held += 8
	b.taken++
	return true
}

// read returns n bits, at most 56.
func (b *bitReader) read(n uint) uint64 {
	for b.held < n {
		if !b.fill() {
			return 0
		}
	}
	b.held -= n
	return b.cache >> b.held & (1<<n - 1)
}

// signed returns n bits as a signed number.
func (b *bitReader) signed(n uint) int64 {
	if n == 0 {
		return 0
	}
	return int64(b.read(n)<<(64-n)) >> (64 - n)
}

// zeros counts the zeros before the next one bit, and consumes that too.
func (b *bitReader) zeros() uint64 {
	var n uint64
	for b.err == nil {
		left := b.cache & (1<<b.held - 1)
		if left != 0 {
			run := b.held - uint(bits.Len64(left))
			b.held -= run + 1
			return n + uint64(run)
		}
		n += uint64(b.held)
		b.held = 0
		b.fill()
	}
	return n
}

// align drops the rest of the current byte.
func (b *bitReader) align() { b.held &^= 7 }

// skip skips n bytes from a byte boundary.
func (b *bitReader) skip(n int) error {
	for n > 0 && b.held >= 8 {
		b.held -= 8
		n--
	}
	done, err := io.CopyN(io.Discard, b.r, int64(n))
	if errors.Is(err, io.EOF) || err == nil && done < int64(n) {
		return fmt.Errorf("%w: it ends before its data", errFormat)
	}
	return err
}

// newBitReader computes the checksum tables for the polynomials x^8+x^2+x+1 and x^16+x^15+x^2+1.
func newBitReader(r io.Reader) *bitReader {
	b := &bitReader{r: bufio.NewReader(r)}
	for i := range 256 {
		short, long := uint8(i), uint16(i)<<8
		for range 8 {
			short = short<<1 ^ 0x07*(short>>7)
			long = long<<1 ^ 0x8005*(long>>15)
		}
		b.table8[i], b.table16[i] = short, long
	}
	return b
}
