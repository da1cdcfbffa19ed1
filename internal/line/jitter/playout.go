package jitter

import (
	"math"
	"slices"
)

// Parameters of the jitter buffer, in samples of 8000 Hz unless stated otherwise.
const (
	startDelay  = 320  // 40 ms
	mostDelay   = 2400 // 300 ms; the Party misses what comes later, the tape does not
	delayStep   = 80   // 10 ms: step by which delay is reduced
	delayMargin = 40   // 5 ms above the latest packet of the last seconds
	delayMemory = 4    // buckets of one second
	quietPeak   = 400  // a frame with a lower peak may be shortened without harm
	fadeFrames  = 3    // frames of concealment before silence
)

// LeastDelay is the minimum delay, in samples of 8000 Hz, between the position of a packet and
// its playout: 30 ms. A packet that arrives within it is not missed.
const LeastDelay = 240

// playout determines the delay between the position of packets and their playout to the Party,
// which is as short as the jitter of the last seconds allows.
type playout struct {
	delay int64
	// later is an additional delay (samples) on lines where packets are not taken in as soon as
	// they arrive.
	later  int64
	played int64 // position after the last sample that was played
	next   int64 // position of the next frame to be played

	misses   int
	bucketAt int64
	worst    [delayMemory]int64

	late int64
	// before holds the state before packets arrived that may belong to a clock that stood still.
	before struct {
		late  int64
		worst [delayMemory]int64
	}
	// last is the frame played before the first miss. The receiver sets it.
	last [frameSize]int16
}

func (o *playout) init() {
	o.delay = startDelay
	o.next = math.MinInt32 // nothing is late before the first frame was requested
}

// corrected is called when the map places everything earlier by so many samples from now on.
// Playout continues where it is and catches up in the next quiet frame, so that no piece of a
// word is missed; if the far end is never quiet, it does not wait for long.
func (o *playout) corrected(samples int64) {
	o.delay = max(o.delay, min(o.delay+samples, 2*startDelay))
}

// arrived is called for a packet of n samples placed at pos that arrived at position at. It may
// become available later than that, if this machine delayed it. Nobody waits for audio that was over
// before the call began, such as the end of early media.
func (o *playout) arrived(pos, n, at int64) {
	if pos+n <= 0 {
		return
	}
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

// remember saves the state when packets begin to be far too late, possibly because a clock stood still.
func (o *playout) remember() { o.before.late, o.before.worst = o.late, o.worst }

// forgive restores the state before those packets, of which the first came so many samples ago: a clock that stood
// still says nothing about the network. All of them are played, without a longer delay.
func (o *playout) forgive(samples int64) {
	o.late, o.worst = o.before.late, o.before.worst
	o.delay = min(o.need()+samples, mostDelay)
}

// passed counts a packet that ends at position end as late if that was played already.
func (o *playout) passed(end int64) {
	if end <= o.played {
		o.late++
	}
}

// heardInPart is called for a frame that ends at position end and was only partly available.
func (o *playout) heardInPart(end int64) {
	o.played = max(o.played, end)
	o.misses++
}

// heard is called for a complete frame that was given to the Party and ends at position end. In
// a quiet frame, it reduces delay that is no longer needed.
func (o *playout) heard(pcm []int16, end int64) {
	o.played = max(o.played, end)
	o.misses = 0
	if o.delay-o.need() >= delayStep && quiet(pcm) {
		o.delay -= delayStep
	}
}

// need returns the delay required by the last seconds.
func (o *playout) need() int64 { return max(LeastDelay, slices.Max(o.worst[:])) }

// stopgap returns sample i of a substitute for a missing frame.
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
