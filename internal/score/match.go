package score

import (
	"strconv"
	"strings"
)

// tolerance says how much of a phrase may be misheard.
type tolerance uint8

const (
	// exact demands every word.
	exact tolerance = iota
	// asHeard allows what an imperfect recogniser does to ordinary words: a
	// quarter of them in phrases of four and more, one light word or two near
	// spellings in phrases of two and three, one near spelling in a single word. Numbers, amounts, times, dates, days and negations never.
	asHeard
)

// The costs of the alignment, in thousandths of a word.
const (
	whole     = 1000
	fraction  = 500
	forbidden = 1 << 28
	// enough is the similarity from which a phrase of four and more words counts as said.
	enough = 0.75
)

// match is where a phrase was found, or the passage that comes closest.
type match struct {
	found bool
	// similarity is 1 for the same words, 0 for none of them.
	similarity float64
	// first and last are tokens of what was heard, last included; first is -1 when nothing is near.
	first, last int
}

// unit is one thing to be found: a word, or a number that may be spoken in parts.
type unit struct {
	token  Token
	digits string // of a number unit
	round  string // the same time by the 24-hour clock, "" when it is none
	unit   string // of an amount
	half   string // am, pm or "" behind a number
	hour   bool   // a full hour of the day, and not a number of things
	strict bool
	weight int
}

// findPassage looks for the phrase in what was heard by aligning them with the
// least cost; the phrase may begin and end anywhere.
func findPassage(want, heard []Token, t tolerance) match {
	units := unitsOf(want)
	best := match{first: -1, last: -1}
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
	if t == asHeard && units[len(units)-1].strict {
		kept = func(last int) bool { return !retracted(heard, last) }
	}
	if cost, first, last := align(units, heard, true, kept); first >= 0 && cost <= allowed(units, total, t) {
		return match{found: true, similarity: share(cost, total), first: first, last: last}
	}
	if cost, first, last := align(units, heard, false, kept); first >= 0 && cost < total {
		best = match{similarity: share(cost, total), first: first, last: last}
	}
	return best
}

func share(cost, total int) float64 {
	return max(0, 1-float64(cost)/float64(total))
}

// allowed is the cost up to which a phrase counts as said.
func allowed(units []unit, total int, t tolerance) int {
	switch {
	case t == exact:
		return 0
	case len(units) >= 4:
		return int(float64(total) * (1 - enough))
	case len(units) >= 2:
		return fraction
	}
	return fraction / 2
}

// cell is one state of the alignment: the cost so far and where the passage began.
type cell struct{ cost, from int }

// align returns the least cost of finding the units in heard and the passage,
// -1 when there is none. With hard set, strict units must be there, and the passage
// must end where it is kept to.
func align(units []unit, heard []Token, hard bool, kept func(last int) bool) (cost, first, last int) {
	rows := make([][]cell, len(units)+1)
	for i := range rows {
		rows[i] = make([]cell, len(heard)+1)
		for j := range rows[i] {
			rows[i][j] = cell{cost: forbidden, from: -1}
			if i == 0 && !(hard && negatorOf(heard, j, units[0].strict) >= 0) {
				rows[i][j] = cell{cost: 0, from: j}
			}
		}
	}
	for i := range units {
		for j := 0; j <= len(heard); j++ {
			step(units, heard, rows, i, j, hard)
		}
	}
	cost, first, last = forbidden, -1, -1
	for j, c := range rows[len(units)] {
		// Of two closest passages the longer one shows more.
		if (c.cost < cost || !hard && c.cost == cost) && c.from < j && (!hard || kept(j-1)) {
			cost, first, last = c.cost, c.from, j-1
		}
	}
	return cost, first, last
}

// step carries row i on into row i+1 from the place j.
func step(units []unit, heard []Token, rows [][]cell, i, j int, hard bool) {
	u, here := units[i], rows[i][j]
	better := func(at, to, cost int) {
		if here.cost < forbidden && here.cost+cost < rows[at][to].cost {
			rows[at][to] = cell{here.cost + cost, here.from}
		}
	}
	if !u.strict || !hard {
		better(i+1, j, u.weight)
	}
	if j >= len(heard) {
		return
	}
	if extra := insertion(heard[j], hard); i > 0 && extra < forbidden {
		// What was heard in between is carried along the same row.
		better(i, j+1, extra)
	}
	if u.digits != "" {
		for n := 1; n <= 12 && j+n <= len(heard); n++ {
			if used := numberAs(u, heard, j, n); used > 0 {
				better(i+1, j+used, 0)
			}
		}
		return
	}
	if c := substitution(u, heard[j], hard); c < forbidden {
		better(i+1, j+1, c)
	}
	if j+1 < len(heard) && joined(u, heard[j], heard[j+1]) {
		better(i+1, j+2, fraction/2)
	}
}

// joined says whether a word was heard as two: "calling" as "call in".
func joined(u unit, a, b Token) bool {
	if u.strict || a.Kind != Word || b.Kind != Word || negation(a.Text) || negation(b.Text) {
		return false
	}
	both := a.Text + b.Text
	return both == u.token.Text || near(both, u.token.Text)
}

// insertion is the cost of a heard word that the phrase does not have. A
// negation turns the meaning round and is never passed over.
func insertion(t Token, hard bool) int {
	switch {
	case hard && t.Kind == Word && negation(t.Text):
		return forbidden
	case t.Kind == Word && light(t.Text):
		return fraction
	}
	return whole
}

func substitution(u unit, t Token, hard bool) int {
	switch {
	case same(u.token, t):
		return 0
	case u.strict && hard:
		return forbidden
	case t.Kind != Word || u.token.Kind != Word || hard && strictWord(t.Text):
		return whole
	case near(u.token.Text, t.Text):
		return fraction / 2
	}
	return u.weight
}

// same compares tokens that are not numbers. An ordinal is the day of a date, and
// "second" may have been said as one.
func same(a, b Token) bool {
	if isWord(a, "second") && b.Kind == Ordinal {
		return b.Text == "2"
	}
	if a.Kind == Ordinal && b.Kind == Date {
		_, day, _ := strings.Cut(b.Text, " ")
		return a.Text == day
	}
	return a.Kind == b.Kind && a.Text == b.Text
}

// unitsOf turns a phrase into what is to be found: neighbouring numbers are one
// unit, because "5550123" may be heard as two numbers or as seven.
func unitsOf(tokens []Token) []unit {
	var out []unit
	for i := 0; i < len(tokens); i++ {
		t := tokens[i]
		if t.Kind != Number && t.Kind != Money {
			out = append(out, unit{token: t, strict: t.Kind != Word || t.Spelt || strictWord(t.Text), weight: weightOf(t)})
			continue
		}
		u := unit{token: t, strict: true, weight: whole}
		for i < len(tokens) && (tokens[i].Kind == Number || tokens[i].Kind == Money) {
			u.digits += digitsOf(tokens[i])
			if tokens[i].Kind == Money {
				u.unit = tokens[i].Unit
			}
			i++
		}
		if i < len(tokens) && tokens[i].Kind == Half {
			u.half = tokens[i].Text
			u.round = roundTheClock(t, u)
			i++
		}
		u.hour = t.Hour || u.half != "" && u.digits == t.Text
		i--
		out = append(out, u)
	}
	return out
}

// roundTheClock is a time of the afternoon by the 24-hour clock: 6 30 pm is 1830.
func roundTheClock(hour Token, u unit) string {
	n := atoi(hour.Text)
	if u.half != "pm" || hour.Kind != Number || n < 1 || n > 11 {
		return ""
	}
	return strconv.Itoa(n+12) + strings.TrimPrefix(u.digits, hour.Text)
}

func weightOf(t Token) int {
	if t.Kind == Word && light(t.Text) {
		return fraction
	}
	return whole
}

// numberAs says whether n heard tokens from j on are the number of the unit and
// how many tokens that takes with what follows it, 0 when they are not.
func numberAs(u unit, heard []Token, j, n int) int {
	digits, ok := digitsIn(heard[j:j+n], u.unit)
	if !ok || digits != u.digits && (u.round == "" || digits != u.round) {
		return 0
	}
	if !standsAlone(u, heard, j, j+n) {
		return 0
	}
	if j+n == len(heard) || heard[j+n].Kind != Half {
		return n
	}
	if u.half != "" && heard[j+n].Text != u.half {
		return 0
	}
	return n + 1
}

// standsAlone says whether the number from one heard token to before another is no part
// of a longer one, and of what the unit is of.
func standsAlone(u unit, heard []Token, from, to int) bool {
	if from > 0 && glued(heard, from-1) || to < len(heard) && glued(heard, to-1) {
		return false
	}
	return !(u.hour && !spokenHour(heard, from, to)) && !(u.unit != "" && measured(heard, to))
}

// digitsIn puts the digits of numbers and amounts together; false when there
// is another word between them or another currency.
func digitsIn(tokens []Token, currency string) (string, bool) {
	var digits strings.Builder
	for _, t := range tokens {
		if t.Kind != Number && t.Kind != Money || t.Kind == Money && currency != "" && !sameCurrency(currency, t.Unit) {
			return "", false
		}
		if t.Kind == Number && currency != "" {
			whole, part, _ := strings.Cut(t.Text, ".")
			t = Token{Kind: Money, Text: pointed(whole, part)}
		}
		digits.WriteString(digitsOf(t))
	}
	return digits.String(), true
}

// pointed is a number with a point as an amount: 45.5 is 45.50. Any other stays as it
// is, with the zeros that it begins with.
func pointed(whole, part string) string {
	if part == "" {
		return whole
	}
	return amountText(whole, part)
}

// digitsOf writes an amount as one would say its figures: 45.50 is 4550.
func digitsOf(t Token) string {
	if t.Kind == Money {
		return strings.ReplaceAll(t.Text, ".", "")
	}
	return t.Text
}

// glued says whether the numbers at i and i+1 are parts of one number, so that
// neither may be taken for itself: "ten thirty" does not say ten, and "one
// forty five" does not say forty five.
func glued(tokens []Token, i int) bool {
	a, b := tokens[i], tokens[i+1]
	if a.Kind != Number || b.Kind != Number && b.Kind != Money {
		return false
	}
	x, y := a.Text, digitsOf(b)
	switch {
	case x == "0" || y == "0":
		return true
	case len(x) <= 2 && len(y) == 2:
		return true
	case len(x) >= 3 && len(y) >= 3:
		return true
	}
	return len(x) == 1 && len(y) == 1 && (singleDigit(tokens, i-1) || singleDigit(tokens, i+2))
}

func singleDigit(tokens []Token, i int) bool {
	return i >= 0 && i < len(tokens) && tokens[i].Kind == Number && len(tokens[i].Text) == 1
}

// strictWord are the words that are the fact itself: days, months and what
// turns the meaning round.
func strictWord(w string) bool {
	switch w {
	case "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
		"today", "tomorrow", "yesterday", "tonight", "morning", "afternoon", "evening", "noon", "midnight":
		return true
	}
	return negation(w) || monthOf(Token{Text: w}) > 0 && len(w) > 3
}

func negation(w string) bool {
	switch w {
	case "not", "no", "never", "nothing", "nobody", "without", "neither", "nor":
		return true
	}
	return false
}

// light words carry little: losing one weighs half.
func light(w string) bool {
	switch w {
	case "a", "an", "the", "is", "are", "am", "was", "be", "to", "of", "at", "in", "on", "for", "and",
		"it", "that", "this", "so", "well", "um", "uh", "your", "you", "i", "we", "will", "would", "do", "have", "has":
		return true
	}
	return false
}
