package archive

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"time"
)

// header is what the front of a recording's file tells; the reader then stands
// on the first sample.
type header struct {
	rate int
	// frames is the number of samples per channel.
	frames int64
	// offset is where the first sample stands in the file.
	offset int64
}

// at is the sample at a time; a time beyond any recording is as late as can be.
func (h *header) at(t time.Duration) int64 {
	return int64(min(t, maxLength) / time.Microsecond * time.Duration(h.rate) / 1e6)
}

// maxLength is longer than any recording that fits into a WAV file.
const maxLength = 24 * time.Hour

// The format tags of linear PCM, plain and inside WAVE_FORMAT_EXTENSIBLE.
const (
	tagPCM        = 1
	tagExtensible = 0xfffe
)

// maxChunk bounds a chunk that is skipped before the samples.
const maxChunk = 1 << 20

var errNotWAV = errors.New("not a RIFF WAVE file")

// readHeader reads up to the first sample. It takes what this project writes,
// two channels of 16-bit PCM; package audio reads other kinds, whole.
func readHeader(r *bufio.Reader) (header, error) {
	var riff [12]byte
	if _, err := io.ReadFull(r, riff[:]); err != nil {
		return header{}, fmt.Errorf("%w: %w", errNotWAV, err)
	}
	if string(riff[:4]) != "RIFF" || string(riff[8:]) != "WAVE" {
		return header{}, errNotWAV
	}
	h := header{offset: int64(len(riff))}
	for range 64 {
		var head [8]byte
		if _, err := io.ReadFull(r, head[:]); err != nil {
			return header{}, fmt.Errorf("no samples: %w", err)
		}
		size := int64(binary.LittleEndian.Uint32(head[4:]))
		h.offset += int64(len(head))
		switch name := string(head[:4]); {
		case name == "data" && h.rate == 0:
			return header{}, errors.New("the samples come before the format")
		case name == "data":
			h.frames = size / 4
			return h, nil
		case size > maxChunk:
			return header{}, fmt.Errorf("a chunk of %d bytes stands before the samples", size)
		case name == "fmt ":
			if err := h.readFormat(r, size); err != nil {
				return header{}, err
			}
		default:
			if _, err := r.Discard(int(size + size%2)); err != nil {
				return header{}, fmt.Errorf("a chunk is cut off: %w", err)
			}
		}
		h.offset += size + size%2
	}
	return header{}, errors.New("too many chunks before the samples")
}

func (h *header) readFormat(r *bufio.Reader, size int64) error {
	if size < 16 {
		return errors.New("the format is too short")
	}
	body := make([]byte, size+size%2)
	if _, err := io.ReadFull(r, body); err != nil {
		return fmt.Errorf("the format is cut off: %w", err)
	}
	tag, channels, bits := binary.LittleEndian.Uint16(body), binary.LittleEndian.Uint16(body[2:]), binary.LittleEndian.Uint16(body[14:])
	if tag == tagExtensible && size >= 26 {
		tag = binary.LittleEndian.Uint16(body[24:])
	}
	rate := binary.LittleEndian.Uint32(body[4:])
	if tag != tagPCM || channels != 2 || bits != 16 || rate == 0 || rate > 384_000 {
		return fmt.Errorf("format %d with %d channels of %d bits at %d Hz is not a recording of ours", tag, channels, bits, rate)
	}
	h.rate = int(rate)
	return nil
}
