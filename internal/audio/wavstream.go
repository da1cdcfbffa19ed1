package audio

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strconv"
)

// wavBlock is the number of samples per channel that StreamWAV passes on at once.
const wavBlock = 8192

// StreamWAV is ReadWAV without holding the audio as a whole: it passes pieces to each. maxBytes bounds
// the file; each has to bound the amount of audio. encoding is "pcm16", "mulaw" and so on; whole is
// false if the file ended before its claimed length. ErrMore is returned after all audio was passed on.
func StreamWAV(r io.Reader, maxBytes int64, each Blocks) (encoding string, whole bool, err error) {
	in := &limited{r: r, left: maxBytes}
	h, err := readWAVHead(in)
	if err != nil {
		return "", false, err
	}
	got, err := h.stream(in, each)
	if err != nil {
		return "", false, err
	}
	if !h.unset() && got >= h.want() {
		return h.encoding(), true, h.more(in)
	}
	return h.encoding(), h.unset(), nil
}

// more looks for another data chunk after the first, within the distance at which files have
// chunks, or for data that is not a chunk and too long for anything but audio. Errors in it do
// not affect the audio already read.
func (h wavHead) more(in *limited) error {
	const most = 32
	err := error(nil)
	if h.want()&1 == 1 {
		_, err = h.unpadded(in)
	}
	for n := 0; err == nil && n < most; n++ {
		var c [8]byte
		if err = in.full(c[:]); err != nil {
			break
		}
		if !h.isChunk(c[:]) {
			return h.goesOn(in)
		}
		size := int64(binary.LittleEndian.Uint32(c[4:]))
		if string(c[:4]) == "data" && size > 0 {
			return ErrMore
		}
		_, err = h.pass(in, size)
	}
	return nil //nolint:nilerr // see above
}

// goesOn returns ErrMore if a second of audio or more is left that belongs to no chunk: the length
// of the first was then wrong.
func (h wavHead) goesOn(in *limited) error {
	if err := in.skip(int64(h.rate * h.frame())); err == nil {
		return ErrMore
	}
	return nil
}

// stream reads the samples and returns the number of bytes.
func (h wavHead) stream(in *limited, each Blocks) (int64, error) {
	channels := make([][]int16, h.channels)
	block := make([][]int16, h.channels)
	for c := range channels {
		channels[c] = make([]int16, wavBlock)
	}
	raw := make([]byte, wavBlock*h.frame())
	for got := int64(0); ; {
		n, err := in.some(raw[:min(int64(len(raw)), h.want()-got)])
		got += int64(n)
		for c := range block {
			block[c] = channels[c][:n/h.frame()]
		}
		h.decode(block, raw)
		if each := each(h.rate, block); each != nil {
			return got, each
		}
		if errors.Is(err, io.EOF) || got >= h.want() {
			return got, nil
		}
		if err != nil {
			return got, err
		}
	}
}

// some fills b as far as there is data, and returns io.EOF at the end.
func (l *limited) some(b []byte) (int, error) {
	n, err := io.ReadFull(l.r, b)
	if l.left -= int64(n); l.left < 0 {
		return 0, ErrTooLarge
	}
	switch {
	case err == nil:
		return n, nil
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return n, io.EOF
	}
	return n, fmt.Errorf("reading WAV data: %w", err)
}

// encoding returns the name of the encoding.
func (f *format) encoding() string {
	switch f.tag {
	case tagFloat:
		return "float" + strconv.Itoa(f.bits)
	case tagALaw:
		return "alaw"
	case tagMuLaw:
		return "mulaw"
	}
	return "pcm" + strconv.Itoa(f.bits)
}
