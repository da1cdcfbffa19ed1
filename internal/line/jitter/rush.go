package jitter

// What makes sure that a far end whose stream goes on sends words ahead in it, in samples of 8000 Hz.
const (
	// rushPart of rushOf is what as much of a row as has been said takes at most to come.
	rushPart, rushOf = 3, 4
	// rushOver is how long packets have come no faster than they last when a row is over.
	rushOver = 800
	// rushStep is by how much timestamps may go on from one packet to the next in a row.
	rushStep = 1600
)

// rush finds out that a far end whose stream goes on, silence and all, sends words in it as soon as it has them.
// Those before them came at their pace, so that it is not these that were long under way: the words were sent before
// their time, and are heard one after the other from when the first of them came. While they come they tell
// nothing of the far end's clock. What comes at its pace again after them does: had the network kept all of it back
// until now, from the very first packet on, then that cannot have been for longer than it has been asked for.
type rush struct {
	set       bool
	on        bool // packets come faster than they last
	after     bool // and did so after a pause: what that tells is for spurts to say
	stamp, at int64
	// lowStamp and lowAt are of the packet that was the least under way since the row began.
	lowStamp, lowAt int64
	least           int64 // no packet was less under way than by a transit of this, as far as is known
}

// pace is what a packet tells of the pace of a stream.
type pace int

const (
	paced  pace = iota
	rushed      // it came before its time, or seems to
	eased       // it came at its pace again, and those before it were sent ahead
)

// arrive takes in a packet that came at position at. Nothing that was sent before the position since can have come.
func (r *rush) arrive(stamp, at, since int64) pace {
	said, passed, transit := stamp-r.stamp, at-r.at, at-stamp
	switch {
	case !r.set || said > rushStep || said < -rushStep:
		*r = rush{set: true, after: true, stamp: stamp, at: at, lowStamp: stamp, lowAt: at, least: min(since-stamp, transit)}
		return paced
	case said <= 0:
		return r.now() // it was overtaken
	}
	r.stamp, r.at = stamp, at
	switch {
	case passed >= spurtPause:
		r.after, r.on = true, false
	case rushOf*(at-r.lowAt) <= rushPart*(stamp-r.lowStamp):
		r.on, r.lowStamp, r.lowAt = true, stamp, at
		return r.now()
	case r.on && at-r.lowAt < rushOver:
		return r.now()
	default:
		ahead := r.now() == rushed && transit < r.least-leadSurely
		r.on, r.after = false, false
		if ahead {
			r.level(stamp, at)
			return eased
		}
	}
	r.level(stamp, at)
	return paced
}

// level takes note of a packet that came at its pace.
func (r *rush) level(stamp, at int64) {
	r.lowStamp, r.lowAt, r.least = stamp, at, min(r.least, at-stamp)
}

func (r *rush) now() pace {
	if r.on && !r.after {
		return rushed
	}
	return paced
}
