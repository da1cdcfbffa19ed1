package decode

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/thesyncim/gopus"
)

const (
	opusClock = 48000 // granule positions and pre-skip count at this rate
	// maxHole is the longest stretch without packets that is filled with silence,
	// in samples of opusClock. A longer one is a fault of the clock, not a pause.
	maxHole = 3600 * opusClock
	// leastHole is the shortest that is filled: the usual packet, as one is missing where the
	// network lost it. Clocks that waver by less make none.
	leastHole  = opusClock / 50
	maxOpusPCM = 5760 // samples of a channel that one packet may hold at 48 kHz
)

// opus reads an Ogg file of Opus (RFC 7845): one stream after another, each of
// one or two channels; other streams beside it are passed over.
func (s *sink) opus(b *bufio.Reader) error {
	o := newOggReader(b)
	f := &opusFile{sink: s}
	for {
		pg, err := o.next()
		if errors.Is(err, io.EOF) || errors.Is(err, ErrFormat) && f.link != nil {
			break
		}
		if err != nil {
			return err
		}
		if err := f.page(pg); err != nil {
			return err
		}
	}
	switch {
	case f.link == nil && f.other != "":
		return fmt.Errorf("%w: it is an Ogg file of %s; of Ogg files those of Opus are read", ErrFormat, f.other)
	case f.link == nil:
		return fmt.Errorf("%w: no Opus stream in the Ogg file", ErrFormat)
	case o.damaged || f.damaged:
		s.remark(noteDamaged)
	case o.cut || !f.ended:
		s.remark(noteCut)
	}
	return nil
}

// opusFile is the course of a file.
type opusFile struct {
	sink    *sink
	link    *opusLink // the stream that is read
	ended   bool      // it came to its end
	damaged bool
	other   string // what else there is, when there is no Opus
	inVain  int64  // samples of opusClock that were decoded and are not to be heard
}

// linkCost is what beginning a stream costs, as so many samples that nobody hears.
const linkCost = opusClock / 10

// waste takes in what was spent on samples that nobody hears. Streams may skip what they begin
// with and cut what they end with, and do so without end: then no limit of the sound holds them.
func (f *opusFile) waste(samples int64) error {
	f.inVain += samples
	if f.inVain > int64(f.sink.limits.Length.Seconds()*opusClock) {
		return fmt.Errorf("%w: hardly anything of its sound is to be heard", ErrFormat)
	}
	return nil
}

// page takes the next page of any stream.
func (f *opusFile) page(pg page) error {
	if pg.flags&flagBegins != 0 {
		return f.begin(pg)
	}
	if f.link == nil || f.ended || pg.serial != f.link.serial {
		return nil
	}
	if err := f.link.page(pg, f.sink); err != nil {
		return err
	}
	f.damaged = f.damaged || f.link.damaged
	f.ended = pg.flags&flagEnds != 0
	return f.waste(f.link.unheard())
}

// begin takes the first page of a stream.
func (f *opusFile) begin(pg page) error {
	head, ok := parseOpusHead(pg.body)
	if !ok {
		if f.other == "" {
			f.other = oggStranger(pg.body)
		}
		return nil
	}
	if f.link != nil && !f.ended {
		switch again := pg.serial == f.link.serial; {
		case again && f.link.told:
			return nil
		case f.link.told:
			f.damaged = true // one stream begins before the other ended: cut and joined
		case !again:
			f.sink.remark(noteBeside) // both have but begun: they lie side by side
		}
	}
	link, err := newOpusLink(pg, head, f.sink.limits.Rate)
	if errors.Is(err, ErrFormat) && f.sink.samples > 0 { // it takes nothing of what came before it
		f.sink.remark(noteMore)
		return f.waste(linkCost)
	}
	if err != nil {
		return err
	}
	f.link, f.ended = link, false
	return f.waste(linkCost)
}

// oggStranger names another codec in Ogg.
func oggStranger(body []byte) string {
	for _, s := range []signature{{1, "vorbis", "Vorbis"}, {1, "FLAC", "FLAC"}, {0, "Speex", "Speex"}, {1, "theora", "Theora"}} {
		if len(body) >= s.at+len(s.head) && string(body[s.at:s.at+len(s.head)]) == s.head {
			return s.says
		}
	}
	return "another codec"
}

// opusHead is the identification header.
type opusHead struct {
	channels int
	skip     int   // samples of opusClock to drop at the beginning
	gain     int16 // in dB × 256
	layout   *opusLayout
}

// opusLayout says where channels come from whose packets hold several streams.
type opusLayout struct {
	streams, coupled int    // how many streams a packet holds, and how many of them, the first, are stereo
	mapping          []byte // for each channel which of the streams' channels it is, 255 for silence
}

// maxStreams is how many streams a packet may hold: one for each channel.
const maxStreams = 2

// parseOpusLayout reads the table behind the header; nil where the channels are simply those
// of one stream.
func parseOpusLayout(channels int, b []byte) *opusLayout {
	const head = 21
	if len(b) < head+channels || b[head-3] == 0 {
		return nil
	}
	l := &opusLayout{streams: int(b[head-2]), coupled: int(b[head-1]), mapping: bytes.Clone(b[head : head+channels])}
	if l.streams == 1 && l.coupled == channels-1 && bytes.Equal(l.mapping, []byte{0, 1}[:channels]) {
		return nil
	}
	return l
}

func parseOpusHead(b []byte) (opusHead, bool) {
	if len(b) < 19 || string(b[:8]) != "OpusHead" || b[8]&0xF0 != 0 {
		return opusHead{}, false
	}
	le := binary.LittleEndian
	h := opusHead{channels: int(b[9]), skip: int(le.Uint16(b[10:])), gain: int16(le.Uint16(b[16:]))}
	if h.channels == 1 || h.channels == 2 {
		h.layout = parseOpusLayout(h.channels, b)
	}
	return h, true
}

// opusLink is one stream of a file.
type opusLink struct {
	serial   uint32
	rate     int
	channels int
	decoder  opusDecoder
	packets  packets
	told     bool // the comment header has passed
	damaged  bool

	skip     int64 // samples of opusClock still to drop
	position int64 // granule position after what was decoded; begins with the first page that tells one
	placed   bool
	doubtful bool // a page that was not the last told of less than it held: the positions count something else
	pcm      []int16
	lasted   int       // samples of a channel that the last packet had
	pending  [][]int16 // what the present page gave
	frames   int64     // samples of opusClock that the present page gave
}

// opusDecoder decodes the packets of a stream, or of several in one.
type opusDecoder interface {
	SetGain(gain int) error
	DecodeInt16(packet []byte, pcm []int16) (int, error)
}

// newOpusDecoder makes the decoder for packets with such a header.
func newOpusDecoder(rate int, h opusHead) (opusDecoder, error) {
	l := h.layout
	if l == nil {
		c := gopus.DefaultDecoderConfig(rate, h.channels)
		c.MaxPacketBytes = maxPacket // a file knows no network that would have its packets fit into 1500 bytes
		d, err := gopus.NewDecoder(c)
		if err != nil {
			return nil, fmt.Errorf("opus decoder: %w", err)
		}
		return d, nil
	}
	if l.streams > maxStreams {
		return nil, fmt.Errorf("%w: an Opus file of %d streams in one", ErrFormat, l.streams)
	}
	d, err := gopus.NewMultistreamDecoder(rate, h.channels, l.streams, l.coupled, l.mapping)
	if err != nil {
		return nil, fmt.Errorf("%w: an Opus file whose header does not say what its channels are", ErrFormat)
	}
	return d, nil
}

func newOpusLink(pg page, h opusHead, highest int) (*opusLink, error) {
	if h.channels < 1 || h.channels > 2 {
		return nil, fmt.Errorf("%w: an Opus stream of %d channels; mono and stereo are read", ErrFormat, h.channels)
	}
	rate := 8000
	for _, r := range []int{12000, 16000, 24000, 48000} {
		if r <= highest {
			rate = r
		}
	}
	d, err := newOpusDecoder(rate, h)
	if err != nil {
		return nil, err
	}
	if err := d.SetGain(int(h.gain)); err != nil {
		return nil, fmt.Errorf("%w: an Opus stream with a gain of %d", ErrFormat, h.gain)
	}
	l := &opusLink{
		serial: pg.serial, rate: rate, channels: h.channels, decoder: d, skip: int64(h.skip),
		pcm: make([]int16, maxOpusPCM*h.channels), lasted: rate / 50, pending: make([][]int16, h.channels),
	}
	l.packets.of(pg, func([]byte, bool) {})
	return l, nil
}

// page decodes the packets of a page and hands on what is to be heard of them.
func (l *opusLink) page(pg page, to *sink) error {
	l.frames = 0
	for c := range l.pending {
		l.pending[c] = l.pending[c][:0]
	}
	l.packets.of(pg, func(packet []byte, whole bool) {
		if !l.told { // the first packet after the head is the comment, longer than is kept when it holds a picture
			l.told = true
			whole = whole && !bytes.HasPrefix(packet, []byte("OpusTags"))
		}
		if whole {
			l.packet(packet)
		}
	})
	l.damaged = l.damaged || l.packets.lost
	if err := l.place(pg, to); err != nil {
		return err
	}
	l.drop()
	return to.add(l.rate, l.pending)
}

// unheard is how many samples of opusClock the page gave of which nothing was handed on.
func (l *opusLink) unheard() int64 {
	return l.frames - int64(len(l.pending[0]))*opusClock/int64(l.rate)
}

// packet decodes one packet; what is damaged becomes what the decoder makes up for a lost one,
// as long as the one before.
func (l *opusLink) packet(packet []byte) {
	n, err := l.decode(packet, l.pcm)
	if err != nil {
		l.damaged = true
		if n, err = l.decode(nil, l.pcm[:l.lasted*l.channels]); err != nil {
			return
		}
	}
	if n > 0 {
		l.lasted = n
	}
	for c := range l.pending {
		for i := range n {
			l.pending[c] = append(l.pending[c], l.pcm[i*l.channels+c])
		}
	}
	l.frames += int64(n) * opusClock / int64(l.rate)
}

// decode guards against a library that meets bytes nobody thought of.
func (l *opusLink) decode(packet []byte, pcm []int16) (n int, err error) {
	defer func() {
		if recover() != nil {
			n, err = 0, fmt.Errorf("%w: an Opus packet", ErrFormat)
		}
	}()
	if packet != nil && len(packet) == 0 {
		return 0, fmt.Errorf("%w: an empty Opus packet", ErrFormat)
	}
	n, err = l.decoder.DecodeInt16(packet, pcm)
	return min(max(n, 0), maxOpusPCM), err
}

// place holds what was decoded against the page's position: a hole before it is
// filled with silence, and what is beyond the end of the stream is cut off. The position
// goes on with what was given: holes too short to be filled add up until they are long
// enough, and positions that waver are made up for once.
func (l *opusLink) place(pg page, to *sink) error {
	if pg.granule == noGranule || l.frames == 0 && pg.flags&flagEnds == 0 {
		l.position += l.frames
		return nil
	}
	ends := pg.flags&flagEnds != 0
	l.anchor(pg.granule, ends)
	l.position += l.frames
	hole := pg.granule - l.position
	if hole < -opusClock/10 || hole >= leastHole {
		l.position = pg.granule
	}
	switch {
	case hole < 0 && ends:
		if !l.doubtful {
			l.cutEnd(-max(hole, -l.frames)) // a position may lie anywhere before the page
		}
	case hole < -opusClock/100:
		l.doubtful = true
	case hole > maxHole:
		l.damaged = true
	case hole >= leastHole && (!ends || l.packets.lost): // where no page is missing, the end is where the sound ends
		return to.pause(l.rate, l.channels, hole*int64(l.rate)/opusClock)
	}
	return nil
}

// anchor begins to count where the first page does: a stream that was joined late may begin at any
// position, and some count from the end of their first packet on.
func (l *opusLink) anchor(granule int64, ends bool) {
	if l.placed {
		return
	}
	l.placed = true
	if late := granule - l.position - l.frames; late > 0 || !ends {
		l.position, l.doubtful = l.position+late, late < -opusClock/100
	}
}

// cutEnd takes samples of opusClock off the end of what the page gave: no more than it has.
func (l *opusLink) cutEnd(samples int64) {
	n := int(samples * int64(l.rate) / opusClock)
	for c := range l.pending {
		l.pending[c] = l.pending[c][:max(0, len(l.pending[c])-n)]
	}
}

// drop takes what is left of the pre-skip off the beginning.
func (l *opusLink) drop() {
	if l.skip == 0 {
		return
	}
	n := min(int(l.skip*int64(l.rate)/opusClock), len(l.pending[0]))
	for c := range l.pending {
		l.pending[c] = l.pending[c][n:]
	}
	l.skip -= int64(n) * opusClock / int64(l.rate)
	if len(l.pending[0]) > 0 {
		l.skip = 0
	}
}
