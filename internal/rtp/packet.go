package rtp

import "encoding/binary"

// HeaderSize is the size in bytes of a header without extensions.
const HeaderSize = 12

// Packet is a parsed RTP packet; Payload points into the datagram.
type Packet struct {
	Type      uint8
	Marker    bool
	Sequence  uint16
	Timestamp uint32
	SSRC      uint32
	Payload   []byte
}

// Parse parses a datagram (RFC 3550 section 5.1); it returns false if it is not RTP or contradicts
// itself.
func Parse(b []byte) (Packet, bool) {
	if len(b) < HeaderSize || b[0]>>6 != 2 {
		return Packet{}, false
	}
	p := Packet{
		Type: b[1] & 0x7f, Marker: b[1]&0x80 != 0,
		Sequence:  binary.BigEndian.Uint16(b[2:]),
		Timestamp: binary.BigEndian.Uint32(b[4:]),
		SSRC:      binary.BigEndian.Uint32(b[8:]),
	}
	start := HeaderSize + 4*int(b[0]&0x0f)
	if b[0]&0x10 != 0 {
		if len(b) < start+4 {
			return Packet{}, false
		}
		start += 4 + 4*int(binary.BigEndian.Uint16(b[start+2:]))
	}
	end := len(b)
	if b[0]&0x20 != 0 {
		padding := int(b[len(b)-1])
		if padding == 0 {
			return Packet{}, false
		}
		end -= padding
	}
	if start > end {
		return Packet{}, false
	}
	p.Payload = b[start:end]
	return p, true
}

// WriteHeader writes the 12 bytes of a header without extensions to the beginning of b.
func WriteHeader(b []byte, p Packet) {
	b[0] = 2 << 6
	b[1] = p.Type
	if p.Marker {
		b[1] |= 0x80
	}
	binary.BigEndian.PutUint16(b[2:], p.Sequence)
	binary.BigEndian.PutUint32(b[4:], p.Timestamp)
	binary.BigEndian.PutUint32(b[8:], p.SSRC)
}
