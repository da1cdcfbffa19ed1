package jitter

import (
	"math"

	"github.com/ringtrue/ringtrue/internal/leg"
)

// searchEvery is how many frames pass from one search for pauses on the tape to the next.
const searchEvery = 10

// restSamples is how long nothing was to be heard where a pause may be made longer.
const restSamples = 3 * frameSize

// reel is where a receiver lays down what its far end said. Its places are positions; each of them holds
// perTick samples of the tape.
type reel struct {
	tape    *leg.Tape
	channel int
	tapeEnd int64 // position after the last sample that was laid down

	// searched is the position before which no pause can give way any more, rest for how many
	// frames none is looked for.
	searched int64
	perTick  int64
	rest     int
	// kept says that what came within the call is not laid before its beginning.
	kept bool
}

// ripe says once in a while that pauses may be looked for.
func (l *reel) ripe() bool {
	if l.rest > 0 {
		l.rest--
		return false
	}
	l.rest = searchEvery
	return true
}

// atBegin says that the first sound of all would be laid at the beginning, which is as soon as it may be.
func (l *reel) atBegin(next int64) bool { return l.kept && l.tapeEnd == 0 && next == 0 }

// pull moves what was laid down last to where it was said, by so much sooner, as far as the pauses
// allow that stand there, and says by how much.
func (l *reel) pull(sooner int64) (moved int64) {
	moved = l.tape.Pull(l.channel, l.perTick*l.searched, l.perTick*l.tapeEnd, l.perTick*sooner) / l.perTick
	l.tapeEnd -= moved
	if moved < sooner { // what is left of the last pause may grow
		l.searched = max(l.searched, l.tapeEnd-searchEvery*frameSize)
	}
	return moved
}

// spare is how much of the hole that is left before a position may be closed: nothing of one that
// late packets may fill, and of others not what is next to words.
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

// rests says that what was laid down last is a pause.
func (l *reel) rests() bool {
	return l.tape.Quiet(l.channel, l.perTick*(l.tapeEnd-restSamples), l.perTick*l.tapeEnd)
}

// seal has no pause give way that stands on the tape now: what comes next is told by another
// clock, and says nothing of when that was said.
func (l *reel) seal() { l.searched = l.tapeEnd }

// covered is how much of what can be heard a sound would cover that is laid down at a position. The
// last sample, which drift has make room, does not count. What would lie before all that a ring holds was not
// said then, whatever stands there: the far end's clock has jumped, and who asks each frame must not search hours.
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
