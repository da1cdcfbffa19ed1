package line

import (
	"math"

	"github.com/ringtrue/ringtrue/internal/rtp"
)

// The course of a key press of ours, in samples of 8000 Hz.
const (
	pressSamples = 800 // 100 ms of event
	pauseSamples = 640 // 80 ms of ordinary audio before the next key
	endRepeats   = 3   // how often the end of an event is said (RFC 4733 section 2.5.1.4)
)

// keypad presses keys on our side of the line: as telephone events (RFC 4733)
// where the far end understands them, as a pair of tones otherwise.
type keypad struct {
	active  bool
	code    uint8
	stamp   uint32
	elapsed int
	pause   int

	waiting int
	queue   [64]byte
}

// push takes the keys to press; what is no key or beyond the queue is left out.
func (k *keypad) push(digits string) {
	for i := range len(digits) {
		if _, ok := rtp.KeyCode(digits[i]); ok && k.waiting < len(k.queue) {
			k.queue[k.waiting] = digits[i]
			k.waiting++
		}
	}
}

// begin starts the next press if it is time; it returns the key, 0 when none begins.
func (k *keypad) begin(stamp uint32) byte {
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

// step moves on by a frame and returns the event as it stands; it is over when End is set.
func (k *keypad) step() rtp.KeyEvent {
	k.elapsed += frameSize
	e := rtp.KeyEvent{Code: k.code, Volume: 10, Duration: uint16(k.elapsed), End: k.elapsed >= pressSamples}
	if e.End {
		k.active, k.pause = false, pauseSamples
	}
	return e
}

// rest lets a frame without a key pass.
func (k *keypad) rest() { k.pause = max(0, k.pause-frameSize) }

// The tones of the keypad's rows and columns in Hz (ITU-T Q.23).
func keyTones(code uint8) (low, high float64) {
	const keys = "123A456B789C*0#D"
	for i := range len(keys) {
		if keys[i] == rtp.Keys[code] {
			return [4]float64{697, 770, 852, 941}[i/4], [4]float64{1209, 1336, 1477, 1633}[i%4]
		}
	}
	return 0, 0
}

// sound fills pcm with the tones of the active press, from where it has come to.
func (k *keypad) sound(pcm []int16) {
	low, high := keyTones(k.code)
	for i := range pcm {
		t := 2 * math.Pi * float64(k.elapsed+i) / telephoneRate
		pcm[i] = int16(6000*math.Sin(low*t) + 7000*math.Sin(high*t))
	}
}
