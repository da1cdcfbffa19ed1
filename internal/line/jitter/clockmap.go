package jitter

import (
	"cmp"
	"slices"
)

// The bounds of the estimate, in samples of 8000 Hz.
const (
	mapBuckets     = 8    // windows of one second each that the earliest arrival is taken over
	bucketSamples  = 8000 //
	slideSamples   = 2    // by more than that, pauses give way first and words only where there are none
	leapLeast      = 16   // by more than that, pauses grow first
	leapMost       = 80   // by so much in each frame
	trendBuckets   = 5    // windows that tell that the far end's clock is slow,
	trendLeast     = 8    // by so much in each at least (0.1 %)
	trendMost      = 400  // and at most (5 %)
	jumpSamples    = 8000 // an arrival that much too early is a new clock of the far end
	stalledSamples = 1600 // an arrival that much too late may be a clock that stood still
	stalledPackets = 5    // this many in a row make sure,
	stalledTime    = 640  // over that long,
	stalledSlack   = 400  // unless they come less and less late: then they catch up
)

// clockMap maps the far end's timestamps to our media time: by the packets that
// were the least under way, because every other delay is the network's or a
// busy machine's. It follows the drift of the far end's clock over seconds.
type clockMap struct {
	set    bool
	offset int64 // media position = timestamp + offset
	goal   int64 // where the offset belongs, and moves to

	bucketAt int64 // media position at which the current bucket began
	filled   int
	buckets  [mapBuckets]int64

	stalled     int
	stalledFrom int64 // transit of the first of those that are too late
	stalledAt   int64 // and the media position at which it came
	stalledMin  int64

	hitch hitch
}

// verdict is what an arrival means for the map.
type verdict int

const (
	mapKept  verdict = iota
	mapNew           // timestamps from this packet on follow a new clock
	mapStall         // the first packet that is far too late; a new clock may follow
	mapAhead         // this spurt, and others before it, were sent ahead of their time
	mapEased         // the packets right before this one were sent ahead of their time, and it was not
	mapHitch         // timestamps from an earlier packet on, the first of the hitch, follow a new clock
)

// arrive takes in a packet whose first sample has the given timestamp and that
// arrived at the media position at.
func (m *clockMap) arrive(stamp, at int64) verdict {
	transit := at - stamp
	switch {
	case !m.set:
		m.begin(transit, at)
		return mapKept
	case transit < m.known()-jumpSamples:
		m.begin(transit, at)
		return mapNew
	case transit > m.known()+stalledSamples:
		return m.late(transit, at)
	}
	m.stalled = 0
	if h := &m.hitch; h.arrive(stamp, at, m.known()) {
		m.begin(min(h.level(), transit), at) // nothing arrives before it was said
		return mapHitch
	}
	m.note(transit, at)
	return mapKept
}

func (m *clockMap) begin(transit, at int64) {
	*m = clockMap{set: true, offset: transit, goal: transit, bucketAt: at, filled: 1, hitch: m.hitch}
	m.buckets[0] = transit
}

// retell begins anew by a packet, and leaves it to pauses to bring there what comes.
func (m *clockMap) retell(transit, at int64) {
	offset := m.offset
	m.begin(transit, at)
	m.offset = offset
}

// late takes in a packet that is far too late. Those that follow it tell why: what the
// network held back comes all at once, after a clock that stood still it comes as ever.
func (m *clockMap) late(transit, at int64) verdict {
	first := m.stalled == 0
	if first || transit < m.stalledFrom-stalledSlack {
		m.stalled, m.stalledFrom, m.stalledAt, m.stalledMin = 0, transit, at, transit
	}
	m.stalled++
	m.stalledMin = min(m.stalledMin, transit)
	switch {
	case first:
		return mapStall
	case m.stalled < stalledPackets || at-m.stalledAt < stalledTime:
		return mapKept
	}
	m.begin(m.stalledMin, at)
	return mapNew
}

func (m *clockMap) note(transit, at int64) {
	if at-m.bucketAt >= bucketSamples {
		m.bucketAt = at
		copy(m.buckets[1:], m.buckets[:mapBuckets-1])
		m.buckets[0] = transit
		m.filled = min(m.filled+1, mapBuckets)
		m.goal = max(m.least(), m.trend())
	}
	m.buckets[0] = min(m.buckets[0], transit)
	// Nothing arrives before it was said: what came sooner than the goal corrects it.
	m.goal = min(m.goal, transit)
}

// known is the offset by all that is known now, whatever is still in the way of it.
func (m *clockMap) known() int64 { return min(m.offset, m.goal) }

// behind is by how much later than is known by now everything is placed.
func (m *clockMap) behind() int64 { return m.offset - m.known() }

// ahead is by how much sooner than where it belongs everything is placed.
func (m *clockMap) ahead() int64 { return m.goal - m.offset }

// least is the earliest arrival over all windows; it answers only once they are
// all filled, since a few seconds may hold no prompt packet at all.
func (m *clockMap) least() int64 {
	if m.filled < mapBuckets {
		return m.goal
	}
	return slices.Min(m.buckets[:])
}

// trend is where the earliest arrivals are by now of a far end whose clock is slow, as one is that sleeps
// for 20 ms after each packet: they come later by as much from window to window, in all of them, and the
// earliest of all is that of eight seconds ago. A network does not do that for so long.
func (m *clockMap) trend() int64 {
	full := m.buckets[1:m.filled] // the newest has only begun
	if len(full) < trendBuckets {
		return m.goal
	}
	rise := int64(trendMost)
	for i := range len(full) - 1 {
		rise = min(rise, full[i]-full[i+1])
	}
	if rise < trendLeast {
		return m.goal
	}
	now := full[0] + rise
	for i, least := range full {
		now = min(now, least+rise*int64(i+1))
	}
	return now
}

// drifts says that the offset is about to move.
func (m *clockMap) drifts() bool { return m.offset != m.goal }

// follow moves the offset by at most one sample towards where drift has taken it, or
// towards what a packet has shown that came a little sooner than all before it: a sample less
// in each frame is heard by nobody, where all of them at once would be a piece of a word.
func (m *clockMap) follow() {
	m.offset += int64(cmp.Compare(m.goal, m.offset))
}
