// Package flac decodes FLAC (RFC 9639), including damaged files: frames are verified by their
// checksums, damaged ones are replaced by silence, and decoding continues with the next valid frame.
//
// Its parent is package audio; package audio/decode passes it files that it has recognised as FLAC.
// Its input is untrusted: no length in it is relied upon.
package flac

import (
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/ringtrue/ringtrue/internal/audio"
)

// errFormat means that the input is not a FLAC file this package can read. It matches audio.ErrFormat.
var errFormat = formatError{}

type formatError struct{}

// Error implements error.
func (formatError) Error() string { return "not a readable FLAC file" }

// Is reports whether target is audio.ErrFormat.
func (formatError) Is(target error) bool { return target == audio.ErrFormat }

// Stream decodes a FLAC file (RFC 9639) of 1 to 8 channels with 4 to 32 bits to 16-bit samples, and passes
// each frame to each. maxBytes bounds the file; each has to bound the amount of audio: a few bytes of FLAC
// can stand for hours of silence, and no length in a header is relied upon. Frames are verified by their
// checksums, and leading tags are skipped. whole is false if the file ended before its audio.
//
// Damaged data is skipped up to the next valid frame and replaced by silence, so that times
// stay right; its error is returned after everything was passed on. Concatenated files with the
// same parameters are decoded as one; if a file with others follows, audio.ErrMore is returned
// at the end. Other errors are audio.ErrFormat, audio.ErrTooLarge, each's, and those of r.
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

// sound is the audio of the frames so far: one slice per channel, all of the same length.
type sound struct {
	rate     int
	channels [][]int16
}

// hand passes on the first n samples of each channel and resets.
func (s *sound) hand(n int, each audio.Blocks) error {
	for c := range s.channels {
		s.channels[c] = s.channels[c][:n]
	}
	err := each(s.rate, s.channels)
	s.drop()
	return err
}

// drop resets.
func (s *sound) drop() {
	for c := range s.channels {
		s.channels[c] = s.channels[c][:0]
	}
}

// silence passes on n samples of silence in place of what is missing before the content.
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

// limited returns ErrTooLarge beyond its limit.
type limited struct {
	r    io.Reader
	left int64
}

// Read implements io.Reader.
func (l *limited) Read(b []byte) (int, error) {
	if l.left <= 0 {
		// The limit is exceeded only if there is another byte.
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

// magic is the beginning of a file.
const magic = "fLaC"

// streamInfo is the relevant content of a STREAMINFO block.
type streamInfo struct {
	rate, channels, bits int
	total                uint64 // samples per channel, 0 if unknown
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

// skipID3 skips ID3 tags, which some programs put before the file.
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
