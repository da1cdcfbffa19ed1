package records

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"errors"
	"io"
)

// What is told of a compressed file that is not whole: what was read before is taken in.
const (
	packedCut     = "it is compressed with gzip and ends too early, as an interrupted download does"
	packedDamaged = "it is compressed with gzip and damaged; nothing behind that can be read"
	packedMore    = "after its gzip data there is something else, which is not read"
)

// packed is a file without the compression in which many are kept. What is wrong with that ends it.
type packed struct {
	in  io.Reader
	why string // what is wrong, "" when nothing is
	any bool   // something was read
}

// unpacked tells by a file's first bytes whether it is compressed. One that is not is given as it is.
func unpacked(in io.Reader) (*packed, error) {
	buffered := bufio.NewReader(in)
	if mark, _ := buffered.Peek(2); !bytes.Equal(mark, []byte{0x1f, 0x8b}) { // an error comes again when it is read
		return &packed{in: buffered}, nil
	}
	p := &packed{}
	zip, err := gzip.NewReader(buffered)
	if err != nil {
		p.in = bytes.NewReader(nil)
		return p, p.ended(err)
	}
	p.in = &unpacking{packed: p, zip: zip}
	return p, nil
}

// ended makes a fault of the compression the end of what is read, and keeps it.
func (p *packed) ended(err error) error {
	var corrupt flate.CorruptInputError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		p.why = packedCut
	case errors.Is(err, gzip.ErrHeader) && p.any:
		p.why = packedMore
	case errors.Is(err, gzip.ErrHeader), errors.Is(err, gzip.ErrChecksum), errors.As(err, &corrupt):
		p.why = packedDamaged
	default:
		return err
	}
	return nil
}

// unpacking reads what is compressed.
type unpacking struct {
	packed *packed
	zip    *gzip.Reader
}

// Read implements io.Reader.
func (u *unpacking) Read(b []byte) (int, error) {
	if u.packed.why != "" {
		return 0, io.EOF
	}
	n, err := u.zip.Read(b)
	u.packed.any = u.packed.any || n > 0
	if err == nil || errors.Is(err, io.EOF) {
		return n, err
	}
	if err = u.packed.ended(err); err == nil {
		err = io.EOF
	}
	return n, err
}
