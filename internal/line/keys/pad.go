package keys

import (
	"math"

	"github.com/ringtrue/ringtrue/internal/line/g711"
	"github.com/ringtrue/ringtrue/internal/rtp"
)

// The timing of our key presses, in samples of 8000 Hz.
const (
	pressSamples = 800 // 100 ms of event
	pauseSamples = 640 // 80 ms of ordinary audio before the next key
)

// EndRepeats is how often the final packet of an event is sent (RFC 4733 section 2.5.1.4).
const EndRepeats = 3

// Pad presses keys on our side of the line: as telephone events (RFC 4733) if the far end
// supports them, otherwise as pairs of tones.
type Pad struct {
	active  bool
	code    uint8
	stamp   uint32
	elapsed int
	pause   int

	waiting int
	queue   [64]byte
}

// Push queues keys to press. Characters that are not keys, and keys beyond the queue's size, are dropped.
func (k *Pad) Push(digits string) {
	for i := range len(digits) {
		if _, ok := rtp.KeyCode(digits[i]); ok && k.waiting < len(k.queue) {
			k.queue[k.waiting] = digits[i]
			k.waiting++
		}
	}
}

// Active reports whether a key is being pressed.
func (k *Pad) Active() bool { return k.active }

// Stamp returns the timestamp of the beginning of the active press.
func (k *Pad) Stamp() uint32 { return k.stamp }

// Begin starts the next press at the given timestamp if one is due. It returns the key, 0 if none begins.
func (k *Pad) Begin(stamp uint32) byte {
	if k.active || k.waiting == 0 {
		return 0
	}
	if k.pause > 0 {
		return 0
	}
	key := k.queue[0]
	copy(k.queue[:], k.queue[1:k.waiting])
	k.waiting--
	k.code, _ = rtp.KeyCode(key)
	k.active, k.stamp, k.elapsed = true, stamp, 0
	return key
}

// Step advances by one frame and returns the current event. The press is over when its End is set.
func (k *Pad) Step() rtp.KeyEvent {
	k.elapsed += g711.FrameSize
	e := rtp.KeyEvent{Code: k.code, Volume: 10, Duration: uint16(k.elapsed), End: k.elapsed >= pressSamples}
	if e.End {
		k.active, k.pause = false, pauseSamples
	}
	return e
}

// Rest advances by one frame without a key.
func (k *Pad) Rest() { k.pause = max(0, k.pause-g711.FrameSize) }

// keyTones returns the tones of a key's row and column in Hz (ITU-T Q.23).
func keyTones(code uint8) (low, high float64) {
	const keys = "123A456B789C*0#D"
	for i := range len(keys) {
		if keys[i] == rtp.Keys[code] {
			return [4]float64{697, 770, 852, 941}[i/4], [4]float64{1209, 1336, 1477, 1633}[i%4]
		}
	}
	return 0, 0
}

// Sound fills pcm with the tones of the active press, continuing from the previous frame.
func (k *Pad) Sound(pcm []int16) {
	low, high := keyTones(k.code)
	for i := range pcm {
		t := 2 * math.Pi * float64(k.elapsed+i) / g711.Rate
		pcm[i] = int16(6000*math.Sin(low*t) + 7000*math.Sin(high*t))
	}
}
