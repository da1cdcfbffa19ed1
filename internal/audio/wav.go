package audio

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
)

// ErrFormat means that the input is not a WAV file this package can read, ErrTooLarge that it is longer than allowed.
var (
	ErrFormat   = errors.New("not a readable WAV file")
	ErrTooLarge = errors.New("WAV file too large")
)

// ErrMore means that a WAV file has more samples after its first data chunk, which are not read.
var ErrMore = errors.New("more sound behind the first chunk of it")

// MinRate and MaxRate bound the sample rates of files read and written, in Hz.
const (
	MinRate = 1000
	MaxRate = 384000
)

const maxChannels = 8

// The format tags of WAVE files.
const (
	tagPCM        = 1
	tagFloat      = 3
	tagALaw       = 6
	tagMuLaw      = 7
	tagExtensible = 0xFFFE
)

// WAV is the content of a WAV file: one slice per channel, all of the same length.
type WAV struct {
	Rate     int
	Channels [][]int16
}

// ReadWAV reads a WAV file of at most maxBytes: 1 to 8 channels of PCM with 8 to 32 bits, float with
// 32 or 64, mu-law or A-law, plain or extensible. If a data chunk ends too early, what is there is
// kept; a data chunk whose length was never filled in (2 GB or more, or almost none although audio
// follows) extends to the end. Errors wrap ErrFormat or ErrTooLarge, or are the reader's own.
func ReadWAV(r io.Reader, maxBytes int64) (WAV, error) {
	in := &limited{r: r, left: maxBytes}
	h, err := readWAVHead(in)
	if err != nil {
		return WAV{}, err
	}
	return h.read(in)
}

// wavHead is everything before the samples.
type wavHead struct {
	*format
	riff, data uint64 // lengths claimed by the file
	long       uint64 // data length in a file beyond 4 GB
	at         int64  // offset of the samples
	empty      bool   // there was an empty data chunk
}

// unset reports whether the length of the data was never filled in.
func (h wavHead) unset() bool {
	return h.data == math.MaxUint32 || h.data == 0 && (h.riff == 0 || h.riff == math.MaxUint32 || h.riff+8 <= uint64(h.at))
}

// doubt examines what follows a tiny data length: programs that cannot seek back write 0, 1 or 2 there.
// If neither the file ends nor another chunk begins, audio follows, and the length was never filled in.
func (h *wavHead) doubt(in *limited) error {
	const head = 8
	if h.unset() || h.data >= uint64(max(h.rate/100*h.frame(), 1)) {
		return nil
	}
	next := make([]byte, int(h.data+h.data&1)+head)
	n, err := in.peek(next)
	if err != nil {
		return err
	}
	if n == len(next) && !h.isChunk(next[n-head:]) && !h.isChunk(next[h.data:]) {
		h.data = math.MaxUint32
	}
	return nil
}

// maxTag is an upper bound for the length of chunks after the audio.
const maxTag = 1 << 20

// isChunk reports whether a chunk can begin there: its name is text, and the file claims to be
// long enough for it.
func (h *wavHead) isChunk(head []byte) bool {
	for _, c := range head[:4] {
		if c < ' ' || c > '~' {
			return false
		}
	}
	size := uint64(binary.LittleEndian.Uint32(head[4:]))
	if h.riff == 0 || h.riff == math.MaxUint32 {
		return size < maxTag
	}
	return uint64(h.at)+h.data+size <= h.riff+8
}

// want returns how many bytes of samples to read at most.
func (h wavHead) want() int64 {
	if h.unset() {
		return math.MaxInt64
	}
	return int64(min(h.data, math.MaxInt64))
}

// readWAVHead reads up to the samples.
func readWAVHead(in *limited) (wavHead, error) {
	var head [12]byte
	if err := in.full(head[:]); err != nil {
		return wavHead{}, err
	}
	if id := string(head[:4]); id != "RIFF" && id != "RF64" && id != "BW64" || string(head[8:]) != "WAVE" {
		return wavHead{}, fmt.Errorf("%w: no RIFF WAVE header", ErrFormat)
	}
	h := wavHead{riff: uint64(binary.LittleEndian.Uint32(head[4:])), at: int64(len(head))}
	for {
		sound, err := h.chunk(in)
		if h.empty && h.format != nil && errors.Is(err, ErrFormat) {
			return h, nil // there was an empty data chunk, and nothing in its place
		}
		if err != nil || sound {
			return h, err
		}
	}
}

// chunk reads the next chunk, and reports whether it is the data chunk; of that it reads only the header.
func (h *wavHead) chunk(in *limited) (sound bool, err error) {
	var c [8]byte
	if err := in.full(c[:]); err != nil {
		return false, err
	}
	size := binary.LittleEndian.Uint32(c[4:])
	padded := int64(size) + int64(size&1)
	h.at += int64(len(c)) + padded
	switch string(c[:4]) {
	case "fmt ":
		h.format, err = readFormat(in, size)
	case "ds64":
		h.long, err = readLong(in, padded)
	case "data":
		if h.format == nil {
			return false, fmt.Errorf("%w: data before fmt", ErrFormat)
		}
		h.at -= padded
		h.data = dataLength(size, h.long)
		if err := h.doubt(in); err != nil {
			return false, err
		}
		h.empty, err = h.isEmpty(in)
		return !h.empty, err
	default:
		h.at, err = h.pass(in, int64(size))
	}
	return false, err
}

// isEmpty reports whether the data chunk is empty and another chunk follows. Some programs
// write an empty one first, and the audio in a second.
func (h *wavHead) isEmpty(in *limited) (bool, error) {
	var next [8]byte
	if h.data != 0 {
		return false, nil
	}
	n, err := in.peek(next[:])
	return n == len(next) && (string(next[:4]) == "data" || !h.unset()), err
}

// pass skips a chunk that is not needed, and returns the offset of the next one.
func (h *wavHead) pass(in *limited, size int64) (at int64, err error) {
	if err := in.skip(size); err != nil || size&1 == 0 {
		return h.at, err
	}
	return h.unpadded(in)
}

// unpadded skips the padding byte after a chunk of odd length, and returns the offset of the
// next one. Some programs omit that byte; the next chunk then begins in its place.
func (h *wavHead) unpadded(in *limited) (at int64, err error) {
	var next [5]byte
	n, err := in.peek(next[:])
	if err != nil {
		return h.at, err
	}
	for _, name := range []string{"data", "fmt ", "fact", "LIST"} {
		if n == len(next) && string(next[:4]) == name {
			return h.at - 1, nil
		}
	}
	return h.at, in.skip(1)
}

// leastUnset is the smallest of the lengths written by programs that cannot seek back to fill
// in the real one: 2 GB less a page, 2 GB, 4 GB less a header, 4 GB.
const leastUnset = 0x7ffff000

// dataLength returns the length of the samples: that of the chunk, or for a file beyond 4 GB
// that given elsewhere.
func dataLength(size uint32, long uint64) uint64 {
	switch {
	case size == math.MaxUint32 && long > 0:
		return long
	case size >= leastUnset:
		return math.MaxUint32
	}
	return uint64(size)
}

// readLong reads the lengths of a file beyond 4 GB.
func readLong(in *limited, size int64) (uint64, error) {
	var b [16]byte
	if size < int64(len(b)) {
		return 0, fmt.Errorf("%w: ds64 chunk of %d bytes", ErrFormat, size)
	}
	if err := in.full(b[:]); err != nil {
		return 0, err
	}
	return binary.LittleEndian.Uint64(b[8:]), in.skip(size - int64(len(b)))
}

// format is the fmt chunk.
type format struct {
	tag, channels, bits int
	rate                int
}

func readFormat(in *limited, size uint32) (*format, error) {
	if size < 16 || size > 1024 {
		return nil, fmt.Errorf("%w: fmt chunk of %d bytes", ErrFormat, size)
	}
	b := make([]byte, size+size&1)
	if err := in.full(b); err != nil {
		return nil, err
	}
	le := binary.LittleEndian
	f := &format{tag: int(le.Uint16(b)), channels: int(le.Uint16(b[2:])), bits: int(le.Uint16(b[14:]))}
	rate := le.Uint32(b[4:])
	if f.tag == tagExtensible && size >= 40 {
		f.tag = int(le.Uint16(b[24:])) // the first two bytes of the sub-format are the plain tag
	}
	if f.channels < 1 || f.channels > maxChannels {
		return nil, fmt.Errorf("%w: %d channels (1 to %d)", ErrFormat, f.channels, maxChannels)
	}
	if rate < MinRate || rate > MaxRate {
		return nil, fmt.Errorf("%w: sample rate %d (%d to %d)", ErrFormat, rate, MinRate, MaxRate)
	}
	f.rate = int(rate)
	if err := f.fill(int(le.Uint16(b[12:]))); err != nil {
		return nil, err
	}
	if f.decoder() == nil {
		return nil, fmt.Errorf("%w: encoding %d%s with %d bits", ErrFormat, f.tag, strange(f.tag), f.bits)
	}
	return f, nil
}

// fill rounds the bits per sample up to whole bytes; block is the size of a sample of all channels
// according to the header. Telephone codecs have one byte per sample, even if the header describes
// the linear audio they stand for, and samples of 12 or 20 bits are left-aligned in their bytes.
// With fewer than 8 bits it is unknown whether several samples share a byte.
func (f *format) fill(block int) error {
	switch f.tag {
	case tagALaw, tagMuLaw:
		f.bits = 8
	case tagPCM:
		if f.bits < 8 {
			return fmt.Errorf("%w: %d bits per sample", ErrFormat, f.bits)
		}
		f.bits = (f.bits + 7) / 8 * 8
	}
	if f.tag == tagPCM && f.bits == 24 && block == 4*f.channels {
		// Some programs use the top three bytes, some the bottom three, some mean floats.
		return fmt.Errorf("%w: samples of 24 bits in 4 bytes", ErrFormat)
	}
	return nil
}

// strange returns the name of an unsupported encoding, "" if it has no well-known one.
func strange(tag int) string {
	switch tag {
	case 0x02, 0x11:
		return " (ADPCM)"
	case 0x31:
		return " (GSM 6.10)"
	case 0x45, 0x64:
		return " (G.726)"
	case 0x50, 0x55:
		return " (MPEG audio)"
	case 0x83:
		return " (G.729)"
	}
	return ""
}

// decoder returns a function that decodes one sample, nil if the format is unknown.
func (f *format) decoder() func(b []byte) int16 {
	switch {
	case f.tag == tagPCM && f.bits == 8:
		return func(b []byte) int16 { return (int16(b[0]) - 128) << 8 }
	case f.tag == tagPCM && (f.bits == 16 || f.bits == 24 || f.bits == 32):
		at := f.bits/8 - 2 // the two most significant bytes
		return func(b []byte) int16 { return int16(binary.LittleEndian.Uint16(b[at:])) }
	case f.tag == tagFloat && f.bits == 32:
		return func(b []byte) int16 { return fromFloat(float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))) }
	case f.tag == tagFloat && f.bits == 64:
		return func(b []byte) int16 { return fromFloat(math.Float64frombits(binary.LittleEndian.Uint64(b))) }
	case f.tag == tagMuLaw && f.bits == 8:
		return func(b []byte) int16 { return one(DecodeMuLaw, b) }
	case f.tag == tagALaw && f.bits == 8:
		return func(b []byte) int16 { return one(DecodeALaw, b) }
	}
	return nil
}

func one(decode func([]int16, []byte), b []byte) int16 {
	var s [1]int16
	decode(s[:], b[:1])
	return s[0]
}

// fromFloat maps ±1 to full scale; NaN becomes silence.
func fromFloat(x float64) int16 {
	if math.IsNaN(x) {
		return 0
	}
	return clamp(x * 32768)
}

// believed is the fraction of the claimed length (one in so many) that must have been read
// before memory is allocated for all of it.
const believed = 8

// read reads all samples. They are decoded on the fly, so that a recording of hours is not also
// held as bytes.
func (h wavHead) read(in *limited) (WAV, error) {
	w := WAV{Rate: h.rate, Channels: make([][]int16, h.channels)}
	all := h.want() / int64(h.frame())
	_, err := h.stream(in, func(_ int, block [][]int16) error {
		for c, pcm := range block {
			have := len(w.Channels[c]) + len(pcm)
			if have > cap(w.Channels[c]) && int64(have) >= all/believed && int64(have) <= all {
				w.Channels[c] = append(make([]int16, 0, all), w.Channels[c]...)
			}
			w.Channels[c] = append(w.Channels[c], pcm...)
		}
		return nil
	})
	if err != nil {
		return WAV{}, err
	}
	return w, nil
}

// frame returns the size in bytes of one sample of all channels.
func (f *format) frame() int { return f.bits / 8 * f.channels }

// decode fills the channels from interleaved samples.
func (f *format) decode(channels [][]int16, raw []byte) {
	width, decode := f.bits/8, f.decoder()
	for c, pcm := range channels {
		for i := range pcm {
			pcm[i] = decode(raw[(i*f.channels+c)*width:])
		}
	}
}

// limited reads at most a number of bytes.
type limited struct {
	r    io.Reader
	left int64
}

// full fills b.
func (l *limited) full(b []byte) error {
	if l.left -= int64(len(b)); l.left < 0 {
		return ErrTooLarge
	}
	_, err := io.ReadFull(l.r, b)
	return ended(err)
}

// peek fills b as far as there is data, which will be read again.
func (l *limited) peek(b []byte) (int, error) {
	n, err := io.ReadFull(l.r, b)
	l.r = io.MultiReader(bytes.NewReader(b[:n]), l.r)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil
	}
	if err != nil {
		return n, fmt.Errorf("reading WAV: %w", err)
	}
	return n, nil
}

// skip skips n bytes. A claimed length alone does not make a file too large.
func (l *limited) skip(n int64) error {
	passed, err := io.CopyN(io.Discard, l.r, min(n, l.left+1))
	if l.left -= passed; l.left < 0 {
		return ErrTooLarge
	}
	return ended(err)
}

// ended converts a premature end to a format error.
func ended(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("%w: it ends before its data", ErrFormat)
	}
	return fmt.Errorf("reading WAV: %w", err)
}
