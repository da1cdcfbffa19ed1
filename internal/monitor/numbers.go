package monitor

import "github.com/ringtrue/ringtrue/internal/trend"

// The kinds of numbered texts. The kind of a dimension's values is KindDim followed by its name.
const (
	KindStage   = "stage"
	KindAct     = "act"
	KindFailure = "failure"
	KindDim     = "dimension "
)

// How many different texts of each kind a workspace may have; the rest is Other.
const (
	maxDimValues  = 100
	maxStageNames = 300
	maxActs       = 500
	maxFailures   = 500
	extraFailures = 200 // for groups without words, once the limit is reached
	otherNumber   = 0
)

// Erased begins the placeholder of an erased text; its number follows and is not reused.
const Erased = "\x1e"

// Value is a numbered text.
type Value struct {
	Kind string
	// ID counts from 1 within the kind; 0 stands for Other.
	ID   int
	Text string
	// Detail describes a failure group, whose text is its key.
	Detail string
}

type text struct{ kind, text string }

// numbers assigns numbers to texts; fresh are the new ones, which must be stored.
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

// of returns the number of a text, otherNumber if the kind is full.
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

// failure returns the number of a failed call's group. If there are too many groups, it is that of
// the group without words.
func (n *numbers) failure(f *Fact) int {
	if id := n.within(KindFailure, f.Failure, f.failureDetail(f.Act), maxFailures); id != otherNumber {
		return id
	}
	coarse := trend.ShapeOf(trend.Failure{End: f.End, Blame: f.Blame, Scorer: f.Because})
	return n.within(KindFailure, coarse.Key, f.failureDetail(""), maxFailures+extraFailures)
}

// admit returns the value under which a dimension's value is counted: itself, or Other.
func (n *numbers) admit(dim, value string) string {
	if n.of(KindDim+dim, value) == otherNumber {
		return Other
	}
	return value
}
