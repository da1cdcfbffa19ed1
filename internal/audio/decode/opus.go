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
	opusClock = 48000 // rate of granule positions and pre-skip
	// maxHole is the longest stretch without packets that is filled with silence, in samples of
	// opusClock. A longer one is an error of the clock, not a pause.
	maxHole = 3600 * opusClock
	// leastHole is the shortest one that is filled: the usual packet, missing because the
	// network lost it. A clock that jitters by less causes none.
	leastHole  = opusClock / 50
	maxOpusPCM = 5760 // maximum of samples per channel in one packet at 48 kHz
)

// opus decodes an Ogg Opus file (RFC 7845): consecutive streams of one or two channels each.
// Other streams beside them are skipped.
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

// opusFile is the state of decoding a file.
type opusFile struct {
	sink    *sink
	link    *opusLink // the current stream
	ended   bool      // it has ended
	damaged bool
	other   string // name of the content if there is no Opus
	inVain  int64  // samples of opusClock decoded that are not to be heard
}

// linkCost is the cost of starting a stream, in samples that are not to be heard.
const linkCost = opusClock / 10

// waste accounts for the cost of samples that are not to be heard. Streams can skip their
// beginning and cut their end any number of times, which no limit on the audio would prevent.
func (f *opusFile) waste(samples int64) error {
	f.inVain += samples
	if f.inVain > int64(f.sink.limits.Length.Seconds()*opusClock) {
		return fmt.Errorf("%w: hardly anything of its sound is to be heard", ErrFormat)
	}
	return nil
}

// page handles the next page of any stream.
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

// begin handles the first page of a stream.
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
			f.damaged = true // one stream begins before the other has ended: cut and joined
		case !again:
			f.sink.remark(noteBeside) // both have just begun: they are parallel
		}
	}
	link, err := newOpusLink(pg, head, f.sink.limits.Rate)
	if errors.Is(err, ErrFormat) && f.sink.samples > 0 { // earlier audio is kept
		f.sink.remark(noteMore)
		return f.waste(linkCost)
	}
	if err != nil {
		return err
	}
	f.link, f.ended = link, false
	return f.waste(linkCost)
}

// oggStranger returns the name of another codec in Ogg.
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

// opusLayout maps channels to the streams of a multistream packet.
type opusLayout struct {
	streams, coupled int    // number of streams per packet, and how many of them, the first ones, are stereo
	mapping          []byte // for each channel the stream channel, 255 for silence
}

// maxStreams is the maximum number of streams per packet: one for each channel.
const maxStreams = 2

// parseOpusLayout parses the mapping table after the header. It returns nil if the channels are
// simply those of one stream.
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
	told     bool // the comment header was read
	damaged  bool

	skip     int64 // samples of opusClock still to drop
	position int64 // granule position after what was decoded, from the first page that has one
	placed   bool
	doubtful bool // a page other than the last had a smaller position than its content: positions count something else
	pcm      []int16
	lasted   int       // samples per channel in the last packet
	pending  [][]int16 // audio of the current page
	frames   int64     // samples of opusClock in the current page
}

// opusDecoder decodes the packets of a stream, or of several streams in one.
type opusDecoder interface {
	SetGain(gain int) error
	DecodeInt16(packet []byte, pcm []int16) (int, error)
}

// newOpusDecoder returns the decoder for a stream with the given header.
func newOpusDecoder(rate int, h opusHead) (opusDecoder, error) {
	l := h.layout
	if l == nil {
		c := gopus.DefaultDecoderConfig(rate, h.channels)
		c.MaxPacketBytes = maxPacket // packets in a file are not limited by a network's 1500 bytes
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

// page decodes the packets of a page and passes on what is to be heard.
func (l *opusLink) page(pg page, to *sink) error {
	l.frames = 0
	for c := range l.pending {
		l.pending[c] = l.pending[c][:0]
	}
	l.packets.of(pg, func(packet []byte, whole bool) {
		if !l.told { // the first packet after the header is the comment, which is too long to keep if it contains a picture
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

// unheard returns how many samples of opusClock of the page were not passed on.
func (l *opusLink) unheard() int64 {
	return l.frames - int64(len(l.pending[0]))*opusClock/int64(l.rate)
}

// packet decodes one packet. A damaged one is replaced by the decoder's concealment, as long as
// the previous packet.
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

// decode calls the library and recovers from its panics.
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

// place compares the decoded audio with the page's position: a hole before it is filled with
// silence, and what is beyond the end of the stream is dropped. The position advances by what
// was passed on, so that holes too short to be filled add up until they are long enough, and
// jitter of positions is compensated only once.
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
			l.cutEnd(-max(hole, -l.frames)) // a position may be anywhere before the page
		}
	case hole < -opusClock/100:
		l.doubtful = true
	case hole > maxHole:
		l.damaged = true
	case hole >= leastHole && (!ends || l.packets.lost): // if no page is missing, the end is where the audio ends
		return to.pause(l.rate, l.channels, hole*int64(l.rate)/opusClock)
	}
	return nil
}

// anchor sets the position from the first page: a stream that was joined late may begin at any
// position, and some count from the end of their first packet.
func (l *opusLink) anchor(granule int64, ends bool) {
	if l.placed {
		return
	}
	l.placed = true
	if late := granule - l.position - l.frames; late > 0 || !ends {
		l.position, l.doubtful = l.position+late, late < -opusClock/100
	}
}

// cutEnd drops samples of opusClock from the end of the page's audio, at most all of it.
func (l *opusLink) cutEnd(samples int64) {
	n := int(samples * int64(l.rate) / opusClock)
	for c := range l.pending {
		l.pending[c] = l.pending[c][:max(0, len(l.pending[c])-n)]
	}
}

// drop drops what remains of the pre-skip.
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
