package departure

import "github.com/ringtrue/ringtrue/internal/trend"

// departure is one that is being followed, or was, hour by hour: how far it goes, and how sure that is.
type departure struct {
	start, end int // hours, end the last one that departs
	sign       trend.Sign
	// size is the departure in units of scale.
	size float64
	// odds is the logarithm of the odds of the departure against the usual, most its maximum.
	odds, most float64
	told       int
	p          float64
	accepted   bool
	closed     bool
	// silent are the ten minutes of a silence, nil of anything else.
	silent *quiet
}

// gain is what an hour adds to the logarithm of the odds of a departure of the
// given size against none.
func (h *hour) gain(size float64) float64 {
	if h.scale == 0 {
		return 0
	}
	shift := size * h.scale
	return shift * (h.x - h.e - shift/2) / (h.sd * h.sd)
}

// step takes one more hour into a departure.
func (r *departure) step(h *hour, i int) {
	if h.scale == 0 {
		return
	}
	r.odds += h.gain(r.size)
	if r.odds >= r.most {
		r.most, r.end = r.odds, i
	}
	r.closed = r.most-r.odds > normalAgain
}
