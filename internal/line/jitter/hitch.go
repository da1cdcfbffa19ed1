package jitter

// What shows that a clock stood still for less than stalledSamples, in samples of 8000 Hz
// unless stated otherwise.
const (
	hitchLeast   = 240  // packets suddenly arrived this much later than before,
	hitchTime    = 1600 // and continued to do so for twice this long,
	hitchPackets = 3    // with this many packets in each half,
	hitchSlack   = 40   // and the second half no less late than the first, except for this
)

// hitch detects that a far end's clock stood still during a short pause. The first packet after it
// is late by the length of the pause, and so are all that follow. Packets held back by the network
// instead become less and less late, because they arrive faster than they last.
type hitch struct {
	open      bool
	stamp, at int64    // of the first late packet, and the position at which it arrived
	least     [2]int64 // the shortest transit in each half
	count     [2]int

	newest, transit int64 // stamp of the newest packet, and its transit
}

// arrive processes a packet, given the shortest known transit. It returns true once it is certain that the
// clock stood still.
func (h *hitch) arrive(stamp, at, known int64) (stood bool) {
	if stamp <= h.newest {
		return false // it was overtaken
	}
	transit := at - stamp
	sudden := transit-h.transit >= hitchLeast
	h.newest, h.transit = stamp, transit
	switch {
	case transit < known+hitchLeast:
		h.open = false
		return false
	case sudden:
		h.open, h.stamp, h.at = true, stamp, at
		h.count = [2]int{}
	case !h.open:
		return false
	}
	return h.judge(transit, at)
}

// judge processes a late packet.
func (h *hitch) judge(transit, at int64) (stood bool) {
	half := (at - h.at) / hitchTime
	if half < int64(len(h.count)) {
		if h.count[half] == 0 || transit < h.least[half] {
			h.least[half] = transit
		}
		h.count[half]++
		return false
	}
	h.open = false
	return min(h.count[0], h.count[1]) >= hitchPackets && h.least[1] >= h.least[0]-hitchSlack
}

// level returns the shortest transit since the hitch.
func (h *hitch) level() int64 { return min(h.least[0], h.least[1]) }
