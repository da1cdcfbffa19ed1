package leg

import (
	"encoding/binary"
	"sync/atomic"
	"unsafe"
)

// code describes how a byte encodes a sample. In chunks, codes are stored XORed with that of
// silence, so that zeroed memory is silence.
type code struct {
	decode  func(dst []int16, src []byte)
	silence byte
	loud    *[256]int16 // peak of each byte as stored in a chunk
}

// newCode returns the code with its table of peaks, so that measuring loudness needs no buffer.
func newCode(decode func(dst []int16, src []byte), silence byte) code {
	c := code{decode: decode, silence: silence, loud: new([256]int16)}
	for i := range c.loud {
		decode(c.loud[i:i+1], []byte{byte(i) ^ silence})
		c.loud[i] = loudness(c.loud[i])
	}
	return c
}

// loudness returns the absolute value of a sample, at most 32767.
func loudness(v int16) int16 { return max(v, -max(v, -32767)) }

// track is one channel of a Tape.
type track struct {
	chunks []chunk
	// last is the index of the chunk written last, laid the end of what was written into it.
	last    int
	laid    int
	end     int64
	written int64
	// spare is a chunk allocated ahead of time, asked the index of the last chunk asked for.
	spare atomic.Pointer[chunk]
	asked int
	asks  chan<- Ahead
}

// Ahead is a request for memory that a Tape will need within seconds.
type Ahead struct {
	of    *track
	plain bool
}

// Make allocates the memory. It may be called from any goroutine.
func (a Ahead) Make() { a.of.prepare(a.plain) }

// chunk is chunkSamples samples of a track: codes in the tape's code, or pcm if some of them
// were not written as codes. Both are nil before the first write.
type chunk struct {
	codes []byte
	pcm   []int16
}

func (k *track) write(c *code, pos int64, pcm []int16) {
	k.extend(pos, len(pcm))
	for len(pcm) > 0 {
		at, offset := k.chunk(pos)
		k.plain(at, c)
		n := copy(at.pcm[offset:], pcm)
		k.laid = offset + n
		k.ahead()
		pcm, pos = pcm[n:], pos+int64(n)
	}
}

func (k *track) writeCoded(c *code, pos int64, codes []byte) {
	// Silence beyond the end is implied, and needs no memory.
	if pos >= k.end && c.silent(codes) {
		k.extend(pos, len(codes))
		return
	}
	k.extend(pos, len(codes))
	for len(codes) > 0 {
		at, offset := k.chunk(pos)
		n := min(len(codes), chunkSamples-offset)
		switch {
		case at.pcm != nil:
			c.decode(at.pcm[offset:], codes[:n])
		case at.codes == nil:
			at.codes = k.codes()
			fallthrough
		default:
			c.turn(at.codes[offset:], codes[:n])
		}
		k.laid = offset + n
		k.ahead()
		codes, pos = codes[n:], pos+int64(n)
	}
}

// extend accounts for n samples written at pos.
func (k *track) extend(pos int64, n int) {
	k.written += int64(n)
	k.end = max(k.end, pos+int64(n))
}

// chunk returns the chunk that holds pos, adding it if necessary, and the offset within it.
func (k *track) chunk(pos int64) (at *chunk, offset int) {
	k.last = int(pos / chunkSamples)
	for len(k.chunks) <= k.last {
		k.chunks = append(k.chunks, chunk{})
	}
	return &k.chunks[k.last], int(pos % chunkSamples)
}

// ahead requests the next chunk once half of the current one is written. An allocation of that
// size may involve the garbage collector, which the media thread must not wait for.
func (k *track) ahead() {
	if k.laid < chunkSamples/2 || k.asked > k.last {
		return
	}
	k.asked = k.last + 1
	next := Ahead{of: k, plain: k.chunks[k.last].pcm != nil}
	select {
	case k.asks <- next:
	default:
		go next.Make()
	}
}

func (k *track) prepare(plain bool) {
	if plain {
		k.spare.Store(&chunk{pcm: make([]int16, chunkSamples)})
		return
	}
	k.spare.Store(&chunk{codes: make([]byte, chunkSamples)})
}

// codes returns zeroed memory for the codes of a chunk, the spare if there is one.
func (k *track) codes() []byte {
	if spare := k.spare.Swap(nil); spare != nil && spare.codes != nil {
		return spare.codes
	}
	return make([]byte, chunkSamples)
}

// plain converts a chunk from codes to samples.
func (k *track) plain(h *chunk, c *code) {
	if h.pcm != nil {
		return
	}
	if spare := k.spare.Swap(nil); spare != nil && spare.pcm != nil {
		h.pcm = spare.pcm
	} else {
		h.pcm = make([]int16, chunkSamples)
	}
	if h.codes != nil {
		c.turn(h.codes, h.codes)
		c.decode(h.pcm, h.codes)
		h.codes = nil
	}
}

// read copies the track to out, from its beginning.
func (k *track) read(c *code, out []int16) {
	buf := make([]byte, 0)
	for i, h := range k.chunks {
		from := i * chunkSamples
		if from >= len(out) {
			return
		}
		switch part := out[from:min(from+chunkSamples, len(out))]; {
		case h.pcm != nil:
			copy(part, h.pcm)
		case h.codes != nil:
			buf = append(buf[:0], h.codes[:len(part)]...)
			c.turn(buf, buf)
			c.decode(part, buf)
		}
	}
}

// turn converts codes to the form stored in a chunk, or back.
func (c *code) turn(dst, codes []byte) {
	dst = dst[:len(codes)]
	word := uint64(c.silence) * 0x0101010101010101
	for len(codes) >= 8 {
		binary.LittleEndian.PutUint64(dst, binary.LittleEndian.Uint64(codes)^word)
		dst, codes = dst[8:], codes[8:]
	}
	for i, b := range codes {
		dst[i] = b ^ c.silence
	}
}

// silent reports whether all codes are silence.
func (c *code) silent(codes []byte) bool {
	word := uint64(c.silence) * 0x0101010101010101
	for len(codes) >= 8 {
		if binary.LittleEndian.Uint64(codes) != word {
			return false
		}
		codes = codes[8:]
	}
	for _, b := range codes {
		if b != c.silence {
			return false
		}
	}
	return true
}

// warm prefetches the memory that the next frame is written to, unless the track ends in
// silence, which has none.
func (k *track) warm(fetch Fetch) {
	const frame = 160 // samples
	at := int(k.end) - k.last*chunkSamples
	if at != k.laid || k.last >= len(k.chunks) {
		return
	}
	if h := &k.chunks[k.last]; at < len(h.codes) {
		fetch(unsafe.Pointer(&h.codes[at]), uintptr(min(frame, len(h.codes)-at)))
	} else if at < len(h.pcm) {
		fetch(unsafe.Pointer(&h.pcm[at]), uintptr(2*min(frame, len(h.pcm)-at)))
	}
}
