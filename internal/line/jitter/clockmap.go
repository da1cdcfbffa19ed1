package jitter

import (
	"cmp"
	"slices"
)

// Parameters of the estimate, in samples of 8000 Hz unless stated otherwise.
const (
	mapBuckets     = 8    // windows of one second each for the earliest arrival
	bucketSamples  = 8000 //
	slideSamples   = 2    // above this, pauses are shortened first, and words only if there are no pauses
	leapLeast      = 16   // above this, pauses are lengthened first,
	leapMost       = 80   // by this much per frame
	trendBuckets   = 5    // number of windows that show that the far end's clock is slow,
	trendLeast     = 8    // if it falls behind by at least this much in each (0.1 %)
	trendMost      = 400  // and at most this much (5 %; from 4 % on, stalledSamples come before it is shown)
	jumpSamples    = 8000 // an arrival this much too early means a new clock at the far end
	stalledSamples = 1600 // an arrival this much too late may mean a clock that stood still,
	stalledPackets = 5    // which this many in a row confirm,
	stalledTime    = 640  // over this time,
	stalledSlack   = 400  // unless their lateness decreases by this much: then they are catching up
)

// clockMap maps the far end's timestamps to our media time. It is based on the packets with the
// shortest transit, because all further delay is caused by the network or a busy machine. It
// follows the drift of the far end's clock over seconds.
type clockMap struct {
	set    bool
	offset int64 // media position = timestamp + offset
	goal   int64 // where the offset should be, and is moving to

	bucketAt int64 // media position at which the current bucket began
	filled   int
	buckets  [mapBuckets]int64

	stalled     int
	stalledFrom int64 // transit of the first packet that was too late
	stalledAt   int64 // and the media position at which it arrived
	stalledMin  int64

	hitch hitch
}

// verdict is what an arrival means for the map.
type verdict int

const (
	mapKept  verdict = iota
	mapNew           // a new clock applies to timestamps from this packet on
	mapStall         // the first packet that is far too late; a new clock may follow
	mapStood         // it does, from the packet on that was the first too late
	mapAhead         // this spurt, and others before it, were sent ahead of time
	mapEased         // the packets immediately before this one were sent ahead of time, and this one was not
	mapHitch         // a new clock applies to timestamps from an earlier packet on, the first of the hitch
)

// arrive processes a packet whose first sample has the given timestamp and which arrived at
// media position at.
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

// retell restarts the map from a packet but keeps the offset, which then moves to the new goal at pauses.
func (m *clockMap) retell(transit, at int64) {
	offset := m.offset
	m.begin(transit, at)
	m.offset = offset
}

// late processes a packet that is far too late. The packets after it show the reason: what the network
// held back arrives all at once; after a clock that stood still, packets arrive at their normal pace.
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
	return mapStood
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
	// Nothing arrives before it was said: a packet earlier than the goal corrects it.
	m.goal = min(m.goal, transit)
}

// known returns the best known offset, whether or not the map has moved there yet.
func (m *clockMap) known() int64 { return min(m.offset, m.goal) }

// behind returns how much later than known everything is placed.
func (m *clockMap) behind() int64 { return m.offset - m.known() }

// ahead returns how much earlier than the goal everything is placed.
func (m *clockMap) ahead() int64 { return m.goal - m.offset }

// least returns the earliest arrival in all windows, and the goal until all are filled: a few
// seconds may hold no packet with a short transit.
func (m *clockMap) least() int64 {
	if m.filled < mapBuckets {
		return m.goal
	}
	return slices.Min(m.buckets[:])
}

// trend returns where the earliest arrivals are now if the far end's clock is slow, as that of a sender
// that sleeps for 20 ms after each packet: they then come later by about the same amount from each window
// to the next, and the earliest of all windows is out of date. A network does not cause this for so long.
func (m *clockMap) trend() int64 {
	full := m.buckets[1:m.filled] // the newest window is not full
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

// drifts reports whether the offset is about to move.
func (m *clockMap) drifts() bool { return m.offset != m.goal }

// follow moves the offset by at most one sample towards the goal, which has moved by drift, or
// because a packet arrived slightly earlier than all before it. One sample per frame is
// inaudible, whereas the whole difference at once would cut a piece out of a word.
func (m *clockMap) follow() {
	m.offset += int64(cmp.Compare(m.goal, m.offset))
}
