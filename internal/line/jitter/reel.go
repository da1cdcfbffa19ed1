package jitter

import (
	"math"

	"github.com/ringtrue/ringtrue/internal/leg"
)

// searchEvery is the number of frames between searches for pauses on the tape.
const searchEvery = 10

// restSamples is how long it must have been silent for a pause to be lengthened.
const restSamples = 3 * frameSize

// reel is where a receiver records what its far end said. Its places are positions, each of which holds
// perTick samples of the tape.
type reel struct {
	tape    *leg.Tape
	channel int
	tapeEnd int64 // position after the last sample recorded

	// searched is the position before which no pause can be shortened any more, rest the number
	// of frames before the next search.
	searched int64
	perTick  int64
	rest     int
	// kept means that audio that came within the call is not placed before its beginning.
	kept bool
}

// ripe reports, once every searchEvery frames, that pauses may be searched for.
func (l *reel) ripe() bool {
	if l.rest > 0 {
		l.rest--
		return false
	}
	l.rest = searchEvery
	return true
}

// atBegin reports whether the first audio of all would be placed at the beginning, the earliest place allowed.
func (l *reel) atBegin(next int64) bool { return l.kept && l.tapeEnd == 0 && next == 0 }

// pull moves what was recorded last earlier by up to sooner, to where it was said, as far as
// pauses on the tape allow, and returns by how much.
func (l *reel) pull(sooner int64) (moved int64) {
	moved = l.tape.Pull(l.channel, l.perTick*l.searched, l.perTick*l.tapeEnd, l.perTick*sooner) / l.perTick
	l.tapeEnd -= moved
	if moved < sooner { // the remainder of the last pause may grow
		l.searched = max(l.searched, l.tapeEnd-searchEvery*frameSize)
	}
	return moved
}

// spare returns how much of the gap before a position may be closed: none of a gap that late
// packets may fill, and of others not the parts next to words.
func (l *reel) spare(next int64) int64 {
	if l.tapeEnd <= 0 {
		if l.kept && next >= 0 {
			return next
		}
		return math.MaxInt64
	}
	if hole := next - l.tapeEnd; hole >= searchEvery*frameSize {
		return hole - 4*frameSize
	}
	return 0
}

// rests reports whether what was recorded last is a pause.
func (l *reel) rests() bool {
	return l.tape.Quiet(l.channel, l.perTick*(l.tapeEnd-restSamples), l.perTick*l.tapeEnd)
}

// seal prevents the pauses now on the tape from being shortened: what follows is timed by
// another clock, which says nothing about them.
func (l *reel) seal() { l.searched = l.tapeEnd }

// covered returns how much audible sound would be overwritten by audio placed at a position, not counting the last
// sample, which drift may overwrite. If that is more than a ring holds, it returns the whole length without looking: the
// far end's clock has jumped, so the audio was not said then, and searching hours of tape in every frame would be too slow.
func (l *reel) covered(pos int64) int64 {
	over := l.tapeEnd - pos
	switch {
	case over <= 1:
		return 0
	case over > ringSamples:
		return over
	}
	n := int(l.perTick * over)
	if from, to := l.tape.Vacant(l.channel, l.perTick*pos, n); to-from == n {
		return 0
	}
	return over
}
