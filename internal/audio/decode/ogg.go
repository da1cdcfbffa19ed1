package decode

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Limits of an Ogg page (RFC 3533) and of a packet.
const (
	pageHead   = 27
	maxPage    = pageHead + 255 + 255*255
	maxPacket  = 64 << 10
	flagContd  = 1
	flagBegins = 2
	flagEnds   = 4
	noGranule  = -1
	maxGarbage = 8 << 20 // how far to look for the next page
	// maxInVain is how many bytes of a file may be checksummed for pages that turn out to be
	// invalid: with nested headers, each byte could otherwise be summed thousands of times.
	maxInVain   = 256 << 20
	oggPolynome = 0x04c11db7
	oggMagic    = "OggS\x00"
)

// page is one page of an Ogg file.
type page struct {
	flags    byte
	granule  int64 // position after the last packet that ends on it, or noGranule
	serial   uint32
	sequence uint32
	lacing   []byte
	body     []byte
}

// oggReader reads pages and skips damaged data.
type oggReader struct {
	b       *bufio.Reader
	table   [256]uint32
	buf     []byte
	damaged bool // something was skipped
	cut     bool // the last page is incomplete
	inVain  int  // bytes checksummed for nothing
}

func newOggReader(b *bufio.Reader) *oggReader {
	o := &oggReader{b: bufio.NewReaderSize(b, maxPage), buf: make([]byte, maxPage)}
	for i := range o.table {
		c := uint32(i) << 24
		for range 8 {
			c = c<<1 ^ oggPolynome*(c>>31)
		}
		o.table[i] = c
	}
	return o
}

// next returns the next complete page, valid until the next call. It returns io.EOF at the end of the file.
func (o *oggReader) next() (page, error) {
	for range maxGarbage {
		head, err := o.b.Peek(pageHead)
		if err != nil {
			if errors.Is(err, io.EOF) && len(head) > 0 {
				o.cut = o.cut || strings.HasPrefix(oggMagic, string(head[:min(len(head), len(oggMagic))]))
				o.damaged = o.damaged || !o.cut
			}
			return page{}, err
		}
		if string(head[:len(oggMagic)]) == oggMagic {
			p, err := o.page(head)
			if err == nil || !errors.Is(err, ErrFormat) {
				o.damaged = o.damaged || o.cut // not a page: a page is inside it
				return p, err
			}
			o.cut = o.cut || errors.Is(err, errPageCut)
		}
		o.damaged = o.damaged || !o.cut
		if o.inVain > maxInVain {
			return page{}, fmt.Errorf("%w: hardly an Ogg page of it is whole", ErrFormat)
		}
		if _, err := o.b.Discard(1); err != nil {
			return page{}, err
		}
	}
	return page{}, fmt.Errorf("%w: no Ogg page for %d bytes", ErrFormat, maxGarbage)
}

// page reads the page that begins here. If it is damaged nothing is consumed.
func (o *oggReader) page(head []byte) (page, error) {
	segments := int(head[26])
	whole, err := o.b.Peek(pageHead + segments)
	if err != nil {
		return page{}, cut(err)
	}
	size := pageHead + segments
	for _, l := range whole[pageHead:] {
		size += int(l)
	}
	if whole, err = o.b.Peek(size); err != nil {
		return page{}, cut(err)
	}
	le := binary.LittleEndian
	if o.sum(whole) != le.Uint32(whole[22:]) {
		o.inVain += size
		return page{}, fmt.Errorf("%w: an Ogg page does not match its checksum", ErrFormat)
	}
	b := o.buf[:copy(o.buf, whole)]
	if _, err := o.b.Discard(size); err != nil {
		return page{}, err
	}
	return page{
		flags: b[5], granule: int64(le.Uint64(b[6:])), serial: le.Uint32(b[14:]), sequence: le.Uint32(b[18:]),
		lacing: b[pageHead : pageHead+segments], body: b[pageHead+segments:],
	}, nil
}

// errPageCut means that the file ends within a page.
var errPageCut = fmt.Errorf("%w: the last Ogg page is cut off", ErrFormat)

// cut treats an incomplete page as a damaged one.
func cut(err error) error {
	if errors.Is(err, io.EOF) {
		return errPageCut
	}
	return err
}

// sum returns the checksum of a page, taking the checksum field as 0.
func (o *oggReader) sum(b []byte) uint32 {
	var c uint32
	for i, x := range b {
		if i >= 22 && i < 26 {
			x = 0
		}
		c = c<<8 ^ o.table[byte(c>>24)^x]
	}
	return c
}

// packets reassembles packets that span pages.
type packets struct {
	part    []byte
	broken  bool // the beginning of the current packet was lost
	expects uint32
	began   bool
	lost    bool // a page before the current one is missing
}

// of calls each with every packet that ends on the page. The last packet of a page is the one
// that its granule position refers to. For a packet that is too long or lost its beginning,
// each is called with no content and whole false.
func (p *packets) of(pg page, each func(packet []byte, whole bool)) {
	p.lost = p.began && pg.sequence != p.expects
	p.began, p.expects = true, pg.sequence+1
	if p.lost {
		p.part, p.broken = p.part[:0], false
	}
	if continued := pg.flags&flagContd != 0; !continued {
		p.part, p.broken = p.part[:0], false
	} else if len(p.part) == 0 {
		p.broken = true
	}
	body := pg.body
	for _, l := range pg.lacing {
		if len(p.part)+int(l) > maxPacket {
			p.broken, p.part = true, p.part[:0]
		}
		if !p.broken {
			p.part = append(p.part, body[:l]...)
		}
		body = body[l:]
		if l == 255 {
			continue
		}
		each(p.part, !p.broken)
		p.part, p.broken = p.part[:0], false
	}
}
