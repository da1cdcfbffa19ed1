package trend

import (
	"math"
	"slices"

	"github.com/ringtrue/ringtrue/internal/trend/chance"
)

// Place is a place in the conversation: a turn, a stretch of seconds, a stage, what
// the agent did last.
type Place struct {
	Name string
	// Reached is how many callers came there.
	Reached int64
	// Left is how many of them left there before their goal.
	Left int64
}

// InOrder makes places that follow one another (turns, seconds) out of how many
// callers left before their goal at each and how many calls ended there otherwise.
// Everybody who ends at a place has reached all before it.
func InOrder(names []string, left, ended []int64) []Place {
	out := make([]Place, len(names))
	var reached int64
	for i, name := range slices.Backward(names) {
		reached += at(left, i) + at(ended, i)
		out[i] = Place{Name: name, Reached: reached, Left: at(left, i)}
	}
	return out
}

func at(v []int64, i int) int64 {
	if i < len(v) {
		return v[i]
	}
	return 0
}

// Leak is a place with what is known of the callers who left there.
type Leak struct {
	Place
	// Staying is the share of all callers who would still be there after this place
	// if nobody ended otherwise (Kaplan and Meier), with its interval by Greenwood's
	// formula on the log-log scale. Both are 0 when the places have no order.
	Staying         float64
	StayingInterval Interval
	// Against compares the share of those who left here, of Reached, with that of all other places together (A).
	Against Difference
	// Q is Against.P after Benjamini and Hochberg over all places.
	Q float64
}

// Funnel is how callers leave, place by place.
type Funnel struct {
	Leaks []Leak
	// Left of Reached is the whole: callers who left before their goal, of all.
	Left, Reached int64
	// Steepest is the index of the place that loses most beyond what the other
	// places would let expect, −1 when no place is surely worse than the others;
	// Reason says which and why, or why not.
	Steepest int
	Reason   string
}

// DropOff describes where callers leave. Ordered says that the places follow one
// another, as turns do and last acts do not. calls is the number of all callers;
// with 0 that of the place most of them reached.
func DropOff(places []Place, ordered bool, calls int64) Funnel {
	f := Funnel{Leaks: make([]Leak, len(places)), Steepest: -1, Reached: calls}
	var all Share
	for _, p := range places {
		all.Hits += p.Left
		all.N += p.Reached
		f.Left += p.Left
		if calls == 0 {
			f.Reached = max(f.Reached, p.Reached)
		}
	}
	ps := make([]float64, len(places))
	for i, p := range places {
		here := Share{p.Left, p.Reached}
		rest := Share{all.Hits - p.Left, all.N - p.Reached}
		f.Leaks[i] = Leak{Place: p, Against: CompareShares(rest, here, 0)}
		ps[i] = f.Leaks[i].Against.P
	}
	for i, q := range BenjaminiHochberg(ps) {
		f.Leaks[i].Q = q
	}
	if ordered {
		survive(f.Leaks)
	}
	f.steepest(all)
	return f
}

// survive fills in the shares that stay, by Kaplan and Meier.
func survive(leaks []Leak) {
	staying, variance := 1.0, 0.0
	z := chance.NormalQuantile((1 + Confidence) / 2)
	for i := range leaks {
		l := &leaks[i]
		n, d := float64(l.Reached), float64(l.Left)
		if n > 0 {
			staying *= 1 - d/n
			if n > d {
				variance += d / (n * (n - d))
			}
		}
		l.Staying, l.StayingInterval = staying, Interval{staying, staying}
		if staying > 0 && staying < 1 {
			half := z * math.Sqrt(variance) / math.Abs(math.Log(staying))
			l.StayingInterval = Interval{math.Pow(staying, math.Exp(half)), math.Pow(staying, math.Exp(-half))}
		}
	}
}

// steepest finds the place with the most callers lost beyond the usual, among
// those that are surely worse than the others and rest on ten callers and more.
func (f *Funnel) steepest(all Share) {
	most := 0.0
	for i, l := range f.Leaks {
		beyond := float64(l.Left) - float64(l.Reached)*l.Against.A
		if l.Against.Outcome == Higher && l.Q < significant && l.Reached >= 10 && beyond > most {
			f.Steepest, most = i, beyond
		}
	}
	switch {
	case f.Steepest >= 0:
		f.Reason = "callers leave here more often than elsewhere, and that is hardly chance"
	case all.Hits < 10:
		f.Reason = "too few callers left to say where"
	default:
		f.Reason = "no place loses surely more than the others"
	}
}
