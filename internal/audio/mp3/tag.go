package mp3

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"slices"

	"github.com/ringtrue/ringtrue/internal/audio"
)

// delay is how many samples a decoder of this kind is late.
const delay = 529

// usual is how many samples come before the sound where no tag says so: the encoder is late too,
// LAME by 576 and others by little else. What was cut out of a file begins in the middle of sound.
const usual = 576 + delay

// tag is what an encoder wrote into a first frame that holds no sound: the first of each of the files
// that were put one behind the other.
type tag struct {
	frames     int // of sound, 0 when it did not say
	skip, trim int // samples to leave out at the beginning and the end
}

// readTag reads it; ok is false when the frame is one of sound.
func readTag(h header, frame []byte) (t tag, ok bool) {
	if len(frame) > 40 && string(frame[36:40]) == "VBRI" {
		return tag{}, true
	}
	at := headerBytes + h.sideBytes()
	if h.protected {
		at -= 2 // these tags take no notice of the checksum
	}
	if len(frame) < at+8 || !bytes.Equal(frame[at:at+4], []byte("Xing")) && !bytes.Equal(frame[at:at+4], []byte("Info")) {
		return tag{}, false
	}
	flags := binary.BigEndian.Uint32(frame[at+4:])
	rest := frame[at+8:]
	for i, size := range []int{4, 4, 100, 4} {
		if flags>>i&1 == 0 {
			continue
		}
		if len(rest) < size {
			return t, true
		}
		if i == 0 {
			t.frames = int(binary.BigEndian.Uint32(rest))
		}
		rest = rest[size:]
	}
	if len(rest) < 24 || !bytes.HasPrefix(rest, []byte("LAME")) && !bytes.HasPrefix(rest, []byte("Lav")) {
		return t, true
	}
	n := int(rest[21])<<16 | int(rest[22])<<8 | int(rest[23])
	if begin, end := n>>12, n&0xfff; begin > 0 {
		t.skip, t.trim = begin+delay, max(end-delay, 0)
	}
	return t, true
}

// passTags passes over tags before the next frame: where files were put one behind the other, each
// has its own, before it or behind it. One that claims more than there is is damage.
func (d *Decoder) passTags() error {
	for {
		head, _ := d.b.Peek(apeHead)
		size := tagSize(head)
		if size == 0 {
			return nil
		}
		if _, err := d.b.Discard(size); err != nil {
			d.Damaged = d.Damaged || errors.Is(err, io.EOF) && size > oldTag
			return err
		}
	}
}

const (
	oldTag  = 128 // the length of a tag of ID3 version 1
	newTag  = 10  // that of the head of a later one
	apeHead = 32  // and of APE
)

// tagSize is how long the tag is that begins here, 0 where none does.
func tagSize(head []byte) int {
	switch {
	case bytes.HasPrefix(head, []byte("TAG")):
		return oldTag
	case bytes.HasPrefix(head, []byte("ID3")) && len(head) >= newTag:
		if slices.ContainsFunc(head[6:newTag], func(c byte) bool { return c > 0x7f }) {
			return 0
		}
		return audio.TagSize(head)
	case bytes.HasPrefix(head, []byte("APETAGEX")) && len(head) == apeHead:
		if isHead := head[23]&0x20 != 0; !isHead {
			return apeHead
		}
		return apeHead + int(binary.LittleEndian.Uint32(head[12:]))
	}
	return 0
}

// endsWith takes in that so many bytes behind the last frame are none. As much of them as a second of sound
// takes is sound that is lost, as in a file that came half, and not what programs leave there; words of songs may be long.
func (d *Decoder) endsWith(skipped int, words bool) {
	if d.frames > 0 && !words && skipped >= d.stream.size*d.stream.rate/d.stream.samples() {
		d.Damaged = true
	}
}

// kept is what of a frame's samples is to be heard; number counts from 2 behind the tag.
func (t tag) kept(number, samples int) (from, to int) {
	to = samples
	if t.skip == 0 {
		return 0, to
	}
	before := (number - 2) * samples
	from = min(max(t.skip-before, 0), samples)
	if left := t.frames - (number - 1); t.frames > 0 && left >= 0 {
		// Only what the tag calls the last frames is trimmed: a tag that lies costs no more.
		to = min(max(samples-max(t.trim-left*samples, 0), from), samples)
	}
	return from, to
}
