package jitter

import "github.com/ringtrue/ringtrue/internal/rtp"

// The bounds of what is believed of the far end's timestamps, in samples of 8000 Hz.
const (
	// stepLeast is the least that counts as a step: what a far end is out by that takes its
	// timestamps from its clock is none, and its sound goes on all the same.
	stepLeast = 80
	// stepAhead is by how much sound may seem to come before its time, of clocks that differ.
	stepAhead = 40
	// stepBelieved is by how much a packet may come before its time after a pause in which nothing was
	// sent: as likely as a step, those before it were late, and the sound goes where it belongs either way.
	stepBelieved = 3200
	// stepSlack is how late a packet may always be that goes on where the one before ended.
	stepSlack = 160
	// Each step adds stepWeight to the doubt in the timestamps, and each packet without one
	// takes 1 away. From stepDoubt on a hole in them is no silence, whatever the time it comes at.
	stepWeight, stepDoubt, stepMost = 2, 8, 24
)

// stamps unwraps the far end's timestamps and takes out of them what its voice did not
// do: where a packet directly follows another and its timestamp steps back into it, or
// farther ahead than time has gone by, the far end has set its clock anew, runs it at
// another rate than it should, or does not run it at all. The packet then belongs where
// the one before ended, or where it came if that is later than the network explains.
type stamps struct {
	raw   int64 // the newest packet's timestamp, unwrapped
	shift int64 // what has been taken out so far
	next  int64 // the stamp after its last sample
	ext   int64 // its extended sequence number
	since int64 // that of the first packet after the newest step, 0 while there was none
	doubt int32 // how much speaks against the timestamps
	wide  bool  // timestamps count a clock of 48 kHz, and not samples
	// excused says that no packet had to come for a while, so that the next one may be of
	// any time.
	excused bool
	// keyed is the stamp at which the key was let go that was pressed since the newest
	// packet, 0 for none.
	keyed int64
}

// begin begins with a packet and gives its stamp.
func (t *stamps) begin(p rtp.Packet, ext int64) int64 {
	*t = stamps{raw: int64(p.Timestamp), wide: t.wide, ext: ext}
	t.next = t.of(p.Timestamp)
	return t.next
}

// first is the stamp of the packet that begin was told of, which has n samples.
func (t *stamps) first(n int64) int64 {
	stamp := t.next
	t.next += n
	return stamp
}

// unwrap is a timestamp near the newest one without its bound of 32 bits.
func (t *stamps) unwrap(timestamp uint32) int64 {
	return t.raw + int64(int32(timestamp-uint32(t.raw)))
}

// of is the stamp of a timestamp near the newest one, steps taken out.
func (t *stamps) of(timestamp uint32) int64 {
	at := t.unwrap(timestamp)
	if t.wide {
		at = floorDiv(at, wideClock)
	}
	return at + t.shift
}

// skip takes note of a packet that has a number and takes no time.
func (t *stamps) skip(ext int64) { t.ext = ext }

// older is the stamp of a packet of n samples, behind numbers before the newest one: before a
// step its timestamp tells nothing now, nor when it has it be said after that one, but its number does.
func (t *stamps) older(p rtp.Packet, behind, n int64) int64 {
	if stamp := t.of(p.Timestamp); t.ext-behind >= t.since && stamp < t.next {
		return stamp
	}
	return t.next - (behind+1)*n
}

// newer is the stamp of a packet of n samples that is the newest, ahead numbers after
// the last one. early is how much sooner (samples) than the clock map has it a stamp may
// lie for what has come now, and slack how late packets are of late.
func (t *stamps) newer(p rtp.Packet, ext, ahead, n, now, slack int64) int64 {
	stamp := t.of(p.Timestamp)
	expected := t.next + (ahead-1)*n
	switch gap := stamp - expected; {
	case t.stands(stamp) && now-stamp > max(slack, stepSlack): // its clock stood still meanwhile
		t.shift += now - stamp
		stamp, t.since = now, ext
	case gap == 0:
		t.doubt = max(t.doubt-1, 0)
	case ahead == 1 && gap > -stepLeast && gap < stepLeast:
		t.shift -= gap
		stamp = expected
	case t.steps(stamp, expected, ahead, now):
		if t.doubt < stepDoubt && stamp-now <= stepBelieved && now-t.next > 2*stepSlack && stamp > now {
			break // after a pause, whose end may be missing: packets were late alike before it
		}
		if now-expected > t.patience(slack) {
			expected = now // there was a pause too
		}
		t.doubt = min(t.doubt+stepWeight, stepMost)
		t.shift += expected - stamp
		stamp, t.since = expected, ext
	}
	t.raw, t.ext, t.next = t.unwrap(p.Timestamp), ext, stamp+n
	t.excused, t.keyed = false, 0
	return stamp
}

// press takes note of a key press that has lasted so many samples, unless something was said
// beside it: whose voice goes on meanwhile has a clock that does.
func (t *stamps) press(begun, samples int64) {
	if begun > t.next-stepLeast {
		t.keyed = begun + samples
	}
}

// stands says that the far end's clock may have stood still before a stamp: some let it while
// they press a key, and go on with the timestamp that the press began with.
func (t *stamps) stands(stamp int64) bool { return t.excused || t.keyed != 0 && stamp < t.keyed }

// patience is how late a packet may be and go on where the one before ended all the same.
func (t *stamps) patience(slack int64) int64 {
	if t.doubt >= stepDoubt {
		return stalledSamples // nothing but this tells a pause from a stall
	}
	return max(slack, stepSlack)
}

// steps says that a stamp does not follow from the one before; now is the stamp of what
// would have come here without any delay. What comes before it could have been said is no
// step back but another packet of the same moment.
func (t *stamps) steps(stamp, expected, ahead, now int64) bool {
	switch gap := stamp - expected; {
	case gap <= -stepLeast && expected-now > stepAhead:
		return false
	case gap <= -stepLeast:
		return ahead == 1 || stamp <= t.next-stepLeast // else packets of other lengths were lost
	case gap >= stepLeast:
		return now-stamp < -stepLeast || ahead == 1 && t.doubt >= stepDoubt
	}
	return false
}
