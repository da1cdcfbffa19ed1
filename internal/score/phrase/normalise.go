package phrase

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Version is raised when the same words may be normalised differently.
const Version = 8

// Kind is the kind of a token. All kinds but Word and Half must match exactly.
type Kind uint8

// The kinds of tokens.
const (
	Word    Kind = iota
	Number       // Text is the digits
	Money        // Text is the digits, with cents after a point; Unit is the currency
	Ordinal      // Text is the digits
	Date         // Text is "march 3", Year the year if given
	Half         // Text is "am" or "pm"
)

// Token is one normalised word, or one number, amount or date that may consist of several
// words.
type Token struct {
	Kind Kind
	Text string
	Unit string
	Year string
	// Hour says that a number was marked as an hour of the day: "ten o'clock", 10:00.
	Hour bool
	// Time says that a number is part of a time of day that was marked as one: 10:30, "half past ten".
	Time bool
	// Spelt says that a word is part of an address or a code, in which every letter counts.
	Spelt bool
	// Aside says that a word tells the half of the day of a time that follows, and that a Half which nobody
	// said stands behind that time.
	Aside bool
	// Dash says that a word stands for the dash between two numbers, which can be spoken in
	// several ways.
	Dash bool
	// First and Last are the indexes of the words it was made of, Last included.
	First, Last int
}

// String returns the token as a person would write it.
func (t Token) String() string {
	switch t.Kind {
	case Money:
		return t.Text + " " + t.Unit
	case Ordinal:
		return t.Text + suffix(t.Text)
	case Word, Number, Date, Half:
		return t.Text
	}
	return t.Text
}

// Normalise brings a text into the form in which words are compared: lower case, no
// punctuation, contractions expanded, and numbers, amounts, times, ordinals and dates in
// one form however they were written or spoken. docs/scorers.md lists the rules.
func Normalise(text string) []Token { return NormaliseWords(strings.Fields(text)) }

// NormaliseWords is Normalise for a list of words, whose indexes the tokens refer to.
func NormaliseWords(words []string) []Token {
	atoms := make([]Token, 0, len(words))
	for i := range words {
		for _, a := range atomsAt(words, i) {
			a.First, a.Last = i, i
			atoms = append(atoms, a)
		}
	}
	atoms = spokenNumbers(atoms)
	atoms = rewritten(atoms, secondPlaces)
	atoms = rewritten(atoms, into(scaled))
	atoms = rewritten(atoms, into(dozen))
	atoms = rewritten(atoms, lengths)
	atoms = rewritten(atoms, dashes)
	atoms = clockWords(atoms)
	atoms = amounts(atoms)
	return daytimes(rewritten(dates(atoms), daysTo))
}

var (
	isoDate   = regexp.MustCompile(`^(\d{4})-(\d{1,2})-(\d{1,2})$`)
	instant   = regexp.MustCompile(`^(\d{4}-\d{1,2}-\d{1,2})t(\d{1,2}:\d{2})(?::\d{2}(?:\.\d+)?)?z?$`)
	dayFirst  = regexp.MustCompile(`^(\d{1,2})\.(\d{1,2})\.(\d{4})$`)
	clockTime = regexp.MustCompile(`^(\d{1,2})[:.h](\d{2})(?::\d{2})?(am|pm|a\.m\.?|p\.m\.?)?$`)
	hourHalf  = regexp.MustCompile(`^(\d{1,2})(am|pm|a\.m\.?|p\.m\.?)$`)
	ordinal   = regexp.MustCompile(`^(\d+)(st|nd|rd|th)$`)
	plain     = regexp.MustCompile(`^\d+$`)
	decimal   = regexp.MustCompile(`^(\d+)\.(\d+)$`)
	thousands = regexp.MustCompile(`^\d{1,3}(,\d{3})+(\.\d+)?$`)
	scaledSum = regexp.MustCompile(`^([$€£¥₹]\d+(?:\.\d+)?)([km])$`)
	european  = regexp.MustCompile(`^\d{1,3}(\.\d{3})+,\d\d$`)
	coins     = regexp.MustCompile(`^(\d{1,2})¢$`)
	money     = regexp.MustCompile(`^([$€£¥₹])(\d+)(?:[.,](\d{1,3}))?$`)
	moneyLast = regexp.MustCompile(`^(\d+)(?:[.,](\d{1,3}))?([$€£¥₹])$`)
	percent   = regexp.MustCompile(`^(\d+(?:\.\d+)?)(%|k)$`)
)

// typewriter replaces typographic quotes and dashes by ASCII ones.
var typewriter = strings.NewReplacer("’", "'", "‘", "'", "“", "", "”", "", "–", "-", "—", "-", "−", "-", "‐", "-", "\u2011", "-") //nolint:gochecknoglobals // made once

// split splits a written word into tokens.
func split(word string) []Token {
	if plainWord(word) {
		return wordTokens(word)
	}
	return splitTyped(typed(word))
}

// splitTyped is split for the result of typed.
func splitTyped(w string) []Token {
	if out, ok := signs(w); ok {
		return out
	}
	if i := strings.IndexByte(w, '.'); i >= 0 && strings.Contains("$€£¥₹", w[:i]) && startsWithDigit(w[i+1:]) {
		w = w[:i] + "0" + w[i:] // "$.99" and ".5"
	}
	w = strings.TrimFunc(w, func(r rune) bool {
		return !letter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("$€£¥₹%¢", r)
	})
	if w == "" {
		return nil
	}
	w = ungrouped(w)
	if strings.ContainsAny(w, "0123456789$€£¥₹%") { // otherwise no pattern of figures matches
		if out, ok := figures(w); ok {
			return out
		}
	}
	if strings.Contains(w, ".") && address.MatchString(w) {
		return addressWords(w)
	}
	if out, ok := compound(w); ok {
		return out
	}
	if long, ok := contraction(w); ok {
		return wordTokens(long)
	}
	return pieces(w)
}

// ungrouped removes what separates the thousands of a number: "1,500.00", "1.500,00".
func ungrouped(w string) string {
	switch sum := strings.Trim(w, "$€£¥₹"); {
	case thousands.MatchString(sum):
		return strings.ReplaceAll(w, ",", "")
	case european.MatchString(sum):
		return strings.Replace(strings.ReplaceAll(w, ".", ""), ",", ".", 1)
	}
	return w
}

// typed returns a word in lower case with composed letters and ASCII digits, quotes and dashes.
func typed(word string) string {
	return typewriter.Replace(strings.Map(latinDigit, strings.ToLower(Composed(word))))
}

// plainWord reports whether a word consists of the letters a to z only, as recognisers
// write most, so that it need not be split.
func plainWord(w string) bool {
	for i := range len(w) {
		if w[i] < 'a' || w[i] > 'z' {
			return false
		}
	}
	return w != "cannot"
}

// figures reads a written number, time, amount or date.
func figures(w string) ([]Token, bool) {
	if m := dayFirst.FindStringSubmatch(w); m != nil && atoi(m[2]) <= 12 {
		if d, ok := dateOf(atoi(m[2]), atoi(m[1])); ok {
			d.Year = m[3]
			return []Token{d}, true
		}
	}
	if m := isoDate.FindStringSubmatch(w); m != nil {
		if d, ok := dateOf(atoi(m[2]), atoi(m[3])); ok {
			d.Year = m[1]
			return []Token{d}, true
		}
	}
	if t, ok := writtenAmount(w); ok {
		return []Token{t}, true
	}
	if m := hourHalf.FindStringSubmatch(w); m != nil {
		return []Token{number(m[1]), {Kind: Half, Text: m[2][:1] + "m"}}, true
	}
	if m := clockTime.FindStringSubmatch(w); m != nil && (strings.Contains(w, ":") || m[3] != "") {
		return clock(atoi(m[1]), m[2], m[3]), true
	}
	if m := ordinal.FindStringSubmatch(w); m != nil {
		return []Token{{Kind: Ordinal, Text: bare(m[1])}}, true
	}
	if m := percent.FindStringSubmatch(w); m != nil {
		return []Token{number(m[1]), {Text: strings.Replace(m[2], "%", "percent", 1), Spelt: m[2] == "k"}}, true
	}
	if m := decimal.FindStringSubmatch(w); m != nil {
		return []Token{{Kind: Number, Text: w}}, true
	}
	if plain.MatchString(w) {
		return []Token{number(w)}, true
	}
	return nil, false
}

// compound reads a figure with words behind it ("1st-class", "1.5-hour", "50%-off"), or a date with a time
// as machines write them.
func compound(w string) ([]Token, bool) {
	if m := instant.FindStringSubmatch(w); m != nil {
		return append(split(m[1]), split(m[2])...), true
	}
	first, rest, ok := strings.Cut(w, "-")
	if r, _ := utf8.DecodeRuneInString(rest); !ok || !unicode.IsLetter(r) {
		return nil, false
	}
	out, ok := figures(first)
	return append(out, split(rest)...), ok
}

// writtenAmount reads an amount with a currency sign before or after it. A sign alone
// becomes the currency's code, or "percent".
func writtenAmount(w string) (Token, bool) {
	if country, sum, ok := strings.Cut(w, "$"); ok && sum != "" && len(country) <= 2 && plainWord(country) { // "US$20"
		w = "$" + sum
	}
	if m := money.FindStringSubmatch(w); m != nil {
		return Token{Kind: Money, Text: amountText(m[2], m[3]), Unit: Currency(m[1])}, true
	}
	if m := moneyLast.FindStringSubmatch(w); m != nil {
		return Token{Kind: Money, Text: amountText(m[1], m[2]), Unit: Currency(m[3])}, true
	}
	if m := coins.FindStringSubmatch(w); m != nil {
		return Token{Kind: Money, Text: "0." + twoDigits(m[1]), Unit: cents}, true
	}
	if m := scaledSum.FindStringSubmatch(w); m != nil {
		return writtenScale(m[1], m[2])
	}
	switch w {
	case "%":
		return Token{Text: "percent"}, true
	case "$":
		return Token{Text: "usd"}, true
	case "€":
		return Token{Text: "eur"}, true
	case "£":
		return Token{Text: "gbp"}, true
	case "¥":
		return Token{Text: "jpy"}, true
	case "₹":
		return Token{Text: "inr"}, true
	}
	return Token{}, false
}

// writtenScale applies a "k" or "m" after an amount: $1.5k is 1500 dollars. After a plain
// number ("4k", "5m") these letters are spoken as such.
func writtenScale(sum, scale string) (Token, bool) {
	word := "thousand"
	if scale == "m" {
		word = "million"
	}
	sign := strings.TrimRight(sum, "0123456789.")
	t, used := scaled([]Token{{Kind: Money, Text: strings.TrimPrefix(sum, sign), Unit: Currency(sign)}, {Text: word}})
	return t, used > 0
}

// pieces splits a word at everything that is neither letter nor digit, between letters and digits
// ("b12" becomes "b 12", as it is spoken), and between the characters of unspaced scripts.
func pieces(w string) []Token {
	var out []Token
	start, class := 0, 0
	flush := func(end int) {
		switch part := w[start:end]; {
		case part == "":
		case class == 2:
			out = append(out, number(part))
		case class == 1, class == 3:
			out = append(out, wordTokens(part)...)
		}
	}
	for i, r := range w {
		c := 0
		switch {
		case unicode.IsDigit(r) && r < 128:
			c = 2
		case Unspaced(r):
			c = 3
		case letter(r) || r == '\'':
			c = 1
		}
		if c != class || c == 3 {
			flush(i)
			start, class = i, c
		}
	}
	flush(len(w))
	for i := range out {
		out[i].Spelt = out[i].Kind == Word && len(out[i].Text) <= longestInCode && code.MatchString(w)
	}
	return out
}

func wordTokens(text string) []Token {
	var out []Token
	for w := range strings.FieldsSeq(text) {
		w = strings.ReplaceAll(w, "'", "")
		if long, ok := spelling(w); ok {
			w = long
		}
		for part := range strings.FieldsSeq(w) {
			out = append(out, Token{Text: part})
		}
	}
	return out
}

func number(digits string) Token { return Token{Kind: Number, Text: digits} }

// bare removes leading zeros.
func bare(digits string) string {
	if d := strings.TrimLeft(digits, "0"); d != "" {
		return d
	}
	return "0"
}

func atoi(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return -1
	}
	return n
}

func suffix(digits string) string {
	n := atoi(digits)
	if n%100 >= 11 && n%100 <= 13 {
		return "th"
	}
	switch n % 10 {
	case 1:
		return "st"
	case 2:
		return "nd"
	case 3:
		return "rd"
	}
	return "th"
}
