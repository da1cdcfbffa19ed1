package archive

import "time"

// Left narrows to answered calls whose caller left before the goal, as monitoring
// counts them. Zero fields narrow no further.
type Left struct {
	// Turns is how many turns had been spoken by both, Seconds how long the call had lasted.
	Turns, Seconds *Range
	// Stage is the last one of the platform's flow.
	Stage string
	// Words are numbers of the agent's last sentences, as monitoring gives them.
	Words []int
}

// Range is of whole numbers from From on and, unless it is 0, below Below.
type Range struct{ From, Below int }

func (r *Range) holds(n int) bool { return r == nil || n >= r.From && (r.Below == 0 || n < r.Below) }

// Leaving is where the caller of one call left.
type Leaving struct {
	// Early is false for a call that counts as no drop-off.
	Early bool
	Turns int
	After time.Duration
	Stage string
	Words string
}

// Fits reports whether a call is one of those asked for. words are the sentences
// that Words stands for, nil when it asks for none.
func (l *Left) Fits(at Leaving, words map[string]bool) bool {
	return at.Early && l.Turns.holds(at.Turns) && l.Seconds.holds(int(at.After/time.Second)) &&
		(l.Stage == "" || l.Stage == at.Stage) && (words == nil || at.Words != "" && words[at.Words])
}
