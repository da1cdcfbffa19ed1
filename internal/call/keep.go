package call

// Keep says how much of a call may be kept, as the client's platform was told.
type Keep string

// How much may be kept. The zero value is KeepEverything.
const (
	KeepEverything Keep = ""
	// KeepNoPeople keeps what was said only where the platform has scrubbed it, and no
	// numbers, no recording and no raw payload.
	KeepNoPeople Keep = "no_people"
	// KeepBasics keeps times, the reason of the end, latency and cost alone.
	KeepBasics Keep = "basics"
)

// Stricter is the one of the two that allows less.
func (k Keep) Stricter(other Keep) Keep {
	if other.StricterThan(k) {
		return other
	}
	return k
}

// StricterThan reports whether k allows less than the other.
func (k Keep) StricterThan(other Keep) bool { return k.rank() > other.rank() }

func (k Keep) rank() int {
	switch k {
	case KeepEverything:
		return 0
	case KeepNoPeople:
		return 1
	case KeepBasics:
	}
	return 2 // what is not known allows as little as can be
}
