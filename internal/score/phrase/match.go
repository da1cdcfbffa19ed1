package phrase

import (
	"strings"
)

// Tolerance says how much of a phrase may be misheard.
type Tolerance uint8

const (
	// Exact demands every word.
	Exact Tolerance = iota
	// AsHeard allows what an imperfect recogniser does to ordinary words: a
	// quarter of them in phrases of four and more, one light word or two near
	// spellings in phrases of two and three, one near spelling in a single word. Numbers, amounts, times, dates, days and negations never.
	AsHeard
)

// The costs of the alignment, in thousandths of a word.
const (
	whole    = 1000
	fraction = 500
	// parted is for the same letters with a blank too many or too few.
	parted    = 100
	forbidden = 1 << 28
	// Enough is the similarity from which a phrase of four and more words counts as said.
	Enough = 0.75
)

// Match is where a phrase was found, or the passage that comes closest.
type Match struct {
	Found bool
	// Similarity is 1 for the same words, 0 for none of them.
	Similarity float64
	// First and Last are tokens of what was heard, last included; First is -1 when nothing is near.
	First, Last int
}

// Find looks for the phrase in what was heard by aligning them with the
// least cost; the phrase may begin and end anywhere.
func Find(want, heard []Token, t Tolerance) Match {
	units := unitsOf(want, t)
	best := Match{First: -1, Last: -1}
	if len(units) == 0 || len(heard) == 0 {
		return best
	}
	total := 0
	for _, u := range units {
		total += u.weight
	}
	// Strict parts may not be missed in a match; the loose pass without that
	// rule finds the closest passage for the evidence.
	kept := func(int) bool { return true }
	if t == AsHeard && units[len(units)-1].strict {
		kept = func(last int) bool { return !Retracted(heard, last) }
	}
	if cost, first, last := align(units, heard, true, kept); first >= 0 && cost <= allowed(units, total, t) {
		return Match{Found: true, Similarity: share(cost, total), First: first, Last: last}
	}
	if cost, first, last := align(units, heard, false, kept); first >= 0 && cost < total {
		best = Match{Similarity: share(cost, total), First: first, Last: last}
	}
	return best
}

func share(cost, total int) float64 {
	return max(0, 1-float64(cost)/float64(total))
}

// allowed is the cost up to which a phrase counts as said.
func allowed(units []unit, total int, t Tolerance) int {
	switch {
	case t == Exact:
		return 0
	case len(units) >= 4:
		return int(float64(total) * (1 - Enough))
	case len(units) >= 2:
		return fraction
	}
	return fraction / 2
}

// cell is one state of the alignment: the cost so far and where the passage began.
type cell struct{ cost, from int }

// reach makes a state what comes of this one at a cost, unless it was reached for less.
func (c cell) reach(to *cell, cost int) {
	if c.cost+cost < to.cost {
		*to = cell{c.cost + cost, c.from}
	}
}

// alignment carries the states of one unit on into those of the next. A state at j has
// used what was heard before j.
type alignment struct {
	heard []Token
	hard  bool
	// prior are the states before the unit before, row those before a unit, and next those behind it.
	prior, row, next []cell
}

// align returns the least cost of finding the units in heard and the passage,
// -1 when there is none. With hard set, strict units must be there, and the passage
// must end where it is kept to.
func align(units []unit, heard []Token, hard bool, kept func(last int) bool) (cost, first, last int) {
	a := alignment{heard, hard, make([]cell, len(heard)+1), make([]cell, len(heard)+1), make([]cell, len(heard)+1)}
	unreached := cell{cost: forbidden, from: -1}
	for j := range a.row {
		a.row[j] = cell{cost: 0, from: j}
		if hard && Negator(heard, j, units[0].strict) >= 0 {
			a.row[j] = unreached
		}
	}
	for i, u := range units {
		for j := range a.next {
			a.next[j] = unreached
		}
		for j := range a.row {
			a.step(u, j, i == 0)
		}
		if i > 0 {
			a.stepTwo(units[i-1], u)
		}
		a.prior, a.row, a.next = a.row, a.next, a.prior
	}
	cost, first, last = forbidden, -1, -1
	for j, c := range a.row {
		// Of two closest passages the longer one shows more.
		if (c.cost < cost || !hard && c.cost == cost) && c.from < j && (!hard || kept(j-1)) {
			cost, first, last = c.cost, c.from, j-1
		}
	}
	return cost, first, last
}

// step carries the state at j on over a unit, which may be the first one.
func (a *alignment) step(u unit, j int, first bool) {
	heard, here := a.heard, a.row[j]
	if here.cost >= forbidden {
		return
	}
	if !u.strict || !a.hard {
		here.reach(&a.next[j], u.weight)
	}
	if j >= len(heard) {
		return
	}
	if extra := insertion(heard[j], a.hard); !first && extra < forbidden {
		// What was heard in between is carried along the same row.
		here.reach(&a.row[j+1], extra)
	}
	if u.digits != "" {
		a.stepNumber(u, j)
		return
	}
	if c := substitution(u, heard[j], a.hard); c < forbidden {
		here.reach(&a.next[j+1], c)
	}
	if j+1 < len(heard) {
		if c := joined(u, heard[j], heard[j+1]); c < forbidden {
			here.reach(&a.next[j+2], c)
		}
	}
	if n := spelled(u, heard[j:]); n > 0 {
		here.reach(&a.next[j+n], 0)
	}
}

// stepTwo carries the states before the unit before over both where they were heard as one word: "wi fi" as "wifi".
func (a *alignment) stepTwo(before, u unit) {
	if !ordinary(before) || !ordinary(u) {
		return
	}
	both := before.token.Text + u.token.Text
	for j, t := range a.heard {
		if t.Kind == Word && t.Text == both && a.prior[j].cost < forbidden {
			a.prior[j].reach(&a.next[j+1], gap(before.token, u.token))
		}
	}
}

// gap is what the blank between two words costs that were heard as one, or the other way
// round: nothing where they were written as one ("Wi-Fi"), but "the rapist" is no "therapist" for certain.
func gap(a, b Token) int {
	if a.Last == b.First {
		return 0
	}
	return parted
}

// ordinary says whether a unit is a word that a recogniser may have written in another way.
func ordinary(u unit) bool { return u.token.Kind == Word && !u.strict }

// spelled is how many letters a short word was said in, one by one, 0 when it was not.
func spelled(u unit, heard []Token) int {
	n := len(u.token.Text)
	if !ordinary(u) && !u.token.Spelt || n < 2 || n > 12 || lettersAt(heard[:min(n, len(heard))]) < n {
		return 0
	}
	if spellOut(heard[:n]) != u.token.Text {
		return 0
	}
	return n
}

// stepNumber carries the state at j on over a number, which may have been heard in parts.
func (a *alignment) stepNumber(u unit, j int) {
	if !u.mayBegin(a.heard[j]) {
		return
	}
	for n := 1; n <= 12 && j+n <= len(a.heard); n++ {
		if used := numberAs(u, a.heard, j, n); used > 0 {
			a.row[j].reach(&a.next[j+used], 0)
		}
	}
}

// joined is the cost of a word that was heard as two: "calling" as "call in", and
// next to nothing for the same letters, "voicemail" as "voice mail".
func joined(u unit, a, b Token) int {
	if !ordinary(u) || a.Kind != Word || b.Kind != Word || negation(a.Text) || negation(b.Text) {
		return forbidden
	}
	switch both := a.Text + b.Text; {
	case both == u.token.Text:
		return gap(a, b)
	case !u.letter && near(both, u.token.Text):
		return fraction / 2
	}
	return forbidden
}

// insertion is the cost of a heard word that the phrase does not have. A
// negation turns the meaning round and is never passed over.
func insertion(t Token, hard bool) int {
	switch {
	case hard && t.Kind == Word && negation(t.Text):
		return forbidden
	case t.Kind == Word && Light(t.Text):
		return fraction
	}
	return whole
}

func substitution(u unit, t Token, hard bool) int {
	switch {
	case Same(u.token, t):
		return 0
	case u.strict && hard:
		return forbidden
	case t.Kind != Word || u.token.Kind != Word || hard && Strict(t.Text):
		return whole
	case !u.letter && near(u.token.Text, t.Text):
		return fraction / 2
	}
	return u.weight
}

// Same compares tokens that are not numbers. An ordinal is the day of a date, and
// "second" may have been said as one. A year counts where both dates have one.
func Same(a, b Token) bool {
	if a.Kind == Word && b.Kind == Word {
		return sameWord(a, b) || sameWord(b, a)
	}
	if isWord(a, "second") && b.Kind == Ordinal {
		return b.Text == "2"
	}
	if a.Kind == Ordinal && b.Kind == Date {
		_, day, _ := strings.Cut(b.Text, " ")
		return a.Text == day
	}
	return a.Kind == b.Kind && a.Text == b.Text && (a.Year == "" || b.Year == "" || a.Year == b.Year)
}

// sameWord says whether one word is another, or is spoken as that one.
func sameWord(a, b Token) bool {
	return a.Text == b.Text || a.Dash && leadsOn(b.Text) || spokenAs(a.Text, b.Text)
}

// leadsOn lists what is said for the dash between two numbers.
func leadsOn(w string) bool {
	switch w {
	case "to", "or", "and", "through", "until", "till", "dash":
		return true
	}
	return false
}

// spokenAs says whether what is written short may be said in this way.
func spokenAs(short, long string) bool {
	switch short {
	case "st":
		return long == "saint" || long == "street"
	case "per":
		return long == "a" || long == "an" || long == "each" || long == "every"
	}
	return false
}
