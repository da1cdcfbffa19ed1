package mp3

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"slices"

	"github.com/ringtrue/ringtrue/internal/audio"
)

// delay is the delay of such a decoder in samples.
const delay = 529

// usual is how many samples precede the audio if no tag says so: the encoder has a delay too, 576
// samples for LAME and a similar number for others. An excerpt has no such samples.
const usual = 576 + delay

// tag is the information that an encoder writes into a first frame without audio, in each of several
// concatenated files.
type tag struct {
	frames     int // with audio, 0 if unknown
	skip, trim int // samples to drop at the beginning and the end
}

// readTag reads the tag. ok is false if the frame is an audio frame.
func readTag(h header, frame []byte) (t tag, ok bool) {
	if len(frame) > 40 && string(frame[36:40]) == "VBRI" {
		return tag{}, true
	}
	at := headerBytes + h.sideBytes()
	if h.protected {
		at -= 2 // the position ignores the checksum
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

// passTags skips tags before the next frame: of concatenated files, each has its own, before or
// after it. A tag longer than the file is damage.
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
	oldTag  = 128 // length of an ID3v1 tag
	newTag  = 10  // length of the header of an ID3v2 tag
	apeHead = 32  // and of APE
)

// tagSize returns the length of the tag that begins here, 0 if there is none.
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

// endsWith records that so many bytes after the last frame are not frames. If they are as many as a second of audio, audio
// was lost, as in a partially downloaded file, unless they are text: lyrics can be long.
func (d *Decoder) endsWith(skipped int, words bool) {
	if d.frames > 0 && !words && skipped >= d.stream.size*d.stream.rate/d.stream.samples() {
		d.Damaged = true
	}
}

// kept returns which of a frame's samples are to be heard; number counts from 2 after the tag.
func (t tag) kept(number, samples int) (from, to int) {
	to = samples
	if t.skip == 0 {
		return 0, to
	}
	before := (number - 2) * samples
	from = min(max(t.skip-before, 0), samples)
	if left := t.frames - (number - 1); t.frames > 0 && left >= 0 {
		// Only what the tag calls the last frames is trimmed, so a false tag has little effect.
		to = min(max(samples-max(t.trim-left*samples, 0), from), samples)
	}
	return from, to
}
