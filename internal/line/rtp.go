package line

import "encoding/binary"

// The bounds of RTP packets on a telephone line.
const (
	rtpHeaderSize = 12
	// maxPayload is the most audio one packet may hold: 200 ms of G.711.
	maxPayload = 1600
	// maxPacket is the largest datagram that is looked at.
	maxPacket = 2048
)

// packet is an RTP packet in pieces; Payload points into the datagram.
type packet struct {
	Type      uint8
	Marker    bool
	Sequence  uint16
	Timestamp uint32
	SSRC      uint32
	Payload   []byte
}

// parseRTP takes a datagram apart (RFC 3550 section 5.1); false when it is not
// RTP or contradicts itself.
func parseRTP(b []byte) (packet, bool) {
	if len(b) < rtpHeaderSize || b[0]>>6 != 2 {
		return packet{}, false
	}
	p := packet{
		Type: b[1] & 0x7f, Marker: b[1]&0x80 != 0,
		Sequence:  binary.BigEndian.Uint16(b[2:]),
		Timestamp: binary.BigEndian.Uint32(b[4:]),
		SSRC:      binary.BigEndian.Uint32(b[8:]),
	}
	start := rtpHeaderSize + 4*int(b[0]&0x0f)
	if b[0]&0x10 != 0 {
		if len(b) < start+4 {
			return packet{}, false
		}
		start += 4 + 4*int(binary.BigEndian.Uint16(b[start+2:]))
	}
	end := len(b)
	if b[0]&0x20 != 0 {
		padding := int(b[len(b)-1])
		if padding == 0 {
			return packet{}, false
		}
		end -= padding
	}
	if start > end {
		return packet{}, false
	}
	p.Payload = b[start:end]
	return p, true
}

// writeRTPHeader lays the 12 bytes of a header without extensions at the beginning of b.
func writeRTPHeader(b []byte, p packet) {
	b[0] = 2 << 6
	b[1] = p.Type
	if p.Marker {
		b[1] |= 0x80
	}
	binary.BigEndian.PutUint16(b[2:], p.Sequence)
	binary.BigEndian.PutUint32(b[4:], p.Timestamp)
	binary.BigEndian.PutUint32(b[8:], p.SSRC)
}
