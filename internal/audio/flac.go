package audio

import (
	"errors"
	"fmt"
	"io"
)

// errFLAC says that something is no FLAC file this package can read; it is an
// ErrFormat too.
var errFLAC = flacError{}

type flacError struct{}

// Error implements error.
func (flacError) Error() string { return "not a readable FLAC file" }

// Is makes it an ErrFormat.
func (flacError) Is(target error) bool { return target == ErrFormat }

// ReadFLAC reads a FLAC file (RFC 9639) of 1 to 8 channels with 4 to 32 bits
// into 16-bit samples. Neither the file nor the samples that come of it may be
// larger than maxBytes: a few bytes of FLAC can stand for hours of silence, and
// nothing is believed that a header says about lengths. Each frame is held
// against its checksums. A file that ends too early keeps its whole frames; tags
// before the sound are passed over. Errors are as those of ReadWAV.
func ReadFLAC(r io.Reader, maxBytes int64) (WAV, error) {
	return readFLAC(r, maxBytes, false)
}

func readFLAC(r io.Reader, maxBytes int64, trusting bool) (WAV, error) {
	b := newBitReader(&flacLimit{r: r, left: maxBytes})
	info, err := readFLACHead(b)
	if err != nil {
		return WAV{}, flacFault(err)
	}
	d := flacDecoder{bits: b, info: info, left: maxBytes / 2, trusting: trusting}
	out := WAV{Rate: info.rate, Channels: make([][]int16, info.channels)}
	for info.total == 0 || uint64(len(out.Channels[0])) < info.total {
		err := d.frame(&out)
		if err == nil {
			continue
		}
		if errors.Is(err, errFLACEnd) || errors.Is(err, io.ErrUnexpectedEOF) && len(out.Channels[0]) > 0 {
			break
		}
		return WAV{}, flacFault(err)
	}
	if n := len(out.Channels[0]); info.total > 0 && uint64(n) > info.total {
		for c := range out.Channels {
			out.Channels[c] = out.Channels[c][:info.total]
		}
	}
	return out, nil
}

// flacLimit fails beyond its limit with ErrTooLarge.
type flacLimit struct {
	r    io.Reader
	left int64
}

// Read implements io.Reader.
func (l *flacLimit) Read(b []byte) (int, error) {
	if l.left <= 0 {
		// Only a byte more than allowed is too much.
		var one [1]byte
		if n, err := io.ReadFull(l.r, one[:]); n == 0 {
			return 0, err
		}
		return 0, ErrTooLarge
	}
	n, err := l.r.Read(b[:min(int64(len(b)), l.left)])
	l.left -= int64(n)
	return n, err
}

// flacFault gives an error its final form.
func flacFault(err error) error {
	switch {
	case errors.Is(err, ErrTooLarge), errors.Is(err, ErrFormat):
		return err
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("%w: it ends before its data", errFLAC)
	}
	return fmt.Errorf("reading FLAC: %w", err)
}

// flacInfo is what a STREAMINFO block tells that is of use.
type flacInfo struct {
	rate, channels, bits int
	total                uint64 // samples per channel, 0 when unknown
}

// readFLACHead reads everything before the first frame.
func readFLACHead(b *bitReader) (flacInfo, error) {
	if err := skipID3(b); err != nil {
		return flacInfo{}, err
	}
	if mark := b.read(32); b.err != nil || mark != 0x664c6143 {
		return flacInfo{}, orFLAC(b.err, "it does not begin with fLaC")
	}
	var info flacInfo
	for last := false; !last; {
		last = b.read(1) == 1
		kind, size := b.read(7), int(b.read(24))
		if b.err != nil {
			return info, b.err
		}
		if first := info.channels == 0; first != (kind == 0) {
			return info, fmt.Errorf("%w: its description is not in the first place", errFLAC)
		}
		if kind != 0 {
			if err := b.skip(size); err != nil {
				return info, err
			}
			continue
		}
		if size < 34 {
			return info, fmt.Errorf("%w: a description of %d bytes", errFLAC, size)
		}
		b.read(40)
		b.read(40)
		info.rate, info.channels, info.bits = int(b.read(20)), int(b.read(3))+1, int(b.read(5))+1
		info.total = b.read(36)
		if err := b.skip(size - 18); err != nil {
			return info, err
		}
	}
	if info.rate < minRate || info.rate > maxRate || info.bits < 4 {
		return info, fmt.Errorf("%w: %d Hz with %d bits", errFLAC, info.rate, info.bits)
	}
	return info, nil
}

// skipID3 passes over tags that some programs put in front.
func skipID3(b *bitReader) error {
	head, err := b.r.Peek(10)
	if err != nil || string(head[:3]) != "ID3" {
		return nil //nolint:nilerr // what is shorter fails where it is read
	}
	size := 10
	for i, c := range head[6:] {
		size += int(c&0x7f) << (7 * (3 - i))
	}
	return b.skip(size)
}

func orFLAC(err error, what string) error {
	if err != nil {
		return err
	}
	return fmt.Errorf("%w: %s", errFLAC, what)
}
