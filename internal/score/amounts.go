package score

import "strings"

// amounts joins numbers with their currency and their cents.
func amounts(in []Token) []Token { return rewritten(in, into(amount)) }

func amount(in []Token) (Token, int) {
	t, used := in[0], 1
	switch {
	case t.Kind == Money:
	case t.Kind == Number && len(in) > 1 && in[1].Kind == Word && currencyOf(in[1].Text) != "":
		whole, cents, _ := strings.Cut(t.Text, ".")
		t, used = Token{Kind: Money, Text: amountText(whole, cents), Unit: currencyOf(in[1].Text)}, 2
	default:
		return Token{}, 0
	}
	rest := in[used:]
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

func isCents(t Token) bool {
	return isWord(t, "cents") || isWord(t, "cent") || isWord(t, "pence")
}

// amountText writes whole units and cents; no cents are not written.
func amountText(whole, cents string) string {
	if cents == "" || strings.Trim(cents, "0") == "" {
		return bare(whole)
	}
	return bare(whole) + "." + (cents + "0")[:2]
}

func twoDigits(s string) string {
	if len(s) == 1 {
		return "0" + s
	}
	return s
}

func currencyOf(s string) string {
	switch s {
	case "$", "dollar", "dollars", "bucks":
		return "dollars"
	case "€", "euro", "euros":
		return "euros"
	case "£", "pound", "pounds":
		return "pounds"
	}
	return ""
}
