package flac

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/ringtrue/ringtrue/internal/audio"
)

// errEnd means that no further frame begins.
var errEnd = errors.New("end of the frames")

// maxChannels is the maximum number of channels.
const maxChannels = 8

// maxBlock is the maximum number of samples per channel in one frame.
const maxBlock = 65535

// decoder decodes frames.
type decoder struct {
	bits *bitReader
	info streamInfo
	left int64 // samples of all channels that may still be decoded
	pcm  [maxChannels][]int64
	// trusting accepts frames with any checksum, for tests that fabricate frames.
	trusting bool
	done     uint64 // samples per channel passed on
	joined   bool   // another file preceded the current one
	more     bool   // a file that is not read follows
	fault    error  // the first error that was skipped
	last     frameHead
	count    counting
	probe    *bitReader // parses what may be a header
	claimed  int        // samples of all channels that the current frame claims to have
	inVain   int        // samples claimed by invalid frames, beyond what their bytes can hold
}

// frameHead is the header of a frame.
type frameHead struct {
	size       int // samples per channel
	assignment uint64
	channels   int
	bits       uint
	variable   bool   // number counts samples rather than frames
	number     uint64 // as stored in the frame
}

// frame reads the next frame and appends it to out.
func (d *decoder) frame(out *sound) error {
	b := d.bits
	head, err := b.r.Peek(len("APETAGEX"))
	if errors.Is(err, io.EOF) && len(head) == 0 || bytes.HasPrefix(head, []byte("TAG")) || string(head) == "APETAGEX" || bytes.HasPrefix(head, []byte(magic)) {
		return errEnd
	}
	b.begin()
	d.claimed = 0
	f, err := d.header()
	if err != nil {
		return err
	}
	d.claimed = f.size * f.channels
	if d.left -= int64(d.claimed); d.left < 0 {
		return audio.ErrTooLarge
	}
	for c := range f.channels {
		if cap(d.pcm[c]) < f.size {
			d.pcm[c] = make([]int64, f.size)
		}
		d.pcm[c] = d.pcm[c][:f.size]
		if err := d.subframe(d.pcm[c], f.width(c)); err != nil {
			return err
		}
	}
	b.align()
	if err := d.sum(uint64(b.crc16), 16); err != nil {
		return err
	}
	decorrelate(f.assignment, d.pcm[0], d.pcm[1])
	for c := range f.channels {
		out.channels[c] = append16(out.channels[c], d.pcm[c], f.bits)
	}
	d.last = f
	return nil
}

// sum reads a checksum and compares it with the computed one.
func (d *decoder) sum(want uint64, width uint) error {
	if got := d.bits.read(width); d.bits.err != nil || got != want && !d.trusting {
		return orFormat(d.bits.err, "a frame does not match its checksum")
	}
	return nil
}

// fits reports whether a frame agrees with the file's description.
func (f *frameHead) fits(info streamInfo) bool {
	return f.size > 0 && f.size <= maxBlock && f.assignment <= 10 && f.bits > 0 && f.channels == info.channels
}

// width returns the bits per sample of a channel: a difference needs one more.
func (f *frameHead) width(channel int) uint {
	if channel == 1 && (f.assignment == 8 || f.assignment == 10) || channel == 0 && f.assignment == 9 {
		return f.bits + 1
	}
	return f.bits
}

func (d *decoder) header() (frameHead, error) {
	b := d.bits
	sync, reserved := b.read(14), b.read(1)
	f := frameHead{variable: b.read(1) == 1}
	size, rate := b.read(4), b.read(4)
	f.assignment = b.read(4)
	width, spare := b.read(3), b.read(1)
	if b.err != nil {
		return f, b.err
	}
	if sync != 0x3ffe || reserved != 0 || spare != 0 {
		return f, fmt.Errorf("%w: no frame where one has to begin", errFormat)
	}
	var err error
	if f.number, err = b.codedNumber(); err != nil {
		return f, err
	}
	f.size = b.blockSize(size)
	given := b.sampleRate(rate, d.info.rate)
	f.bits = sampleBits(width, d.info.bits)
	f.channels = 2
	if f.assignment < 8 {
		f.channels = int(f.assignment) + 1
	}
	if err := d.sum(uint64(b.crc8), 8); err != nil {
		return f, err
	}
	if !f.fits(d.info) || given != d.info.rate {
		return f, fmt.Errorf("%w: a frame of another kind than the file", errFormat)
	}
	return f, nil
}

// codedNumber reads the number of a frame, which is encoded like a UTF-8 character.
func (b *bitReader) codedNumber() (uint64, error) {
	first := b.read(8)
	more := 0
	for mask := uint64(0x80); first&mask != 0 && mask > 1; mask >>= 1 {
		more++
	}
	if more == 1 || more > 7 {
		return 0, fmt.Errorf("%w: the number of a frame", errFormat)
	}
	number := first & (0x7f >> more)
	for i := 1; i < more; i++ {
		next := b.read(8)
		if next>>6 != 2 {
			return 0, orFormat(b.err, "the number of a frame")
		}
		number = number<<6 | next&0x3f
	}
	return number, b.err
}

// blockSize returns the number of samples that a code stands for, 0 if it is reserved.
func (b *bitReader) blockSize(code uint64) int {
	switch {
	case code == 1:
		return 192
	case code >= 2 && code <= 5:
		return 576 << (code - 2)
	case code == 6:
		return int(b.read(8)) + 1
	case code == 7:
		return int(b.read(16)) + 1
	case code >= 8:
		return 256 << (code - 8)
	}
	return 0
}

// sampleRate returns the rate that a code stands for, 0 if it is invalid.
func (b *bitReader) sampleRate(code uint64, usual int) int {
	rates := [12]int{usual, 88200, 176400, 192000, 8000, 16000, 22050, 24000, 32000, 44100, 48000, 96000}
	switch {
	case code < 12:
		return rates[code]
	case code == 12:
		return int(b.read(8)) * 1000
	case code == 13:
		return int(b.read(16))
	case code == 14:
		return int(b.read(16)) * 10
	}
	return 0
}

// sampleBits returns the bits per sample that a code stands for, 0 if it is reserved.
func sampleBits(code uint64, usual int) uint {
	return [8]uint{uint(usual), 8, 12, 0, 16, 20, 24, 32}[code]
}

// decorrelate restores left and right from the stereo coding of a pair.
func decorrelate(assignment uint64, a, b []int64) {
	switch assignment {
	case 8: // left and difference
		for i := range a {
			b[i] = a[i] - b[i]
		}
	case 9: // difference and right
		for i := range a {
			a[i] += b[i]
		}
	case 10: // mid and difference
		for i := range a {
			mid := a[i]<<1 | b[i]&1
			a[i], b[i] = (mid+b[i])>>1, (mid-b[i])>>1
		}
	}
}

// append16 appends samples of the given width as 16 bits.
func append16(out []int16, pcm []int64, width uint) []int16 {
	for _, v := range pcm {
		if width > 16 {
			v >>= width - 16
		} else {
			v <<= 16 - width
		}
		out = append(out, int16(max(-32768, min(32767, v))))
	}
	return out
}
