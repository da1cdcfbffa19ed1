package phrase

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// unit is one part of a phrase to be found: a word, or a number that may be spoken in parts.
type unit struct {
	token  Token
	digits string // of a number unit
	round  string // the same time on the 24-hour clock, "" if it is no time
	unit   string // of an amount
	exact  bool   // the amount must be heard with its currency
	minus  bool   // a negative number
	half   string // am, pm or "" after a number
	hour   bool   // a full hour of the day, not a number of things
	strict bool
	signs  int  // characters of an unspaced script, which follow one another
	letter bool // letters that are spoken one by one
	weight int
}

// unitsOf splits a phrase into units. Consecutive numbers are one unit, because "5550123" may be
// heard as two numbers or as seven; so are consecutive letters, because "u s a" may be heard as a
// word.
func unitsOf(tokens []Token, t Tolerance) []unit {
	var out []unit
	for i := 0; i < len(tokens); i++ {
		if n := signsAt(tokens[i:]); n > 0 {
			out = append(out, unit{token: Token{Text: spellOut(tokens[i : i+n])}, strict: true, signs: n, weight: n * whole})
			i += n - 1
			continue
		}
		if n := lettersAt(tokens[i:]); n > 1 {
			out = append(out, unit{token: Token{Text: spellOut(tokens[i : i+n])}, letter: true, weight: whole})
			i += n - 1
			continue
		}
		if k := tokens[i].Kind; k == Number || k == Money {
			u, n := numberUnit(tokens[i:], t)
			u.minus = i > 0 && isWord(tokens[i-1], minus)
			out = append(out, u)
			i += n - 1
			continue
		}
		w := tokens[i]
		w.Aside = w.Aside && t == AsHeard
		out = append(out, unit{token: w, strict: w.Kind != Word || w.Spelt || Strict(w.Text), weight: weightOf(w)})
	}
	return out
}

// signsAt returns how many characters of unspaced scripts the tokens begin with.
func signsAt(tokens []Token) int {
	n := 0
	for n < len(tokens) && tokens[n].Kind == Word {
		if r, _ := utf8.DecodeRuneInString(tokens[n].Text); !Unspaced(r) {
			break
		}
		n++
	}
	return n
}

// lettersAt returns how many single letters the tokens begin with.
func lettersAt(tokens []Token) int {
	n := 0
	for n < len(tokens) && tokens[n].Kind == Word && len(tokens[n].Text) == 1 && !tokens[n].Spelt {
		n++
	}
	return n
}

// spellOut joins single letters into a word.
func spellOut(letters []Token) string {
	var w strings.Builder
	for _, t := range letters {
		w.WriteString(t.Text)
	}
	return w.String()
}

// numberUnit makes a unit of the numbers that the tokens begin with, and returns how many tokens it
// took.
func numberUnit(tokens []Token, tolerance Tolerance) (u unit, i int) {
	t := tokens[0]
	u = unit{token: t, strict: true, weight: whole, exact: tolerance == Exact}
	for i < len(tokens) && (tokens[i].Kind == Number || tokens[i].Kind == Money) {
		u.digits += Digits(tokens[i])
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
	return u, i
}

// roundTheClock returns a time after noon on the 24-hour clock: 6 30 pm is 1830.
func roundTheClock(hour Token, u unit) string {
	n := atoi(hour.Text)
	if u.half != "pm" || hour.Kind != Number || n < 1 || n > 11 {
		return ""
	}
	return strconv.Itoa(n+12) + strings.TrimPrefix(u.digits, hour.Text)
}

func weightOf(t Token) int {
	if t.Kind == Word && Light(t.Text) {
		return fraction
	}
	return whole
}

// mayBegin reports whether the heard tokens may begin the unit's number.
func (u unit) mayBegin(heard []Token) bool {
	if heard[0].Kind == Date {
		return u.digits == heard[0].Year && len(heard) == 1
	}
	digits, ok := digitsIn(heard, u.unit)
	return ok && (strings.HasPrefix(u.digits, digits) || strings.HasPrefix(u.round, digits))
}

// numberAs reports whether the n heard tokens at j are the unit's number. It returns how many
// tokens that takes with am or pm, 0 if they are not.
func numberAs(u unit, heard []Token, j, n int) int {
	if heard[j].Kind == Date { // as its year, which mayBegin has compared
		return 1
	}
	digits, ok := digitsIn(heard[j:j+n], u.unit)
	if !ok || digits != u.digits && (u.round == "" || digits != u.round) {
		return 0
	}
	if !mayBeMoney(u, heard[j:j+n]) || !standsAlone(u, heard, j, j+n) {
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

// mayBeMoney reports whether heard tokens of the unit's digits may be the unit where one of both is an
// amount. A time is none; $1999 is not $19.99, although "nineteen ninety nine dollars" may be either.
func mayBeMoney(u unit, heard []Token) bool {
	if !slices.ContainsFunc(heard, func(t Token) bool { return t.Kind == Money }) {
		return !u.exact || u.unit == ""
	}
	return !u.token.Time && (len(heard) > 1 || u.token.Kind != Money || u.token.Text == heard[0].Text)
}

// standsAlone reports whether the number in heard[from:to] is not part of a longer one, and is of
// the same kind as the unit.
func standsAlone(u unit, heard []Token, from, to int) bool {
	if from > 0 && glued(heard, from-1) && !(u.token.Time && timesBefore(heard, from)) {
		return false
	}
	if to < len(heard) && glued(heard, to-1) && !(u.token.Time && timesFrom(heard, to)) {
		return false
	}
	if !u.minus && from > 0 && isWord(heard[from-1], minus) {
		return false
	}
	return !(u.hour && !spokenHour(heard, from, to)) && !(u.unit != "" && measured(heard, to))
}

// digitsIn concatenates the digits of numbers and amounts. It fails on any other token and on
// another currency.
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
		digits.WriteString(Digits(t))
	}
	return digits.String(), true
}

// pointed returns a decimal number as an amount: 45.5 is 45.50. A whole number stays as it is,
// including leading zeros.
func pointed(whole, part string) string {
	if part == "" {
		return whole
	}
	return amountText(whole, part)
}

// Digits returns the digits of a token as they are spoken: 45.50 is 4550.
func Digits(t Token) string {
	if t.Kind == Money {
		return strings.ReplaceAll(t.Text, ".", "")
	}
	return t.Text
}

// glued reports whether the numbers at i and i+1 are parts of one number, so that neither stands
// for itself: "ten thirty" does not say ten, and "one forty five" does not say forty five.
func glued(tokens []Token, i int) bool {
	a, b := tokens[i], tokens[i+1]
	if a.Kind != Number || b.Kind != Number && b.Kind != Money || endsTime(a, b) {
		return false
	}
	x, y := a.Text, Digits(b)
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

// endsTime reports whether a time that is marked as one ends between two numbers, or begins there.
func endsTime(a, b Token) bool {
	return (a.Time || a.Hour || b.Time || b.Hour) && a.First != b.First
}

func singleDigit(tokens []Token, i int) bool {
	return i >= 0 && i < len(tokens) && tokens[i].Kind == Number && len(tokens[i].Text) == 1
}
