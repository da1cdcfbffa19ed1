package keys

import "github.com/ringtrue/ringtrue/internal/rtp"

// Ears combines the packets of a key press into one digit, even if some are lost.
type Ears struct {
	open     bool // the latest press is not complete
	any      bool // there has been a press
	code     uint8
	stamp    uint32
	duration uint16 // the longest reported for the press
	runs     bool   // the far end's timestamps advance while a key is held
	heardAt  int64  // engine time of the last packet
}

// keySilence is how long (ns) after its last packet an open press counts as complete.
const keySilence = int64(120e6)

// Packets this much (ns) after the latest press, or with a timestamp this much (ticks) before it, belong to
// another press, by a clock that was reset. endTicks is for how long (ticks) the end of a press may be repeated
// by a far end whose timestamps advance meanwhile.
const (
	latestNS    = int64(500e6)
	latestTicks = 16000
	endTicks    = 960
)

// Hear processes a packet of the press with the timestamp stamp, received at engine time at
// (ns). It returns the key of a press that it completes, 0 if none.
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

// heardBefore reports whether a packet belongs to a completed or an earlier press. Where a far
// end's clock does not advance, presses differ by key, and by their duration starting again.
func (k *Ears) heardBefore(e rtp.KeyEvent, stamp uint32, at int64) bool {
	late := at-k.heardAt < latestNS
	switch back := int32(k.stamp - stamp); {
	case back < 0:
		ended := !k.open && k.runs && e.Code == k.code // its end may be repeated
		return ended && e.End && e.Duration >= k.duration && back >= -endTicks
	case back == 0:
		return !k.open && e.Code == k.code && (late || e.Duration > k.duration)
	default:
		return late && back <= latestTicks
	}
}

// followedBy reports whether a timestamp is that of the continuation of a press that is longer
// than the duration field can express (RFC 4733 section 2.5.1.3).
func (k *Ears) followedBy(stamp uint32) bool { return stamp-k.stamp-0xffff <= 1 }

// runsOn reports whether a packet belongs to the same press, sent by a far end whose timestamps advance while a key is
// held instead of staying at its beginning: timestamp and duration have then advanced by the same amount. Another press
// would have begun after this one and have a shorter duration.
func (k *Ears) runsOn(e rtp.KeyEvent, stamp uint32) bool {
	by := stamp - k.stamp
	return k.open && e.Code == k.code && by > 0 && e.Duration > k.duration && by == uint32(e.Duration-k.duration)
}

// Idle completes a press whose end has not arrived by engine time now (ns). It returns the key,
// 0 if there is none.
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

// Reset forgets the far end's clock. It is called when the source changes.
func (k *Ears) Reset() { *k = Ears{} }
