package departure

import "github.com/ringtrue/ringtrue/internal/trend"

// departure is a departure that is or was followed hour by hour.
type departure struct {
	start, end int // indexes of hours; end is the last one that departs
	sign       trend.Sign
	// size is the size of the departure in units of scale.
	size float64
	// odds is the log odds of the departure against the usual, most their maximum.
	odds, most float64
	told       int
	p          float64
	accepted   bool
	closed     bool
	// silent is the stretch of a silence, nil for other departures.
	silent *quiet
}

// gain returns what an hour adds to the log odds of a departure of the given size.
func (h *hour) gain(size float64) float64 {
	if h.scale == 0 {
		return 0
	}
	shift := size * h.scale
	return shift * (h.x - h.e - shift/2) / (h.sd * h.sd)
}

// step adds one more hour to a departure.
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
