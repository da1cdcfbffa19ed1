package monitor

import "github.com/ringtrue/ringtrue/internal/trend"

// The kinds of texts that have numbers; the values of a dimension are of the kind KindDim and its name.
const (
	KindStage   = "stage"
	KindAct     = "act"
	KindFailure = "failure"
	KindDim     = "dimension "
)

// How many different texts of a kind a workspace may have; the rest is Other.
const (
	maxDimValues  = 100
	maxStageNames = 300
	maxActs       = 500
	maxFailures   = 500
	extraFailures = 200 // for groups without words, once there are too many with them
	otherNumber   = 0
)

// Erased begins what stands for a text that must go; its number follows, and is not given again.
const Erased = "\x1e"

// Value is a text and its number.
type Value struct {
	Kind string
	// ID counts from 1 within the kind; 0 stands for Other.
	ID   int
	Text string
	// Detail is what more there is to say of a failure group, whose text is its key.
	Detail string
}

type text struct{ kind, text string }

// numbers gives texts their numbers; those that are new are to be stored.
type numbers struct {
	known map[text]int
	next  map[string]int
	fresh []Value
}

func newNumbers(stored []Value) *numbers {
	n := &numbers{known: make(map[text]int, len(stored)), next: map[string]int{}}
	for _, v := range stored {
		n.known[text{v.Kind, v.Text}] = v.ID
		n.next[v.Kind] = max(n.next[v.Kind], v.ID)
	}
	return n
}

// of is the number of a text, otherNumber when the kind has all it may have.
func (n *numbers) of(kind, s string) int { return n.within(kind, s, "", limitOf(kind)) }

func (n *numbers) within(kind, s, detail string, limit int) int {
	if id, ok := n.known[text{kind, s}]; ok {
		return id
	}
	id := n.next[kind] + 1
	if id > limit {
		return otherNumber
	}
	n.known[text{kind, s}], n.next[kind] = id, id
	n.fresh = append(n.fresh, Value{kind, id, s, detail})
	return id
}

func limitOf(kind string) int {
	switch kind {
	case KindStage:
		return maxStageNames
	case KindAct:
		return maxActs
	case KindFailure:
		return maxFailures
	}
	return maxDimValues
}

// failure is the number of the group of a failed call: that of its end alone
// where there are too many groups.
func (n *numbers) failure(f *Fact) int {
	if id := n.within(KindFailure, f.Failure, f.failureDetail(f.Act), maxFailures); id != otherNumber {
		return id
	}
	coarse := trend.ShapeOf(trend.Failure{End: f.End, Blame: f.Blame, Scorer: f.Because})
	return n.within(KindFailure, coarse.Key, f.failureDetail(""), maxFailures+extraFailures)
}

// admit is the value of a dimension as it is counted: itself, or Other.
func (n *numbers) admit(dim, value string) string {
	if n.of(KindDim+dim, value) == otherNumber {
		return Other
	}
	return value
}
