package line

import (
	"encoding/binary"
	"strings"
)

// digitOrder lists the telephone keys by their event number in RFC 4733.
const digitOrder = "0123456789*#ABCD"

// The course of a key press of ours, in samples of 8000 Hz.
const (
	pressSamples = 800 // 100 ms of event
	pauseSamples = 640 // 80 ms of ordinary audio before the next key
	endRepeats   = 3   // how often the end of an event is said (RFC 4733 section 2.5.1.4)
)

// keyEvent is the payload of a telephone-event packet.
type keyEvent struct {
	Code     uint8
	End      bool
	Volume   uint8
	Duration uint16
}

// parseKeyEvent reads a telephone-event payload; false when it is none or no telephone key.
func parseKeyEvent(b []byte) (keyEvent, bool) {
	if len(b) < 4 || int(b[0]) >= len(digitOrder) {
		return keyEvent{}, false
	}
	return keyEvent{
		Code: b[0], End: b[1]&0x80 != 0, Volume: b[1] & 0x3f,
		Duration: binary.BigEndian.Uint16(b[2:]),
	}, true
}

func (e keyEvent) write(b []byte) {
	b[0], b[1] = e.Code, e.Volume
	if e.End {
		b[1] |= 0x80
	}
	binary.BigEndian.PutUint16(b[2:], e.Duration)
}

// keyCode is the event number of a telephone key; false for anything else.
func keyCode(key byte) (uint8, bool) {
	if key >= 'a' && key <= 'd' {
		key -= 'a' - 'A'
	}
	i := strings.IndexByte(digitOrder, key)
	return uint8(max(i, 0)), i >= 0
}

// keyEars make one digit of the many packets that tell of one key press, whether
// or not some of them get lost.
type keyEars struct {
	open     bool
	code     uint8
	stamp    uint32
	heardAt  int64 // engine time of the last packet of the open press
	lastDone uint32
	anyDone  bool
}

// keySilence is how long (ns) no packet may come before an open press counts as completed.
const keySilence = int64(120e6)

// hear takes one packet and returns the key whose press it completes, 0 when none.
func (k *keyEars) hear(e keyEvent, stamp uint32, at int64) byte {
	if k.anyDone && int32(stamp-k.lastDone) <= 0 {
		return 0
	}
	var done byte
	if k.open && k.stamp != stamp {
		done = k.complete()
	}
	k.open, k.code, k.stamp, k.heardAt = true, e.Code, stamp, at
	if e.End && done == 0 {
		return k.complete()
	}
	return done
}

// idle completes a press whose end never came.
func (k *keyEars) idle(now int64) byte {
	if k.open && now-k.heardAt > keySilence {
		return k.complete()
	}
	return 0
}

func (k *keyEars) complete() byte {
	k.open, k.anyDone, k.lastDone = false, true, k.stamp
	return digitOrder[k.code]
}

// reset forgets the far end's clock, as when its source changes.
func (k *keyEars) reset() { *k = keyEars{} }
