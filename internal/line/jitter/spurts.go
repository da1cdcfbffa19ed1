package jitter

// What makes sure that a far end sends its words ahead, in samples of 8000 Hz.
const (
	spurtPause = 1200                    // nothing came for that long before the first packet of a spurt
	rowPace    = 3                       // then packets came so many times faster than they last,
	rowSlack   = 240                     // but for this,
	rowLeast   = 3                       // so many of them at least,
	leadLeast  = 240                     // until they were that much ahead,
	leadStill  = 640                     // or that much, where timestamps stand still in pauses, which tell less,
	leadShare  = 8                       // and two such spurts in a row were alike, but for this part of the lead,
	leadSurely = SurelyAheadNS * 8 / 1e6 // or the first was ahead by that much more than could wait since it was asked for,
	rowSettled = 1600                    // whose packets were taken in as they came only after this
)

// SurelyAheadNS is by how much (ns) more than can have waited for us the first words of all must have come at once to
// have been sent ahead: the network of whoever sent them may have kept back so much at that very moment.
const SurelyAheadNS = int64(240e6)

// spurts finds out that a far end sends what it says faster than it lasts, as far as it
// has it, and nothing in between. Then it is not the first packets of a spurt that were long under
// way, but those after them that were sent before their time: nobody can hear a word before
// its first packet has come. One such spurt tells nothing, since a network that keeps
// packets back and lets them go at once looks the same; the next one does, for the network does not do
// it each time, by the same amount, just when somebody begins to speak. Where timestamps stand still in a pause, all
// that a network can have kept back is what fills the pause.
type spurts struct {
	now, before spurt
	stamp, at   int64 // of the newest packet, and the position at which it came
	inRow       bool  // every packet of this spurt so far has come quickly
	sure        bool
	asked       bool // nothing that was sent before the position since can have come
	since       int64
}

// spurt is what was sent after a pause in which nothing was.
type spurt struct {
	begun int64 // stamp of the first packet
	head  int64 // transit of the first packet
	still bool  // its timestamp goes on where the one before the pause ended,
	old   int64 // whose transit was this
	row   int   // how many packets came in a quick row at the beginning
	lead  int64 // by how much less the last of them was under way
}

// arrive takes in a packet. It says whether it has only now become sure that the far end sends ahead.
func (s *spurts) arrive(stamp, at int64) (found bool) {
	transit := at - stamp
	begun := s.now.row > 0
	switch said := stamp - s.stamp; {
	case !begun || said > 0 && at-s.at >= spurtPause:
		s.sure = s.sure && s.now.hasty()
		s.before, s.now = s.now, spurt{begun: stamp, head: transit, still: begun && said < spurtPause, old: s.at - s.stamp, row: 1}
		s.inRow = true
	case said <= 0:
		return false // it was overtaken, and tells nothing of the pace
	case s.inRow && s.now.quick(stamp, transit):
		s.now.row++
		s.now.lead = max(s.now.lead, s.now.head-transit)
	case s.unsettled(at): // this machine may have been busy
	default:
		s.inRow = false
	}
	s.stamp, s.at = stamp, at
	found = !s.sure && s.told()
	s.sure = s.sure || found
	return found
}

// told says that the spurts so far tell that the far end sends ahead.
func (s *spurts) told() bool {
	return s.now.ahead() && (s.before.ahead() && s.now.like(&s.before) || s.surely())
}

// unsettled says that the far end has only just been heard for the first time.
func (s *spurts) unsettled(at int64) bool {
	return s.asked && s.before.row == 0 && at-s.now.begun-s.now.head < rowSettled
}

// surely says of the first spurt of all that no network can have kept back as much as it was ahead. One that came within
// the call began in it, too: placed before it, words would be on no recording.
func (s *spurts) surely() bool {
	came := s.now.begun + s.now.head
	waited := came - s.since
	if came >= 0 {
		waited = min(waited, came)
	}
	return s.asked && s.before.row == 0 && s.now.lead > max(waited, 0)+leadSurely
}

// quick says that everything up to a packet came faster than it lasts.
func (s *spurt) quick(stamp, transit int64) bool {
	said := stamp - s.begun
	passed := said + transit - s.head
	return rowPace*passed <= said+rowSlack
}

// hasty says that it came faster than it lasts. Of a far end that sends ahead that is no wonder, even where the network
// could have kept as much back.
func (s *spurt) hasty() bool { return s.row >= rowLeast && s.lead >= leadLeast }

// ahead says that it looks as if it had been sent ahead.
func (s *spurt) ahead() bool {
	if s.still && (s.lead < leadStill || s.head-s.lead-s.old < stalledSamples) {
		return false
	}
	return s.hasty()
}

// like says that two spurts were under way for the same time, as far as their timestamps tell, or sent equally far ahead.
func (s *spurt) like(other *spurt) bool {
	off := s.head - other.head
	if s.still || other.still {
		off = s.lead - other.lead
	}
	return max(off, -off)*leadShare <= min(s.lead, other.lead)
}

// lead is by how much a packet was sent ahead.
func (s *spurts) lead(stamp, at int64) int64 {
	if !s.sure {
		return 0
	}
	return min(max(s.now.head-(at-stamp), 0), s.now.lead)
}
