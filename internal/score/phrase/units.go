package phrase

import (
	"slices"
	"strconv"
	"strings"
)

// unit is one thing to be found: a word, or a number that may be spoken in parts.
type unit struct {
	token  Token
	digits string // of a number unit
	round  string // the same time by the 24-hour clock, "" when it is none
	unit   string // of an amount
	exact  bool   // an amount that must be heard with its currency
	minus  bool   // below nothing
	half   string // am, pm or "" behind a number
	hour   bool   // a full hour of the day, and not a number of things
	strict bool
	letter bool // letters that are said one by one
	weight int
}

// unitsOf turns a phrase into what is to be found: neighbouring numbers are one
// unit, because "5550123" may be heard as two numbers or as seven, and so are
// neighbouring letters, because "u s a" may be heard as a word.
func unitsOf(tokens []Token, t Tolerance) []unit {
	var out []unit
	for i := 0; i < len(tokens); i++ {
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
		t := tokens[i]
		out = append(out, unit{token: t, strict: t.Kind != Word || t.Spelt || Strict(t.Text), weight: weightOf(t)})
	}
	return out
}

// lettersAt counts the single letters that the tokens begin with.
func lettersAt(tokens []Token) int {
	n := 0
	for n < len(tokens) && tokens[n].Kind == Word && len(tokens[n].Text) == 1 && !tokens[n].Spelt {
		n++
	}
	return n
}

// spellOut is the word of single letters.
func spellOut(letters []Token) string {
	var w strings.Builder
	for _, t := range letters {
		w.WriteString(t.Text)
	}
	return w.String()
}

// numberUnit makes one of the numbers that the tokens begin with, and says how many tokens that takes.
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

// roundTheClock is a time of the afternoon by the 24-hour clock: 6 30 pm is 1830.
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

// mayBegin says whether the number of the unit may begin with what was heard.
func (u unit) mayBegin(heard Token) bool {
	if heard.Kind == Date {
		return u.digits == heard.Year
	}
	digits, ok := digitsIn([]Token{heard}, u.unit)
	return ok && (strings.HasPrefix(u.digits, digits) || strings.HasPrefix(u.round, digits))
}

// numberAs says whether n heard tokens from j on are the number of the unit and
// how many tokens that takes with what follows it, 0 when they are not.
func numberAs(u unit, heard []Token, j, n int) int {
	if heard[j].Kind == Date { // its year: mayBegin has seen that it is the one
		return 1
	}
	if u.exact && u.unit != "" && !slices.ContainsFunc(heard[j:j+n], func(t Token) bool { return t.Kind == Money }) {
		return 0
	}
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
	if !u.minus && from > 0 && isWord(heard[from-1], minus) {
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
		digits.WriteString(Digits(t))
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

// Digits writes an amount as one would say its figures: 45.50 is 4550.
func Digits(t Token) string {
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

func singleDigit(tokens []Token, i int) bool {
	return i >= 0 && i < len(tokens) && tokens[i].Kind == Number && len(tokens[i].Text) == 1
}
