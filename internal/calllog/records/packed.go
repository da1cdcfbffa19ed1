package records

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"errors"
	"io"
)

// Reasons for refusing the rest of a compressed file. What was read before is imported.
const (
	packedCut     = "it is compressed with gzip and ends too early, as an interrupted download does"
	packedDamaged = "it is compressed with gzip and damaged; nothing behind that can be read"
	packedMore    = "after its gzip data there is something else, which is not read"
)

// packed is a file that may be compressed with gzip. A fault of the compression ends it.
type packed struct {
	in  io.Reader
	why string // what is wrong, "" if nothing is
	any bool   // something was read
}

// unpacked looks at the first bytes of a file and decompresses it if necessary.
func unpacked(in io.Reader) (*packed, error) {
	buffered := bufio.NewReader(in)
	if mark, _ := buffered.Peek(2); !bytes.Equal(mark, []byte{0x1f, 0x8b}) { // the reader will meet any error again
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

// ended records a fault of the compression as the end of the file. It returns errors of other
// kinds.
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

// unpacking decompresses a file.
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
