package audio

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
)

// wavHeaderBytes is the length of the header made by wavHeader.
const wavHeaderBytes = 44

// wavHeader returns the header of a WAV file of 16-bit PCM. frames is the number of samples per
// channel; if it is negative or too large, the header says "to the end".
func wavHeader(rate, channels int, frames int64) []byte {
	size := uint32(math.MaxUint32)
	riff := size
	if bytes := frames * int64(channels) * 2; frames >= 0 && frames < math.MaxInt32 && bytes <= math.MaxUint32-36 {
		size, riff = uint32(bytes), uint32(bytes)+36
	}
	le := binary.LittleEndian
	h := append(make([]byte, 0, wavHeaderBytes), "RIFF"...)
	h = le.AppendUint32(h, riff)
	h = append(h, "WAVEfmt "...)
	h = le.AppendUint32(h, 16)
	h = le.AppendUint16(h, tagPCM)
	h = le.AppendUint16(h, uint16(channels))
	h = le.AppendUint32(h, uint32(rate))
	h = le.AppendUint32(h, uint32(rate*channels*2))
	h = le.AppendUint16(h, uint16(channels*2))
	h = le.AppendUint16(h, 16)
	h = append(h, "data"...)
	return le.AppendUint32(h, size)
}

// WriteWAV writes channels as a WAV file of 16-bit PCM. Shorter channels are padded with silence.
func WriteWAV(w io.Writer, rate int, channels ...[]int16) error {
	n := 0
	for _, c := range channels {
		n = max(n, len(c))
	}
	out, err := NewWAVWriter(w, rate, len(channels), int64(n))
	if err != nil {
		return err
	}
	if err := out.Write(channels...); err != nil {
		return err
	}
	return out.Close()
}

// WAVWriter writes a WAV file of 16-bit PCM piece by piece.
type WAVWriter struct {
	w        io.Writer
	rate     int
	channels int
	frames   int64
	promised int64
	buf      []byte
}

// NewWAVWriter writes the header and returns a writer for the samples. frames is the number of
// samples per channel to follow, -1 if unknown; Close then fills it in if w can seek.
func NewWAVWriter(w io.Writer, rate, channels int, frames int64) (*WAVWriter, error) {
	if channels < 1 || channels > maxChannels || rate < MinRate || rate > MaxRate {
		return nil, fmt.Errorf("writing WAV: %d channels at %d Hz", channels, rate)
	}
	if _, err := w.Write(wavHeader(rate, channels, frames)); err != nil {
		return nil, fmt.Errorf("writing WAV header: %w", err)
	}
	return &WAVWriter{w: w, rate: rate, channels: channels, promised: frames}, nil
}

// Write appends samples, one slice per channel; shorter ones are padded with silence.
func (w *WAVWriter) Write(channels ...[]int16) error {
	if len(channels) != w.channels {
		return fmt.Errorf("writing WAV: %d channels instead of %d", len(channels), w.channels)
	}
	n := 0
	for _, c := range channels {
		n = max(n, len(c))
	}
	const piece = 8192
	for at := 0; at < n; at += piece {
		if err := w.piece(channels, at, min(n, at+piece)); err != nil {
			return err
		}
	}
	return nil
}

func (w *WAVWriter) piece(channels [][]int16, from, to int) error {
	need := (to - from) * w.channels * 2
	if cap(w.buf) < need {
		w.buf = make([]byte, need)
	}
	b := w.buf[:need]
	clear(b)
	for c, pcm := range channels {
		for i := from; i < min(to, len(pcm)); i++ {
			binary.LittleEndian.PutUint16(b[((i-from)*w.channels+c)*2:], uint16(pcm[i]))
		}
	}
	if _, err := w.w.Write(b); err != nil {
		return fmt.Errorf("writing WAV data: %w", err)
	}
	w.frames += int64(to - from)
	return nil
}

// Close completes the file. It does not close the underlying writer. It returns an error if the
// number of samples written differs from that announced.
func (w *WAVWriter) Close() error {
	if w.promised >= 0 {
		if w.frames != w.promised {
			return fmt.Errorf("writing WAV: %d samples instead of %d", w.frames, w.promised)
		}
		return nil
	}
	s, ok := w.w.(io.WriteSeeker)
	if !ok {
		return nil
	}
	return w.patch(s)
}

// patch writes the header again, once the length is known.
func (w *WAVWriter) patch(s io.WriteSeeker) error {
	back := -w.frames*int64(w.channels)*2 - wavHeaderBytes
	if _, err := s.Seek(back, io.SeekCurrent); err != nil {
		return fmt.Errorf("completing WAV: %w", err)
	}
	_, err := s.Write(wavHeader(w.rate, w.channels, w.frames))
	_, seek := s.Seek(0, io.SeekEnd)
	if err = errors.Join(err, seek); err != nil {
		return fmt.Errorf("completing WAV: %w", err)
	}
	return nil
}
