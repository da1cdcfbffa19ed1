package keys

import "github.com/ringtrue/ringtrue/internal/rtp"

// Ears make one digit of the many packets that tell of one key press, whether
// or not some of them get lost.
type Ears struct {
	open     bool
	code     uint8
	stamp    uint32
	heardAt  int64 // engine time of the last packet of the open press
	lastDone uint32
	anyDone  bool
}

// keySilence is how long (ns) no packet may come before an open press counts as completed.
const keySilence = int64(120e6)

// Hear takes one packet of the press that began at a timestamp, at engine time at (ns),
// and returns the key whose press it completes, 0 when none.
func (k *Ears) Hear(e rtp.KeyEvent, stamp uint32, at int64) byte {
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

// Idle completes a press whose end had not come by engine time now (ns): it returns its
// key, 0 when there is none.
func (k *Ears) Idle(now int64) byte {
	if k.open && now-k.heardAt > keySilence {
		return k.complete()
	}
	return 0
}

func (k *Ears) complete() byte {
	k.open, k.anyDone, k.lastDone = false, true, k.stamp
	return rtp.Keys[k.code]
}

// Reset forgets the far end's clock, as when its source changes.
func (k *Ears) Reset() { *k = Ears{} }
