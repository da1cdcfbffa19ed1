package call

// Keep limits how much of a call may be kept, as set on the client's platform.
type Keep string

// The limits. The zero value is KeepEverything.
const (
	KeepEverything Keep = ""
	// KeepNoPeople keeps what was said only where the platform has removed personal data, and
	// keeps no telephone numbers, no recording and no raw payload.
	KeepNoPeople Keep = "no_people"
	// KeepBasics keeps only times, the end reason, latency and cost.
	KeepBasics Keep = "basics"
)

// Stricter returns the one of k and other that allows less.
func (k Keep) Stricter(other Keep) Keep {
	if other.StricterThan(k) {
		return other
	}
	return k
}

// StricterThan reports whether k allows less than other.
func (k Keep) StricterThan(other Keep) bool { return k.rank() > other.rank() }

func (k Keep) rank() int {
	switch k {
	case KeepEverything:
		return 0
	case KeepNoPeople:
		return 1
	case KeepBasics:
	}
	return 2 // an unknown value allows as little as possible
}
