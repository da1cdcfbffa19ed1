package keys

import "github.com/ringtrue/ringtrue/internal/rtp"

// Ears make one digit of the many packets that tell of one key press, whether
// or not some of them get lost.
type Ears struct {
	open     bool // the newest press is not completed
	any      bool // there was one
	code     uint8
	stamp    uint32
	duration uint16 // the longest that was said of it
	runs     bool   // the far end's timestamps run on while a key is held
	heardAt  int64  // engine time of its last packet
}

// keySilence is how long (ns) no packet may come before an open press counts as completed.
const keySilence = int64(120e6)

// No packet is so late: what comes so long (ns) after the newest press, or is so far (ticks)
// before it, is another press, by a clock that was set back. endTicks is for how long (ticks) the end of a press
// may be said again by whoever has its timestamp run on meanwhile.
const (
	latestNS    = int64(500e6)
	latestTicks = 16000
	endTicks    = 960
)

// Hear takes one packet of the press that began at a timestamp, at engine time at (ns),
// and returns the key whose press it completes, 0 when none.
func (k *Ears) Hear(e rtp.KeyEvent, stamp uint32, at int64) byte {
	if k.any && k.heardBefore(e, stamp, at) {
		if stamp == k.stamp {
			k.heardAt = at
		}
		return 0
	}
	runs := k.runsOn(e, stamp)
	same := k.open && e.Code == k.code && (stamp == k.stamp || k.followedBy(stamp)) || runs
	var done byte
	if k.open && !same {
		done = k.complete()
	}
	if stamp != k.stamp || !same {
		k.duration = 0
	}
	k.runs = k.runs || runs
	k.open, k.any, k.code, k.stamp, k.heardAt = true, true, e.Code, stamp, at
	k.duration = max(k.duration, e.Duration)
	if e.End && done == 0 {
		return k.complete()
	}
	return done
}

// heardBefore says that a packet is of a press that is completed, or of an earlier one. The
// clock of some far ends stands: their presses differ by their keys, and by beginning anew.
func (k *Ears) heardBefore(e rtp.KeyEvent, stamp uint32, at int64) bool {
	late := at-k.heardAt < latestNS
	switch back := int32(k.stamp - stamp); {
	case back < 0:
		ended := !k.open && k.runs && e.Code == k.code // whose end may be said again
		return ended && e.End && e.Duration >= k.duration && back >= -endTicks
	case back == 0:
		return !k.open && e.Code == k.code && (late || e.Duration > k.duration)
	default:
		return late && back <= latestTicks
	}
}

// followedBy says that a timestamp is that of the next part of a press which lasts longer
// than one of its packets can say (RFC 4733 section 2.5.1.3).
func (k *Ears) followedBy(stamp uint32) bool { return stamp-k.stamp-0xffff <= 1 }

// runsOn says that a packet is of the same press, of a far end whose timestamp runs on while a key is held and
// does not stand at its beginning: both have gone on by as much. Another press would have begun behind this one, and be
// younger.
func (k *Ears) runsOn(e rtp.KeyEvent, stamp uint32) bool {
	by := stamp - k.stamp
	return k.open && e.Code == k.code && by > 0 && e.Duration > k.duration && by == uint32(e.Duration-k.duration)
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
	k.open = false
	return rtp.Keys[k.code]
}

// Reset forgets the far end's clock, as when its source changes.
func (k *Ears) Reset() { *k = Ears{} }
