// Package decode turns recordings that others made into sound: WAV, FLAC, MP3
// and Ogg Opus, mono or stereo, told apart by their content and by nothing else.
//
// It reads bytes that nobody vouches for. So whatever a file claims, memory and
// time stay within Limits; what is damaged or cut off gives the sound that is
// there, with a note; what is no recording gives ErrFormat and says what it seems
// to be. Package audio, its parent, holds the WAV and FLAC readers, audio/mp3 the
// MP3 decoder; Opus packets are decoded by a library, which is why this package
// stands one tier above audio. Package fetch gets the bytes, package review asks
// for the sound through a port of its own, and package speech reads what voices
// over HTTP answer with.
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

// What can be wrong with a recording.
var (
	// ErrFormat says that it is no recording this package can read.
	ErrFormat = errors.New("not a recording that can be read")
	// ErrTooLong says that it plays longer than allowed.
	ErrTooLong = errors.New("the recording is too long")
	// ErrTooFine says that it has more samples than sound of the longest length has
	// at 48 kHz.
	ErrTooFine = errors.New("the recording has too many samples")
	// ErrTooLarge says that the file is larger than allowed.
	ErrTooLarge = errors.New("the recording is too large")
)

// Why says in a clause what is wrong with a file that Decode called ErrFormat,
// "" when that tells no more than that it cannot be read. It quotes nothing of the file.
func Why(err error) string {
	text, found := strings.CutPrefix(err.Error(), ErrFormat.Error()+": ")
	if !found || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return ""
	}
	return text
}

// Limits bound what a recording may cost. The zero value has all defaults.
type Limits struct {
	// Bytes is the most that is read; 2 GiB when 0.
	Bytes int64
	// Length is the longest sound; 4 h when 0. Above 48 kHz it is as many samples.
	Length time.Duration
	// Rate is the highest sample rate kept in Hz; 16 kHz when 0. Sound of a higher
	// rate is taken down while it is decoded.
	Rate int
	// Wide is how long sound may be to be kept at more than 8 kHz; 1 h when 0. What turns
	// out longer is taken down to that, so that memory holds no more than Wide × Rate,
	// or Length × 8 kHz, × 2 channels × 2 bytes, and one channel twice at the end.
	Wide time.Duration
	// Heavy is asked once, as soon as the sound is longer than HeavyLength, and may let it
	// wait: whoever decodes several at a time need not hold several of hours. nil lets none wait.
	Heavy func(ctx context.Context) error
}

// HeavyLength is how long sound is that takes much memory.
const HeavyLength = 30 * time.Minute

// The defaults of Limits.
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

// Decode reads a whole recording. Its rate is the file's own, or limits.Rate when
// that is lower (Opus: the highest of 8, 12, 16, 24 and 48 kHz that is allowed), and
// not over 8 kHz where it is longer than limits.Wide.
// Errors wrap ErrFormat, ErrTooLong, ErrTooFine or ErrTooLarge, or are the context's or the
// reader's own. It never panics, whatever the bytes.
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

// read sniffs and decodes.
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

// kept makes a fault in the middle of a file a note, when there is sound before it, and so more sound
// behind it.
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

// The notes of a sound.
const (
	noteCut     = "the file ends before its sound does"
	noteMore    = "more sound stands behind it in the file, which is not read"
	noteBeside  = "another stream of sound stands beside it in the file, which is not read"
	noteDamaged = "the file is damaged; what could be read was kept"
)

// plain gives an error its final form.
func plain(err error, in *bounded) error {
	switch {
	case in.err != nil: // the reader's own error tells more than what came of it
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

// bounded reads no more than it may, and no longer than its context lives.
type bounded struct {
	ctx  context.Context
	r    io.Reader
	left int64
	err  error // what stopped it, other than the end
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

// passZeros passes over nothing but zeros, as some programs leave them behind a tag,
// and gives the first bytes of what is behind them.
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
		// One stays, so that a file of zeros is not taken for an empty one.
		if _, err := b.Discard(zeros - 1); err != nil {
			return nil, err
		}
	}
}

// skipID3 passes over tags that some programs put in front of anything.
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
