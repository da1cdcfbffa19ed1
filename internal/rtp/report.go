package rtp

import (
	"encoding/binary"
	"time"
)

// The RTCP packet types that are written or understood.
const (
	rtcpSR  = 200
	rtcpRR  = 201
	rtcpSD  = 202
	rtcpBye = 203
)

// ntpEpoch is the distance in seconds from the NTP epoch (1900) to the Unix epoch.
const ntpEpoch = 2208988800

// Block is what one side reports about the packets of the other.
type Block struct {
	SSRC         uint32
	FractionLost uint8
	Lost         int32 // cumulative, 24 bits on the wire
	Highest      uint32
	Jitter       uint32
	LastSR       uint32
	DelaySR      uint32 // in 1/65536 s
}

// Report is the part of a compound RTCP packet that matters here.
type Report struct {
	Sender  bool
	NTP     uint64
	Block   Block
	Blocked bool   // whether there was a block about the SSRC asked for,
	From    uint32 // and the SSRC of its reporter
}

// ParseReport reads a compound packet and picks the block about own; it returns false if b is not
// RTCP. It never reads beyond b and stops at the first contradiction.
func ParseReport(b []byte, own uint32) (Report, bool) {
	var r Report
	any := false
	for len(b) >= 8 && b[0]>>6 == 2 {
		size := 4 * (1 + int(binary.BigEndian.Uint16(b[2:])))
		if size > len(b) || size < 8 {
			break
		}
		one := b[:size]
		b = b[size:]
		count := int(one[0] & 0x1f)
		switch one[1] {
		case rtcpSR:
			if len(one) < 28 {
				return r, any
			}
			r.Sender, any = true, true
			r.NTP = binary.BigEndian.Uint64(one[8:])
			r.pick(one, 28, count, own)
		case rtcpRR:
			any = true
			r.pick(one, 8, count, own)
		case rtcpBye:
			any = true
		}
	}
	return r, any
}

// pick looks for the block about own among those of a report, which begin at offset at.
func (r *Report) pick(one []byte, at, count int, own uint32) {
	for b := one[at:]; count > 0 && len(b) >= 24; count, b = count-1, b[24:] {
		if binary.BigEndian.Uint32(b) != own {
			continue
		}
		r.Blocked, r.From = true, binary.BigEndian.Uint32(one[4:])
		r.Block = Block{
			SSRC: own, FractionLost: b[4],
			Lost:    int32(uint32(b[5])<<24|uint32(b[6])<<16|uint32(b[7])<<8) >> 8,
			Highest: binary.BigEndian.Uint32(b[8:]),
			Jitter:  binary.BigEndian.Uint32(b[12:]),
			LastSR:  binary.BigEndian.Uint32(b[16:]),
			DelaySR: binary.BigEndian.Uint32(b[20:]),
		}
	}
}

// Sender is what a sender report says about the sender.
type Sender struct {
	SSRC            uint32
	NTP             uint64
	Timestamp       uint32
	Packets, Octets uint32
}

// WriteReport writes a sender report with one block and the CNAME that RFC 3550 requires, and
// returns its size. b must hold 80 bytes.
func WriteReport(b []byte, s Sender, block *Block) int {
	n := 28
	b[0], b[1] = 2<<6, rtcpSR
	binary.BigEndian.PutUint32(b[4:], s.SSRC)
	binary.BigEndian.PutUint64(b[8:], s.NTP)
	binary.BigEndian.PutUint32(b[16:], s.Timestamp)
	binary.BigEndian.PutUint32(b[20:], s.Packets)
	binary.BigEndian.PutUint32(b[24:], s.Octets)
	if block != nil {
		b[0] |= 1
		block.write(b[28:])
		n += 24
	}
	binary.BigEndian.PutUint16(b[2:], uint16(n/4-1))
	return n + writeCNAME(b[n:], s.SSRC)
}

func (k *Block) write(b []byte) {
	binary.BigEndian.PutUint32(b, k.SSRC)
	binary.BigEndian.PutUint32(b[4:], uint32(k.Lost)&0xffffff|uint32(k.FractionLost)<<24)
	binary.BigEndian.PutUint32(b[8:], k.Highest)
	binary.BigEndian.PutUint32(b[12:], k.Jitter)
	binary.BigEndian.PutUint32(b[16:], k.LastSR)
	binary.BigEndian.PutUint32(b[20:], k.DelaySR)
}

// writeCNAME appends a source description whose name is the SSRC in hexadecimal, which reveals
// nothing about the machine.
func writeCNAME(b []byte, ssrc uint32) int {
	const digits = "0123456789abcdef"
	b[0], b[1], b[2], b[3] = 2<<6|1, rtcpSD, 0, 4
	binary.BigEndian.PutUint32(b[4:], ssrc)
	b[8], b[9] = 1, 8
	for i := range 8 {
		b[10+i] = digits[ssrc>>(28-4*i)&15]
	}
	b[18], b[19] = 0, 0
	return 20
}

// NTP returns a wall time as a 64-bit NTP timestamp.
func NTP(t time.Time) uint64 {
	seconds := uint64(t.Unix() + ntpEpoch)
	return seconds<<32 | uint64(t.Nanosecond())<<32/1e9
}

// RoundTrip returns the round-trip time of RFC 3550 for a block received at now; 0 if the block
// does not allow it to be calculated.
func (k *Block) RoundTrip(now time.Time) time.Duration {
	if k.LastSR == 0 {
		return 0
	}
	middle := uint32(NTP(now) >> 16)
	units := int32(middle - k.LastSR - k.DelaySR)
	if units < 0 || units > 60<<16 {
		return 0
	}
	return time.Duration(units) * time.Second >> 16
}
