// Package flac decodes FLAC (RFC 9639) as programs write it and as damage leaves it: frames
// are held against their checksums, what is damaged becomes silence, and the next frame is looked for.
//
// Package audio is its parent, package audio/decode the one that hands it what it has
// sniffed. It reads bytes that nobody vouches for: no length is believed.
package flac

import (
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/ringtrue/ringtrue/internal/audio"
)

// errFormat says that something is no FLAC file this package can read; it is an
// ErrFormat too.
var errFormat = formatError{}

type formatError struct{}

// Error implements error.
func (formatError) Error() string { return "not a readable FLAC file" }

// Is makes it an ErrFormat.
func (formatError) Is(target error) bool { return target == audio.ErrFormat }

// Stream reads a FLAC file (RFC 9639) of 1 to 8 channels with 4 to 32 bits as
// 16-bit samples, and gives each frame to each. The file may have maxBytes; how much sound
// comes of it is for each to bound: a few bytes of FLAC can stand for hours of silence, and
// nothing is believed that a header says about lengths. Each frame is held against its
// checksums. Tags before the sound are passed over. whole is false when the file ended
// before its sound. What is damaged is passed over, as far as the next frame that is not,
// with silence in its place so that times stay right: the error comes when all is given.
// Files of one kind that stand right one behind another are read as one; of what stands behind
// in another kind audio.ErrMore tells when all is given.
// Other errors are audio.ErrFormat, audio.ErrTooLarge, each's, and those of r.
func Stream(r io.Reader, maxBytes int64, each audio.Blocks) (whole bool, err error) {
	return stream(r, maxBytes, math.MaxInt64, false, each)
}

func stream(r io.Reader, maxBytes, maxSamples int64, trusting bool, each audio.Blocks) (whole bool, err error) {
	b := newBitReader(&limited{r: r, left: maxBytes})
	info, err := readHead(b)
	if err != nil {
		return false, faultOf(err)
	}
	d := decoder{bits: b, info: info, left: maxSamples, trusting: trusting}
	out := sound{rate: info.rate, channels: make([][]int16, info.channels)}
	if err := each(info.rate, out.channels); err != nil {
		return false, err
	}
	return d.files(&out, each)
}

// sound is what frames have given so far: one slice per channel, all of one length.
type sound struct {
	rate     int
	channels [][]int16
}

// hand gives the first n samples of each channel away and begins anew.
func (s *sound) hand(n int, each audio.Blocks) error {
	for c := range s.channels {
		s.channels[c] = s.channels[c][:n]
	}
	err := each(s.rate, s.channels)
	s.drop()
	return err
}

// drop begins anew.
func (s *sound) drop() {
	for c := range s.channels {
		s.channels[c] = s.channels[c][:0]
	}
}

// silence gives n samples of silence away, in place of what is missing before
// what the channels hold.
func (s *sound) silence(n int, each audio.Blocks) error {
	quiet, block := make([]int16, min(n, maxBlock)), make([][]int16, len(s.channels))
	for ; n > 0; n -= len(quiet) {
		for c := range block {
			block[c] = quiet[:min(n, len(quiet))]
		}
		if err := each(s.rate, block); err != nil {
			return err
		}
	}
	return nil
}

// limited fails beyond its limit with ErrTooLarge.
type limited struct {
	r    io.Reader
	left int64
}

// Read implements io.Reader.
func (l *limited) Read(b []byte) (int, error) {
	if l.left <= 0 {
		// Only a byte more than allowed is too much.
		var one [1]byte
		if n, err := io.ReadFull(l.r, one[:]); n == 0 {
			return 0, err
		}
		return 0, audio.ErrTooLarge
	}
	n, err := l.r.Read(b[:min(int64(len(b)), l.left)])
	l.left -= int64(n)
	return n, err
}

// faultOf gives an error its final form.
func faultOf(err error) error {
	switch {
	case errors.Is(err, audio.ErrTooLarge), errors.Is(err, audio.ErrFormat):
		return err
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("%w: it ends before its data", errFormat)
	}
	return fmt.Errorf("reading FLAC: %w", err)
}

// magic is what a file begins with.
const magic = "fLaC"

// streamInfo is what a STREAMINFO block tells that is of use.
type streamInfo struct {
	rate, channels, bits int
	total                uint64 // samples per channel, 0 when unknown
}

// readHead reads everything before the first frame.
func readHead(b *bitReader) (streamInfo, error) {
	if err := skipID3(b); err != nil {
		return streamInfo{}, err
	}
	if mark := b.read(32); b.err != nil || mark != 0x664c6143 {
		return streamInfo{}, orFormat(b.err, "it does not begin with "+magic)
	}
	var info streamInfo
	for last := false; !last; {
		last = b.read(1) == 1
		kind, size := b.read(7), int(b.read(24))
		if b.err != nil {
			return info, b.err
		}
		if first := info.channels == 0; first != (kind == 0) {
			return info, fmt.Errorf("%w: its description is not in the first place", errFormat)
		}
		if kind != 0 {
			if err := b.skip(size); err != nil {
				return info, err
			}
			continue
		}
		if size < 34 {
			return info, fmt.Errorf("%w: a description of %d bytes", errFormat, size)
		}
		b.read(40)
		b.read(40)
		info.rate, info.channels, info.bits = int(b.read(20)), int(b.read(3))+1, int(b.read(5))+1
		info.total = b.read(36)
		if err := b.skip(size - 18); err != nil {
			return info, err
		}
	}
	if info.rate < audio.MinRate || info.rate > audio.MaxRate || info.bits < 4 {
		return info, fmt.Errorf("%w: %d Hz with %d bits", errFormat, info.rate, info.bits)
	}
	return info, nil
}

// skipID3 passes over tags that some programs put in front.
func skipID3(b *bitReader) error {
	head, err := b.r.Peek(10)
	if err != nil || string(head[:3]) != "ID3" {
		return nil //nolint:nilerr // what is shorter fails where it is read
	}
	return b.skip(audio.TagSize(head))
}

func orFormat(err error, what string) error {
	if err != nil {
		return err
	}
	return fmt.Errorf("%w: %s", errFormat, what)
}
