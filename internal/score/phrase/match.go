package phrase

import (
	"strings"
)

// Tolerance is how much of a phrase may be misheard.
type Tolerance uint8

const (
	// Exact requires every word.
	Exact Tolerance = iota
	// AsHeard allows for a recogniser's mistakes in ordinary words: a quarter of them in phrases of at
	// least four words, one light word or two near spellings in phrases of two or three, one near
	// spelling in a single word. It allows none in numbers, amounts, times, dates, days and negations.
	AsHeard
)

// The costs of an alignment, in thousandths of a word.
const (
	whole    = 1000
	fraction = 500
	// parted is the cost of a missing or an extra space between the same letters.
	parted    = 100
	forbidden = 1 << 28
	// Enough is the least similarity at which a phrase of at least four words counts as said.
	Enough = 0.75
)

// Match is where a phrase was found, or the passage closest to it.
type Match struct {
	Found bool
	// Similarity is 1 for the same words, 0 for none of them.
	Similarity float64
	// First and Last are indexes of heard tokens, Last included; First is -1 if nothing is similar.
	First, Last int
}

// Find searches for the phrase in what was heard, by the alignment of least cost. The phrase may
// begin and end anywhere.
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
	// A match must contain all strict parts. The second, loose pass drops that rule to find the closest
	// passage, as evidence.
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

// allowed returns the greatest cost at which a phrase counts as said.
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

// cell is a state of the alignment: its cost so far and where the passage began.
type cell struct{ cost, from int }

// reach updates a state from this one if that lowers its cost.
func (c cell) reach(to *cell, cost int) {
	if c.cost+cost < to.cost {
		*to = cell{c.cost + cost, c.from}
	}
}

// alignment computes the states after each unit from those before it. The state at j has consumed
// heard[:j].
type alignment struct {
	heard []Token
	hard  bool
	// row are the states before the current unit, next those after it, and prior those before the
	// previous unit.
	prior, row, next []cell
}

// align returns the least cost of finding the units in heard, and the passage; first is -1 if there
// is none. With hard set, strict units are required, and the passage must end where kept allows.
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
			a.stepThousands(units[i-1], u)
		}
		a.prior, a.row, a.next = a.row, a.next, a.prior
	}
	cost, first, last = forbidden, -1, -1
	for j, c := range a.row {
		// Of two equally close passages, the longer one shows more.
		if (c.cost < cost || !hard && c.cost == cost) && c.from < j && (!hard || kept(j-1)) {
			cost, first, last = c.cost, c.from, j-1
		}
	}
	return cost, first, last
}

// step advances the state at j by a unit.
func (a *alignment) step(u unit, j int, first bool) {
	heard, here := a.heard, a.row[j]
	if here.cost >= forbidden {
		return
	}
	switch {
	case u.token.Aside:
		here.reach(&a.next[j], 0)
	case !u.strict || !a.hard:
		here.reach(&a.next[j], u.weight)
	}
	if j >= len(heard) {
		return
	}
	if extra := insertion(heard[j], a.hard); !first && extra < forbidden {
		// Extra heard words are skipped within the row.
		here.reach(&a.row[j+1], extra)
	}
	if u.digits != "" {
		a.stepNumber(here, u, j)
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

// stepTwo advances by the previous and the current unit at once, where both were heard as one word:
// "wi fi" as "wifi".
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

// gap is the cost of the space between two words that were heard as one, or the reverse: nothing if
// they were written as one ("Wi-Fi"), but "the rapist" is not exactly "therapist".
func gap(a, b Token) int {
	if a.Last == b.First {
		return 0
	}
	return parted
}

// ordinary reports whether a unit is a word that a recogniser may spell differently.
func ordinary(u unit) bool { return u.token.Kind == Word && !u.strict }

// spelled returns the number of letters in which a short word was spelled out, or of the characters
// of an unspaced script; 0 if it was not.
func spelled(u unit, heard []Token) int {
	if n := u.signs; n > 0 && n <= len(heard) && spellOut(heard[:n]) == u.token.Text {
		return n
	}
	n := len(u.token.Text)
	if !ordinary(u) && !u.token.Spelt || n < 2 || n > 12 || lettersAt(heard[:min(n, len(heard))]) < n {
		return 0
	}
	if spellOut(heard[:n]) != u.token.Text {
		return 0
	}
	return n
}

// stepThousands advances by the previous and the current unit at once, where a "k" behind a number was
// heard as thousands: "10k" as "ten thousand".
func (a *alignment) stepThousands(before, u unit) {
	if before.digits == "" || !isWord(u.token, "k") {
		return
	}
	if before.digits = thousandfold(before.digits); before.digits == "" {
		return
	}
	for j, from := range a.prior {
		if from.cost < forbidden {
			a.stepNumber(from, before, j)
		}
	}
}

// stepNumber advances from the state at j by a number, which may have been heard in parts.
func (a *alignment) stepNumber(from cell, u unit, j int) {
	if u.digits == "1" && u.unit == "" && !u.hour && oneOfTime(a.heard, j) {
		from.reach(&a.next[j+1], 0)
	}
	for n := 1; j+n <= len(a.heard) && u.mayBegin(a.heard[j:j+n]); n++ {
		if used := numberAs(u, a.heard, j, n); used > 0 {
			from.reach(&a.next[j+used], 0)
		}
	}
}

// joined is the cost of a word that was heard as two: "calling" as "call in". It is low for the
// same letters: "voicemail" as "voice mail".
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

// insertion is the cost of a heard word that is not in the phrase. With hard set, a negation is
// never skipped, because it reverses the meaning.
func insertion(t Token, hard bool) int {
	switch {
	case t.Aside:
		return 0
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

// Same compares tokens other than numbers. An ordinal equals a date with that day, and "second" the
// ordinal 2. Years are compared if both dates have one.
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

// sameWord reports whether one word is the other, or is spoken like it.
func sameWord(a, b Token) bool {
	return a.Text == b.Text || a.Dash && leadsOn(b.Text) || spokenAs(a.Text, b.Text)
}

// leadsOn lists what may be said for the dash between two numbers.
func leadsOn(w string) bool {
	switch w {
	case "to", "or", "and", "through", "until", "till", "dash":
		return true
	}
	return false
}

// spokenAs reports whether an abbreviation may be spoken as the long word.
func spokenAs(short, long string) bool {
	switch short {
	case "st":
		return long == "saint" || long == "street"
	case "sat":
		return long == "saturday"
	case "sun":
		return long == "sunday"
	case "per":
		return long == "a" || long == "an" || long == "each" || long == "every"
	}
	return false
}
