// Package mp3 decodes MPEG audio layer III: MPEG-1, MPEG-2 and the low rates called MPEG-2.5 (8,
// 11.025 and 12 kHz), which are common in telephone recordings; mono, stereo, joint stereo
// (mid/side or intensity), constant and variable bit rates. It follows ISO/IEC 11172-3 and 13818-3.
//
// Its parent is package audio; package audio/decode passes it files that it has recognised as MP3.
// Its input is untrusted: no length in it is relied upon, damaged data becomes silence, and
// decoding continues with the next frame. Free bit rate and layers I and II are not supported.
package mp3

import (
	"bufio"
	"errors"
	"io"
)

// maxReservoir is how far before its frame main data may begin, in bytes.
const maxReservoir = 511

// Decoder decodes a stream frame by frame. Use New.
type Decoder struct {
	// Damaged is true if something was skipped or replaced by silence, Cut if the last frame is
	// incomplete. Both are final once Next has returned io.EOF.
	Damaged, Cut bool

	b        *bufio.Reader
	kernels  *kernels
	trees    [33]*tree
	rates    []bands
	layouts  [9]*layouts
	powers   []float32
	stream   header // of the last frame
	frames   int
	tag      tag
	reserve  []byte
	data     []byte
	channels [2]hybrid
	quanta   [granule]int32
	x        [2][granule]float32
	pcm      [2][2 * granule]int16
}

// New returns a decoder. The reader's buffer must hold two frames (4 KB).
func New(b *bufio.Reader) *Decoder {
	d := &Decoder{b: b, kernels: newKernels(), rates: bandTables(), powers: powers()}
	for number, code := range codes() {
		d.trees[number] = grow(code)
	}
	return d
}

// Next decodes the next frame. It returns its rate in Hz and one slice per channel, valid until
// the next call. It returns io.EOF at the end of the stream; any other error is the reader's.
func (d *Decoder) Next() (rate int, block [][]int16, err error) {
	for {
		h, frame, err := d.sync()
		if err != nil {
			return 0, nil, err
		}
		d.stream = h
		if t, tagged := readTag(h, frame); tagged || d.frames == 0 {
			d.tag, d.frames = t, 1 // the first frame holds no audio, whether it is there or not
			if tagged {
				if _, err := d.b.Discard(h.size); err != nil {
					return 0, nil, err
				}
				continue
			}
		}
		d.frames++
		alone := d.decode(h, frame)
		if d.frames == 2 && d.tag.skip == 0 && alone {
			d.tag.skip = usual
		}
		if _, err := d.b.Discard(h.size); err != nil {
			return 0, nil, err
		}
		from, to := d.tag.kept(d.frames, h.samples())
		out := [][]int16{d.pcm[0][from:to], d.pcm[1][from:to]}
		return h.rate, out[:h.channels], nil
	}
}

// sync finds the next frame and returns its bytes without consuming them.
func (d *Decoder) sync() (header, []byte, error) {
	if err := d.passTags(); err != nil {
		return header{}, nil, err
	}
	words := false
	for skipped := 0; ; skipped++ {
		head, err := d.b.Peek(headerBytes)
		if err != nil {
			d.endsWith(skipped, words)
			return header{}, nil, err
		}
		words = words || skipped == 0 && string(head) == "LYRI"
		if h, ok := parseHeader(head); ok {
			frame, sound, err := d.frame(h, skipped > 0 || d.frames == 0)
			if err != nil {
				return header{}, nil, err
			}
			if sound {
				d.Damaged = d.Damaged || skipped > 0 && d.frames > 0
				return h, frame, nil
			}
		}
		if _, err := d.b.Discard(1); err != nil {
			return header{}, nil, err
		}
	}
}

// frame returns the frame that seems to begin here. If none was expected, another frame must
// follow it for it to count.
func (d *Decoder) frame(h header, unsure bool) (frame []byte, sound bool, err error) {
	whole, err := d.b.Peek(h.size + headerBytes)
	switch {
	case err != nil && !errors.Is(err, io.EOF):
		return nil, false, err
	case len(whole) < h.size:
		d.Cut = d.Cut || !unsure
		return nil, false, nil
	case len(whole) < h.size+headerBytes:
		return whole[:h.size], !unsure || d.frames == 0, nil
	case unsure:
		next, ok := parseHeader(whole[h.size:])
		if !ok || !h.alike(next) || d.frames > 0 && !h.alike(d.stream) {
			return nil, false, nil
		}
	}
	return whole[:h.size], true, nil
}

// decode decodes one frame into pcm; what cannot be decoded becomes silence. It returns true if
// all the data that the frame depends on is there.
func (d *Decoder) decode(h header, frame []byte) (have bool) {
	for c := range d.pcm {
		clear(d.pcm[c][:])
	}
	at := headerBytes
	if h.protected {
		at += 2
	}
	end := headerBytes + h.sideBytes()
	s := readSide(h, &bits{data: frame[at:end]})
	own := frame[end:]
	begin := len(d.reserve) - s.begin
	if begin >= 0 {
		d.data = append(append(d.data[:0], d.reserve[begin:]...), own...)
	}
	d.reserve = append(d.reserve, own...)
	if over := len(d.reserve) - maxReservoir; over > 0 {
		d.reserve = d.reserve[:copy(d.reserve, d.reserve[over:])]
	}
	if begin < 0 {
		return false // it depends on earlier frames that are missing, like the first frame of an excerpt
	}
	if !d.granules(h, &s, &bits{data: d.data}) {
		d.Damaged = true
	}
	return true
}

// granules decodes the main data. It returns false if it does not fit into its bytes.
func (d *Decoder) granules(h header, s *side, b *bits) bool {
	l := d.layoutsOf(h)
	var f [2]factors
	for g := range h.granules() {
		for c := range h.channels {
			p := &s.parts[g][c]
			end := b.at + p.length
			if end > 8*len(d.data) {
				return false
			}
			if h.version == 1 {
				var before *factors
				if g == 1 {
					before = &f[c]
				}
				f[c] = readFactors1(b, p, l.of(p), s.share[c], before)
			} else {
				f[c] = readFactors2(b, p, h.intensity && c == 1)
			}
			d.samples(b, p, l.of(p), end, &d.quanta)
			d.lines(p, &f[c], l.of(p), &d.quanta, &d.x[c])
		}
		if h.channels == 2 {
			right := &s.parts[g][1]
			stereo(h, right, &f[1], l.of(right), &d.x)
		}
		for c := range h.channels {
			d.render(&s.parts[g][c], l, c, d.pcm[c][g*granule:(g+1)*granule])
		}
	}
	return true
}

// render synthesises the audio of one channel from its spectral lines.
func (d *Decoder) render(p *part, l *layouts, c int, out []int16) {
	longs := 32
	if p.short() {
		longs = 0
		if p.mixed {
			longs = l.longLines / 18
		}
		reorder(l.of(p), &d.x[c])
	}
	d.kernels.alias(&d.x[c], longs)
	var rows [18][32]float32
	d.channels[c].subbands(d.kernels, p, longs, &d.x[c], &rows)
	for i := range rows {
		d.channels[c].sound(d.kernels, &rows[i], out[32*i:32*i+32])
	}
}

func (d *Decoder) layoutsOf(h header) *layouts {
	if d.layouts[h.rateIndex] == nil {
		l := newLayouts(d.rates[h.rateIndex], h.version)
		d.layouts[h.rateIndex] = &l
	}
	return d.layouts[h.rateIndex]
}
