package trend

import "slices"

// Place is a place in the conversation: a turn, a stretch of seconds, or a stage.
type Place struct {
	Name string
	// Reached is how many callers got there.
	Reached int64
	// Left is how many of them left there before reaching their goal.
	Left int64
}

// InOrder makes consecutive places (turns, seconds) from how many callers left at each before
// reaching their goal, and how many calls ended there otherwise. A call that ends at a place has
// reached all places before.
func InOrder(names []string, left, ended []int64) []Place {
	out := make([]Place, len(names))
	var reached int64
	for i, name := range slices.Backward(names) {
		reached += left[i] + ended[i]
		out[i] = Place{Name: name, Reached: reached, Left: left[i]}
	}
	return out
}

// Leak is a place with statistics about the callers who left there.
type Leak struct {
	Place
	// Staying is the share of all callers who would still be there after this place if calls ended in
	// no other way (Kaplan and Meier); 0 if the places have no order.
	Staying float64
	// Against compares the share of those who left here, out of Reached, with that of all other places
	// together (A).
	Against Difference
	// Q is Against.P adjusted by Benjamini and Hochberg's method over all places.
	Q float64
}

// Funnel is how callers leave, place by place.
type Funnel struct {
	Leaks []Leak
	// Steepest is the index of the place that loses most beyond what the other places lead to expect,
	// −1 if none is significantly worse than the others. Reason says why.
	Steepest int
	Reason   string
}

// DropOff computes where callers leave. ordered says that the places follow one another, as turns
// do and stages do not.
func DropOff(places []Place, ordered bool) Funnel {
	f := Funnel{Leaks: make([]Leak, len(places)), Steepest: -1}
	var all Share
	for _, p := range places {
		all.Hits += p.Left
		all.N += p.Reached
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

// survive sets the shares that stay, by Kaplan and Meier's method.
func survive(leaks []Leak) {
	staying := 1.0
	for i := range leaks {
		staying *= 1 - Share{leaks[i].Left, leaks[i].Reached}.Value()
		leaks[i].Staying = staying
	}
}

// steepest finds the place with the most callers lost beyond expectation, among those that are
// significantly worse than the others and were reached by at least ten callers.
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
