package jitter

import (
	"math"
	"slices"
)

// The jitter buffer's delay, in samples of 8000 Hz.
const (
	startDelay  = 320  // 40 ms
	mostDelay   = 2400 // 300 ms; what comes later is lost to the Party, not to the tape
	delayStep   = 80   // 10 ms: how much is taken back at a time
	delayMargin = 40   // 5 ms above the worst packet of the last seconds
	delayMemory = 4    // buckets of one second
	quietPeak   = 400  // a frame below may be shortened without harm
	fadeFrames  = 3    // frames of concealment before silence
)

// LeastDelay is how far behind (samples of 8000 Hz) the placement of packets a Party hears
// them at least: 30 ms. What comes sooner than that is missed by nobody.
const LeastDelay = 240

// playout decides how far behind the placement of packets the Party hears them:
// as little as the jitter of the last seconds allows.
type playout struct {
	delay int64
	// later is how much later still (samples) the Party hears them, because they are not
	// taken in as they come.
	later  int64
	played int64 // position after the last sample that was heard
	next   int64 // position at which the next frame is heard

	misses   int
	bucketAt int64
	worst    [delayMemory]int64

	late int64
	// before is what was known before packets came that may be of a clock that stood still.
	before struct {
		late  int64
		worst [delayMemory]int64
	}
	// last is the frame that was heard before the first miss; the receiver fills it in.
	last [frameSize]int16
}

func (o *playout) init() {
	o.delay = startDelay
	o.next = math.MinInt32 // nothing is late for whom nobody has asked
}

// corrected takes note that the map places everything so many samples earlier from now
// on: whoever is listening goes on where they are, and catches up in the next quiet frame
// instead of missing a piece of a word. A far end that is never quiet is not put off for long.
func (o *playout) corrected(samples int64) {
	o.delay = max(o.delay, min(o.delay+samples, 2*startDelay))
}

// arrived takes note of a packet of n samples placed at pos that came at position at.
// It may be had later than it came, where this machine kept it to itself for a while.
func (o *playout) arrived(pos, n, at int64) {
	if at-o.bucketAt >= telephoneRate {
		copy(o.worst[1:], o.worst[:delayMemory-1])
		o.worst[0], o.bucketAt = 0, at
	}
	o.passed(pos + n)
	need := max(at-pos+n, o.next-o.later-pos) + delayMargin
	o.worst[0] = max(o.worst[0], need)
	if need > o.delay {
		o.delay = min(need, mostDelay)
	}
}

// remember takes note that packets begin to come that are far too late, or of a clock that stood still.
func (o *playout) remember() { o.before.late, o.before.worst = o.late, o.worst }

// forgive forgets how late those packets came, the first of them so many samples ago: they are of a clock that
// stood still, which tells nothing of the network. Whoever listens hears them all, and is no further behind for it.
func (o *playout) forgive(samples int64) {
	o.late, o.worst = o.before.late, o.before.worst
	o.delay = min(o.need()+samples, mostDelay)
}

// passed counts a packet that ends at a position as late where that has been heard.
func (o *playout) passed(end int64) {
	if end <= o.played {
		o.late++
	}
}

// heardInPart takes note of a frame that ends at position end, of which not everything was there to be heard.
func (o *playout) heardInPart(end int64) {
	o.played = max(o.played, end)
	o.misses++
}

// heard takes note of a whole frame that went to the Party and ends at position end.
// In a quiet frame it gives back delay that is no longer needed.
func (o *playout) heard(pcm []int16, end int64) {
	o.played = max(o.played, end)
	o.misses = 0
	if o.delay-o.need() >= delayStep && quiet(pcm) {
		o.delay -= delayStep
	}
}

// need is the delay that the last seconds ask for.
func (o *playout) need() int64 { return max(LeastDelay, slices.Max(o.worst[:])) }

// stopgap is sample i of a stand-in for a frame that did not come.
func (o *playout) stopgap(i int) int16 {
	if o.misses >= fadeFrames || i >= len(o.last) {
		return 0
	}
	return o.last[i] >> (o.misses + 1)
}

func quiet(pcm []int16) bool {
	for _, v := range pcm {
		if v > quietPeak || v < -quietPeak {
			return false
		}
	}
	return true
}
