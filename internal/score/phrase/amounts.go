package phrase

import (
	"slices"
	"strings"
)

// cents is the currency of an amount in cents only, of dollars or euros.
const cents = "cents"

// sameCurrency reports whether a heard currency may be the one wanted.
func sameCurrency(want, heard string) bool {
	switch {
	case want == cents:
		return heard == cents || heard == "dollars" || heard == "euros"
	case heard == cents:
		return want == "dollars" || want == "euros"
	}
	return want == heard
}

// amounts joins numbers with their currency and their cents.
func amounts(in []Token) []Token {
	return rewritten(in, func(next, before []Token) ([]Token, int) {
		if oneOfMoney(next, before) {
			next = slices.Clone(next)
			next[0].Kind, next[0].Text = Number, "1"
			if begins(next[2:], "and a half") {
				next[0].Text = "1.5"
				made, used := into(amount)(next[:2], before)
				return made, used + 3
			}
		}
		return into(amount)(next, before)
	})
}

// scaled multiplies a number or amount by the scale that follows it: "2.5 million", "$3
// million".
func scaled(in []Token) (Token, int) {
	t := in[0]
	if t.Kind != Number && t.Kind != Money || len(in) < 2 {
		return Token{}, 0
	}
	places := 0
	switch {
	case isWord(in[1], "million"):
		places = 6
	case isWord(in[1], "thousand"):
		places = 3
	}
	whole, part, _ := strings.Cut(t.Text, ".")
	if places == 0 || len(part) > places {
		return Token{}, 0
	}
	t.Text = bare(whole + part + strings.Repeat("0", places-len(part)))
	return t, 2
}

func amount(in []Token) (Token, int) {
	t, used := namedMoney(in)
	if used == 0 {
		return Token{}, 0
	}
	rest := in[used:]
	if len(rest) > 0 && centsAlone(rest) && !strings.Contains(t.Text, ".") {
		t.Text = amountText(t.Text, rest[0].Text)
		return t, used + 1
	}
	skip := 0
	if len(rest) > 0 && isWord(rest[0], "and") {
		skip = 1
	}
	if len(rest) > skip+1 && rest[skip].Kind == Number && isCents(rest[skip+1]) && !strings.Contains(t.Text, ".") {
		t.Text = amountText(t.Text, twoDigits(rest[skip].Text))
		used += skip + 2
	}
	return t, used
}

// namedMoney is unitsOfMoney where the currency may be told twice ("$20 USD") or with its land.
func namedMoney(in []Token) (t Token, used int) {
	if n := landAt(in[1:]); n > 0 && in[0].Kind == Number {
		t, used = unitsOfMoney([]Token{in[0], in[1+n]})
		return t, used + n
	}
	t, used = unitsOfMoney(in)
	if in[0].Kind == Money && len(in) > 1 && isCode(in[1]) && Currency(in[1].Text) == t.Unit {
		used = 2
	}
	return t, used
}

// unitsOfMoney reads an amount without the cents that may follow it.
func unitsOfMoney(in []Token) (t Token, used int) {
	t, used = in[0], 1
	switch {
	case t.Kind == Money:
	case t.Kind == Number && len(in) > 1 && isCents(in[1]) && len(t.Text) <= 2:
		return Token{Kind: Money, Text: "0." + twoDigits(t.Text), Unit: coinOf(in[1].Text)}, 2
	case isCode(t) && len(in) > 1 && in[1].Kind == Number:
		whole, part, _ := strings.Cut(in[1].Text, ".")
		return Token{Kind: Money, Text: amountText(whole, part), Unit: Currency(t.Text)}, 2
	case t.Kind == Number && len(in) > 1 && in[1].Kind == Word && Currency(in[1].Text) != "":
		whole, part, _ := strings.Cut(t.Text, ".")
		t, used = Token{Kind: Money, Text: amountText(whole, part), Unit: Currency(in[1].Text)}, 2
	default:
		return Token{}, 0
	}
	return t, used
}

// landAt returns how many words name the land that a currency is of where nobody says another: "20 US dollars".
func landAt(in []Token) int {
	n := firstOf(in, "us", "u s", "american", "swiss")
	if n == 0 || n >= len(in) || in[n].Kind != Word || Currency(in[n].Text) == "" {
		return 0
	}
	return n
}

// centsAlone reports whether cents follow that are not named: "forty dollars fifty". A number
// followed by something it can count stands for itself.
func centsAlone(rest []Token) bool {
	if rest[0].Kind != Number || len(rest[0].Text) != 2 || rest[0].Hour {
		return false
	}
	return len(rest) == 1 || rest[1].Kind == Word && (Light(rest[1].Text) && rest[1].Text != "of" && rest[1].Text != "to" || isWord(rest[1], "please") || isWord(rest[1], "thank"))
}

// isCode reports whether a token is a currency code, which precedes its amount.
func isCode(t Token) bool {
	return t.Kind == Word && len(t.Text) == 3 && t.Text != "yen" && Currency(t.Text) != ""
}

// coinOf returns the currency of an amount in coins only. Cents may be of dollars or euros.
func coinOf(coin string) string {
	if coin == "pence" {
		return "pounds"
	}
	return cents
}

// measured reports whether the number before end counts something that is no money: "forty five
// minutes" is not the amount 45.
func measured(heard []Token, end int) bool {
	if end >= len(heard) {
		return false
	}
	switch heard[end].Text {
	case "percent", "second", "seconds", "minute", "minutes", "hour", "hours", "day", "days", "week", "weeks", "month", "months", "year", "years",
		"people", "times", "degrees", "miles", "points":
		return heard[end].Kind == Word && (end == 0 || heard[end-1].Kind != Money)
	}
	return false
}

func isCents(t Token) bool {
	return isWord(t, "cents") || isWord(t, "cent") || isWord(t, "pence")
}

// amountText formats units and cents; cents of zero are left out. Three digits are no cents but
// thousands, as most of Europe writes them: "1.500 €".
func amountText(whole, cents string) string {
	switch whole = bare(whole); {
	case len(cents) == 3 && whole != "0":
		return whole + cents
	case strings.Trim(cents, "0") == "":
		return whole
	}
	return whole + "." + cents + strings.Repeat("0", max(2-len(cents), 0))
}

func twoDigits(s string) string {
	if len(s) == 1 {
		return "0" + s
	}
	return s
}

// Currency returns the currency that a sign, a code or a word stands for, "" if none.
func Currency(s string) string {
	switch s {
	case "$", "usd", "cad", "aud", "nzd", "dollar", "dollars", "buck", "bucks":
		return "dollars"
	case "€", "eur", "euro", "euros":
		return "euros"
	case "£", "gbp", "pound", "pounds", "quid":
		return "pounds"
	case "chf", "franc", "francs":
		return "francs"
	case "₹", "inr", "rupee", "rupees":
		return "rupees"
	case "¥", "jpy", "yen":
		return "yen"
	}
	return ""
}
