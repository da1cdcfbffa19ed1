// Package decode decodes recordings from elsewhere: WAV, FLAC, MP3 and Ogg Opus, mono or
// stereo, recognised by their content alone.
//
// Its input is untrusted. Whatever a file claims, memory and time stay within Limits; a damaged or
// truncated file yields the audio that is there, with a note; anything else yields ErrFormat with
// what the file seems to be. Its parent package audio has the WAV reader, audio/flac and audio/mp3
// the decoders of those formats; Opus packets are decoded by a library, which is why this package
// is one tier above audio. Package fetch downloads the bytes, package review requests the audio
// through an interface of its own, and package speech decodes the responses of HTTP voices.
package decode

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/audio/flac"
)

// Errors in a recording.
var (
	// ErrFormat means that it is not a recording this package can read.
	ErrFormat = errors.New("not a recording that can be read")
	// ErrTooLong means that it plays longer than allowed.
	ErrTooLong = errors.New("the recording is too long")
	// ErrTooFine means that it has more samples than audio of the maximum length has at 48 kHz.
	ErrTooFine = errors.New("the recording has too many samples")
	// ErrTooLarge means that the file is larger than allowed.
	ErrTooLarge = errors.New("the recording is too large")
)

// Why returns a clause that says what is wrong with a file for which Decode returned ErrFormat,
// "" if it only could not be read. It contains nothing of the file.
func Why(err error) string {
	text, found := strings.CutPrefix(err.Error(), ErrFormat.Error()+": ")
	if !found || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return ""
	}
	return text
}

// Limits bound the cost of a recording. The zero value has all defaults.
type Limits struct {
	// Bytes is the maximum read; 0 means 2 GiB.
	Bytes int64
	// Length is the maximum duration; 0 means 4 h. Above 48 kHz it bounds the number of samples instead.
	Length time.Duration
	// Rate is the maximum sample rate in Hz; 0 means 16 kHz. Audio with a higher rate is
	// resampled while it is decoded.
	Rate int
	// Wide is the maximum duration of audio kept at more than 8 kHz; 0 means 1 h. Longer audio
	// is resampled to 8 kHz, so that memory is bounded by Wide × Rate or Length × 8 kHz, × 2
	// channels × 2 bytes, plus one channel again at the end.
	Wide time.Duration
	// Heavy, if not nil, is called once, as soon as the audio is longer than HeavyLength, and may
	// block: a caller that decodes several files at once can thereby avoid holding several long ones.
	Heavy func(ctx context.Context) error
}

// HeavyLength is the duration from which a recording takes much memory.
const HeavyLength = 30 * time.Minute

// Defaults of Limits.
const (
	defaultBytes  = 2 << 30
	defaultLength = 4 * time.Hour
	defaultRate   = 16000
	defaultWide   = time.Hour
)

func (l Limits) filled() Limits {
	if l.Bytes <= 0 {
		l.Bytes = defaultBytes
	}
	if l.Length <= 0 {
		l.Length = defaultLength
	}
	if l.Rate <= 0 {
		l.Rate = defaultRate
	}
	if l.Wide <= 0 {
		l.Wide = defaultWide
	}
	return l
}

// Decode decodes a whole recording. Its rate is that of the file, or limits.Rate if that is
// lower (Opus: the highest of 8, 12, 16, 24 and 48 kHz allowed), and at most 8 kHz if it is
// longer than limits.Wide. Errors wrap ErrFormat, ErrTooLong, ErrTooFine or ErrTooLarge, or are
// the context's or the reader's own. Decode never panics, whatever the input.
func Decode(ctx context.Context, r io.Reader, limits Limits) (audio.Sound, error) {
	limits = limits.filled()
	in := &bounded{ctx: ctx, r: r, left: limits.Bytes}
	b := bufio.NewReaderSize(in, sniffBytes)
	s := &sink{ctx: ctx, limits: limits}
	format, err := s.read(b, limits)
	if err != nil {
		return audio.Sound{}, plain(err, in)
	}
	out, err := s.sound()
	out.Format = format
	return out, err
}

// read detects the format and decodes.
func (s *sink) read(b *bufio.Reader, limits Limits) (format string, err error) {
	if err := skipID3(b); err != nil {
		return "", err
	}
	head, err := passZeros(b)
	if err != nil {
		return "", err
	}
	switch kind := sniff(head); kind {
	case kindWAV:
		return s.wav(b, limits)
	case kindFLAC:
		whole, err := flac.Stream(b, limits.Bytes, s.add)
		return "flac", s.kept(err, whole)
	case kindOgg:
		return "opus", s.opus(b)
	case kindMP3:
		return "mp3", s.mp3(b)
	default:
		why := looksLike(head)
		if why == unknownContent {
			why = looksLikeMPEG(head)
		}
		return "", fmt.Errorf("%w: %s", ErrFormat, why)
	}
}

func (s *sink) wav(b *bufio.Reader, limits Limits) (string, error) {
	encoding, whole, err := audio.StreamWAV(b, limits.Bytes, s.add)
	return "wav/" + encoding, s.kept(err, whole)
}

// kept turns audio.ErrMore, and damage in a file with audio before it, into notes. whole is false if the file ended before
// its audio did, which is a note too.
func (s *sink) kept(err error, whole bool) error {
	switch {
	case errors.Is(err, audio.ErrMore):
		s.remark(noteMore)
		return nil
	case err == nil && !whole:
		s.remark(noteCut)
	case errors.Is(err, audio.ErrFormat) && s.taken > 0:
		s.remark(noteDamaged)
		return nil
	}
	return err
}

// Notes of a Sound.
const (
	noteCut     = "the file ends before its sound does"
	noteMore    = "more sound stands behind it in the file, which is not read"
	noteBeside  = "another stream of sound stands beside it in the file, which is not read"
	noteDamaged = "the file is damaged; what could be read was kept"
)

// plain gives an error its final form.
func plain(err error, in *bounded) error {
	switch {
	case in.err != nil: // the reader's own error is more informative than its consequence
		return in.err
	case errors.Is(err, ErrFormat), errors.Is(err, ErrTooLong), errors.Is(err, ErrTooFine), errors.Is(err, ErrTooLarge):
		return err
	case errors.Is(err, audio.ErrTooLarge):
		return ErrTooLarge
	case errors.Is(err, audio.ErrFormat), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("%w: %w", ErrFormat, err)
	}
	return err
}

// bounded reads a limited number of bytes, and only until its context ends.
type bounded struct {
	ctx  context.Context
	r    io.Reader
	left int64
	err  error // what stopped it, other than the end of input
}

// Read implements io.Reader.
func (b *bounded) Read(p []byte) (int, error) {
	if err := b.ctx.Err(); err != nil {
		b.err = err
		return 0, err
	}
	n, err := b.r.Read(p[:min(int64(len(p)), b.left+1)])
	if b.left -= int64(n); b.left < 0 {
		n, err = n+int(b.left), ErrTooLarge
		b.left = 0
	}
	if err != nil && !errors.Is(err, io.EOF) {
		b.err = err
	}
	return n, err
}

// passZeros skips leading zeros, which some programs leave after a tag, and returns the first
// bytes after them.
func passZeros(b *bufio.Reader) ([]byte, error) {
	for {
		head, err := b.Peek(sniffBytes)
		if errors.Is(err, io.EOF) {
			err = nil
		}
		zeros := len(head) - len(bytes.TrimLeft(head, "\x00"))
		if err != nil || zeros < sniffBytes/2 {
			return head, err
		}
		// One zero is left, so that a file of zeros is not taken for an empty one.
		if _, err := b.Discard(zeros - 1); err != nil {
			return nil, err
		}
	}
}

// skipID3 skips ID3 tags, which some programs put before files of any format.
func skipID3(b *bufio.Reader) error {
	for range 8 {
		head, err := b.Peek(10)
		if err != nil || !bytes.HasPrefix(head, []byte("ID3")) {
			return nil //nolint:nilerr // what is shorter fails where it is read
		}
		size := audio.TagSize(head)
		if _, err := io.CopyN(io.Discard, b, int64(size)); errors.Is(err, io.EOF) {
			return fmt.Errorf("%w: the tag before its sound claims to be longer than the file", ErrFormat)
		} else if err != nil {
			return err
		}
	}
	return fmt.Errorf("%w: tags without end", ErrFormat)
}
