package leg

import (
	"encoding/binary"
	"sync/atomic"
	"unsafe"
)

// code is how a byte stands for a sample. In a chunk the byte of silence is 0, so
// that fresh memory is silence.
type code struct {
	decode  func(dst []int16, src []byte)
	silence byte
	loud    *[256]int16 // how loud each byte of a chunk is
}

// newCode measures how loud each byte is, so that nobody who asks for that needs memory.
func newCode(decode func(dst []int16, src []byte), silence byte) code {
	c := code{decode: decode, silence: silence, loud: new([256]int16)}
	for i := range c.loud {
		decode(c.loud[i:i+1], []byte{byte(i) ^ silence})
		c.loud[i] = loudness(c.loud[i])
	}
	return c
}

// loudness is by how much a sample differs from silence.
func loudness(v int16) int16 { return max(v, -max(v, -32767)) }

// track is one channel of a Tape.
type track struct {
	chunks []chunk
	// last is the chunk that was written last, laid the end of what was written into it.
	last    int
	laid    int
	end     int64
	written int64
	// spare is a chunk that was made ahead, asked the number of the one that was last asked for.
	spare atomic.Pointer[chunk]
	asked int
	asks  chan<- Ahead
}

// Ahead is memory that a Tape will need within seconds.
type Ahead struct {
	of    *track
	plain bool
}

// Make makes it. It may be called from any goroutine.
func (a Ahead) Make() { a.of.prepare(a.plain) }

// chunk is chunkSamples samples of a track: in the tape's code, or as they are
// where some of them came without it. Neither where nothing was written yet.
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
	// Silence beyond all that was written is there already, and memory that
	// nobody touches costs nothing.
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

// extend counts n samples written at pos.
func (k *track) extend(pos int64, n int) {
	k.written += int64(n)
	k.end = max(k.end, pos+int64(n))
}

// chunk is the one that a position lies in, and where in it.
func (k *track) chunk(pos int64) (at *chunk, offset int) {
	k.last = int(pos / chunkSamples)
	for len(k.chunks) <= k.last {
		k.chunks = append(k.chunks, chunk{})
	}
	return &k.chunks[k.last], int(pos % chunkSamples)
}

// ahead has the next chunk made once half of the present one is written. That much
// memory at once may mean work for the garbage collector, and this is a media thread.
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

// codes is fresh memory for the codes of a chunk.
func (k *track) codes() []byte {
	if spare := k.spare.Swap(nil); spare != nil && spare.codes != nil {
		return spare.codes
	}
	return make([]byte, chunkSamples)
}

// plain turns a chunk into samples as they are.
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

// read copies the track from its beginning on.
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

// turn writes codes into dst as they stand in a chunk, or back.
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

// silent says whether all codes are those of silence.
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

// warm fetches the memory that the next frame will go to, unless there is silence, which
// goes nowhere.
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
