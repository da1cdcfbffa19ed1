package phrase

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// minus is the word before a negative number.
const minus = "minus"

// measure matches a number that may be an end of a range: "$10", "2.5", "15%", "1,500". Longer
// numbers without commas are groups of a number such as a telephone number.
var measure = regexp.MustCompile(`^[$€£¥₹]?(\d{1,3}(?:,\d{3})*(?:\.\d+)?)%?$`)

// closing are the punctuation marks that may follow a written word.
const closing = ".,;:!?)"

// atomsAt splits the word at i into tokens. What a dash means depends on the words beside it.
func atomsAt(words []string, i int) []Token {
	if plainWord(words[i]) {
		return split(words[i])
	}
	whole := typed(words[i])
	w := strings.TrimRight(whole, closing)
	if w == "no" && strings.HasSuffix(words[i], ".") && i+1 < len(words) && startsWithDigit(words[i+1]) {
		return []Token{{Text: "number"}} // "No. 5"
	}
	if out, ok := dashed(w, words, i); ok {
		return out
	}
	if out, ok := fractions(w, words, i); ok {
		return out
	}
	if of, each, ok := strings.Cut(w, "/"); ok && len(each) > 1 && plainWord(each) && strings.ContainsAny(of, "0123456789") {
		return slices.Concat(split(of), []Token{{Text: "per"}}, split(oneOf(each))) // "$40/month"
	}
	return splitTyped(whole)
}

// dashed reads the dash of a range, either as a word of its own or within one.
func dashed(w string, words []string, i int) ([]Token, bool) {
	dash := []Token{{Text: "to", Dash: true}}
	if w == "-" && i > 0 && i+1 < len(words) {
		return dash, ranges(typed(words[i-1]), typed(words[i+1]), words[i+2:])
	}
	from, to, ok := strings.Cut(w, "-")
	if !ok || !ranges(from, to, words[i+1:]) {
		return nil, false
	}
	return slices.Concat(split(from), dash, split(to)), true
}

func startsWithDigit(w string) bool { return w != "" && w[0] >= '0' && w[0] <= '9' }

// ranges reports whether a dash between two written words leads from one number to a larger one
// ("2-3 days", "$10-$20"), or from one time to another ("9am-5pm", "9-5", "Mon-Fri"), and does not
// belong to a number ("555-0123", "12-34").
func ranges(from, to string, after []string) bool {
	from = strings.TrimLeft(from, "(")
	if weekday(from) && weekday(to) || hours(from, to) {
		return true
	}
	a, b := measure.FindStringSubmatch(from), measure.FindStringSubmatch(to)
	if a == nil || b == nil {
		return false
	}
	low, err := strconv.ParseFloat(strings.ReplaceAll(a[1], ",", ""), 64)
	high, err2 := strconv.ParseFloat(strings.ReplaceAll(b[1], ",", ""), 64)
	if err != nil || err2 != nil || low >= high {
		return false
	}
	return strings.ContainsAny(from+to, "$€£¥₹%") || len(after) > 0 && counted(after[0])
}

// hours reports whether two written words with a dash between them may be times of day. Two plain
// numbers may only if the second has one digit: 12-34 is a code.
func hours(from, to string) bool {
	hour := func(w string) bool {
		return clockTime.MatchString(w) || hourHalf.MatchString(w) || plain.MatchString(w) && len(w) <= 2
	}
	return hour(from) && hour(to) && (!plain.MatchString(from) || !plain.MatchString(to) || len(to) == 1 && to != "0")
}

// weekday reports whether a written word is a day of the week.
func weekday(w string) bool {
	long, _ := shortForm(strings.TrimRight(w, "."))
	return day(w) || day(long) || w == "sat" || w == "sun"
}

// counted reports whether the word after a range is what the range counts.
func counted(word string) bool {
	w := strings.Trim(typed(word), ".,;:!?()")
	if w != "" && strings.Contains("%$€£¥₹", w) {
		return true
	}
	if len(w) < 2 || !plainWord(w) || Strict(w) {
		return false
	}
	return !Light(w) && w != "please" && w != "thanks" && w != "or"
}

// signs reads signs that are spoken: "-5", "+", "&", "72°F".
func signs(w string) ([]Token, bool) {
	if w == "+" {
		return []Token{{Text: "plus"}}, true
	}
	if rest, ok := strings.CutPrefix(w, "#"); ok && figure.MatchString(rest) {
		return append([]Token{{Text: "number"}}, split(rest)...), true
	}
	if rest, ok := strings.CutPrefix(w, "-"); ok && figure.MatchString(rest) {
		return append([]Token{{Text: minus}}, split(rest)...), true
	}
	if !strings.ContainsAny(w, "°&½¼¾") {
		return nil, false
	}
	for sign, alone := range map[string]string{"½": "half", "¼": "quarter", "¾": "three quarters"} {
		if rest, ok := strings.CutPrefix(w, sign); ok {
			w = alone + " " + rest
		}
	}
	var out []Token
	for part := range strings.FieldsSeq(spoken.Replace(w)) {
		out = append(out, split(part)...)
	}
	return out, true
}

var (
	figure = regexp.MustCompile(`^[$€£¥₹]?\d+(?:[.,]\d+)?[%°]?`)
	spoken = strings.NewReplacer("&", " and ", "½", " and a half ", "¼", " and a quarter ", "¾", " and three quarters ", "°c", " degrees celsius ", "°f", " degrees fahrenheit ", "°", " degrees ") //nolint:gochecknoglobals // made once
)

// dashes removes dashes that are spoken in a code: "one two dash a b" is 12-AB. "Negative five" is -5.
func dashes(in, before []Token) (made []Token, used int) {
	code := func(t Token) bool { return t.Kind == Number || t.Kind == Word && len(t.Text) == 1 }
	if isWord(in[0], "negative") && len(in) > 1 && in[1].Kind == Number {
		return []Token{{Text: minus}}, 1
	}
	if isWord(in[0], "dash") && len(in) > 1 && code(in[1]) && len(before) > 0 && code(before[len(before)-1]) {
		return nil, 1
	}
	return nil, 0
}

// lengths turns halves and quarters of hours and percents into numbers: "half an hour" is 30
// minutes, "an hour and a half" 90 minutes, "half a percent" 0.5 percent.
func lengths(in, _ []Token) (made []Token, used int) {
	if n := firstOf(in, "half an hour", "half hour", "half a hour"); n > 0 {
		return minutes(30), n
	}
	if n := firstOf(in, "a quarter of an hour", "quarter of an hour"); n > 0 {
		return minutes(15), n
	}
	if made, used = hoursAndMinutes(in); used > 0 {
		return made, used
	}
	if made, used := partOf(in); used > 0 {
		return made, used
	}
	if n := firstOf(in, "an hour and a half"); n > 0 {
		return minutes(90), n
	}
	if digits, n := afterPoint(in); n > 0 && n < len(in) && finely(in[n].Text) {
		return []Token{{Kind: Number, Text: "0." + digits}, in[n]}, n + 1
	}
	if in[0].Kind != Number || len(in[0].Text) > 6 {
		return nil, 0
	}
	if whole, part, ok := strings.Cut(in[0].Text, "."); ok && len(in) > 1 && isWord(in[1], "percent") { // 4.50 percent are 4.5
		short := strings.TrimRight(whole+"."+strings.TrimRight(part, "0"), ".")
		return []Token{number(short), in[1]}, 2
	}
	return numberOfHours(in)
}

// dozen reads a number of dozens: "a dozen" is 12, "half a dozen" 6, "two dozen" 24.
func dozen(in []Token) (Token, int) {
	if n := firstOf(in, "half a dozen", "a half dozen", "half dozen"); n > 0 {
		return number("6"), n
	}
	if firstOf(in, "a dozen") > 0 {
		return number("12"), 2
	}
	if len(in) > 1 && isWord(in[1], "dozen") && in[0].Kind == Number && len(in[0].Text) <= 3 && plain.MatchString(in[0].Text) {
		return number(strconv.Itoa(12 * atoi(in[0].Text))), 2
	}
	return Token{}, 0
}

// finely lists what is measured in fractions, so that "point five" before it is 0.5.
func finely(w string) bool {
	switch w {
	case "percent", "milligrams", "milligram", "milliliters", "milliliter":
		return true
	}
	return false
}

// numberOfHours reads lengths that begin with a number: "two hours and a half", "2.5 hours", "three
// quarters of an hour".
func numberOfHours(in []Token) (made []Token, used int) {
	if in[0].Text == "3" && begins(in[1:], "quarters of an hour") {
		return minutes(45), 5
	}
	if n := firstOf(in[1:], "hours and a half", "hour and a half"); n > 0 && plain.MatchString(in[0].Text) {
		return minutes(60*atoi(in[0].Text) + 30), 1 + n
	}
	whole, half := strings.CutSuffix(in[0].Text, ".5")
	if half && firstOf(in[1:], "hours", "hour") > 0 {
		return minutes(60*atoi(whole) + 30), 2
	}
	return nil, 0
}

func minutes(n int) []Token {
	return []Token{number(strconv.Itoa(n)), {Text: "minutes"}}
}

// firstOf returns the number of words in the first of the texts that the tokens begin with, 0 if
// there is none.
func firstOf(in []Token, texts ...string) int {
	for _, text := range texts {
		if begins(in, text) {
			return strings.Count(text, " ") + 1
		}
	}
	return 0
}
