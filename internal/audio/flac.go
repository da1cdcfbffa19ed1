package audio

import (
	"errors"
	"fmt"
	"io"
	"math"
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
	var out WAV
	_, err := streamFLAC(r, maxBytes, maxBytes/2, trusting, func(rate int, block [][]int16) error {
		if out.Channels == nil {
			out = WAV{Rate: rate, Channels: make([][]int16, len(block))}
		}
		for c := range block {
			out.Channels[c] = append(out.Channels[c], block[c]...)
		}
		return nil
	})
	if err != nil {
		return WAV{}, err
	}
	return out, nil
}

// StreamFLAC is ReadFLAC for sound that need not be held as a whole: it gives
// each frame to each. The file may have maxBytes; how much sound comes of it is
// for each to bound. whole is false when the file ended before its sound. What
// is damaged is passed over, as far as the next frame that is not, with silence
// in its place so that times stay right: the error comes when all is given.
func StreamFLAC(r io.Reader, maxBytes int64, each Blocks) (whole bool, err error) {
	return streamFLAC(r, maxBytes, math.MaxInt64, false, each)
}

func streamFLAC(r io.Reader, maxBytes, maxSamples int64, trusting bool, each Blocks) (whole bool, err error) {
	b := newBitReader(&flacLimit{r: r, left: maxBytes})
	info, err := readFLACHead(b)
	if err != nil {
		return false, flacFault(err)
	}
	d := flacDecoder{bits: b, info: info, left: maxSamples, trusting: trusting}
	out := WAV{Rate: info.rate, Channels: make([][]int16, info.channels)}
	if err := each(info.rate, out.Channels); err != nil {
		return false, err
	}
	return d.frames(&out, each)
}

// hand gives the first n samples of each channel away and begins anew.
func (w *WAV) hand(n int, each Blocks) error {
	for c := range w.Channels {
		w.Channels[c] = w.Channels[c][:n]
	}
	err := each(w.Rate, w.Channels)
	w.drop()
	return err
}

// drop begins anew.
func (w *WAV) drop() {
	for c := range w.Channels {
		w.Channels[c] = w.Channels[c][:0]
	}
}

// silence gives n samples of silence away, in place of what is missing before
// what the channels hold.
func (w *WAV) silence(n int, each Blocks) error {
	quiet, block := make([]int16, min(n, maxBlock)), make([][]int16, len(w.Channels))
	for ; n > 0; n -= len(quiet) {
		for c := range block {
			block[c] = quiet[:min(n, len(quiet))]
		}
		if err := each(w.Rate, block); err != nil {
			return err
		}
	}
	return nil
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
