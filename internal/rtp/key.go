package rtp

import (
	"encoding/binary"
	"strings"
)

// Keys lists the telephone keys by their event number in RFC 4733.
const Keys = "0123456789*#ABCD"

// KeyEvent is the payload of a telephone-event packet.
type KeyEvent struct {
	Code     uint8
	End      bool
	Volume   uint8
	Duration uint16
}

// ParseKeyEvent reads a telephone-event payload; it returns false if b is not one or the event is
// not a telephone key.
func ParseKeyEvent(b []byte) (KeyEvent, bool) {
	if len(b) < 4 || int(b[0]) >= len(Keys) {
		return KeyEvent{}, false
	}
	return KeyEvent{
		Code: b[0], End: b[1]&0x80 != 0, Volume: b[1] & 0x3f,
		Duration: binary.BigEndian.Uint16(b[2:]),
	}, true
}

// Write writes the four bytes of the payload to the beginning of b.
func (e KeyEvent) Write(b []byte) {
	b[0], b[1] = e.Code, e.Volume
	if e.End {
		b[1] |= 0x80
	}
	binary.BigEndian.PutUint16(b[2:], e.Duration)
}

// KeyCode returns the event number of a telephone key; false for anything else.
func KeyCode(key byte) (uint8, bool) {
	if key >= 'a' && key <= 'd' {
		key -= 'a' - 'A'
	}
	i := strings.IndexByte(Keys, key)
	return uint8(max(i, 0)), i >= 0
}
