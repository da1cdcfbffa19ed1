package jitter

// What tells that a clock has stood still for less than stalledSamples, in samples of 8000 Hz.
const (
	hitchLeast   = 240  // packets came all at once that much later than before,
	hitchTime    = 1600 // and for twice that long,
	hitchPackets = 3    // so many of them in each half,
	hitchSlack   = 40   // none came less late in the second half, but for this
)

// hitch finds out that a far end's clock has stood still in a short pause. The first packet after it
// comes as late as the pause was long, and all others as late as that one. What a network keeps back
// comes ever less late instead, because it follows faster than it lasts.
type hitch struct {
	open      bool
	stamp, at int64    // of the first packet that was late, and the position at which it came
	least     [2]int64 // the least transit in either half
	count     [2]int

	newest, transit int64 // stamp of the newest packet, and its transit
}

// arrive takes in a packet, and what the transit was of those that were least under way. It says whether it is
// certain now.
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

// judge takes in a packet that is late.
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

// level is the transit of those that came since.
func (h *hitch) level() int64 { return min(h.least[0], h.least[1]) }
