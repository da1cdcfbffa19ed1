package phrase

import (
	"regexp"
	"strings"
)

// writtenShare matches a fraction that is spoken as one: "1/2", "3/4".
var writtenShare = regexp.MustCompile(`^(\d)/([234])$`)

// fractions reads a written fraction, alone or behind a whole number: "2 1/2 hours" is two and a half
// hours. But for a half, one that stands before nothing it can be a part of may be a date.
func fractions(w string, words []string, i int) ([]Token, bool) {
	m := writtenShare.FindStringSubmatch(w)
	if m == nil || m[1] == "0" || m[1] >= m[2] {
		return nil, false
	}
	mixed := i > 0 && len(words[i-1]) <= 3 && plain.MatchString(words[i-1])
	if !mixed && m[2] != "2" && (i+1 == len(words) || !counted(words[i+1])) {
		return nil, false
	}
	part := [...]string{"half", "third", "quarter"}[m[2][0]-'2']
	text := part
	switch {
	case m[1] != "1":
		text = [...]string{"two ", "three "}[m[1][0]-'2'] + part + "s"
	case mixed:
		text = "a " + part
	}
	if mixed {
		text = "and " + text
	}
	return wordTokens(text), true
}

// oneOf returns the word for one of what a rate is told by: "$40/mo".
func oneOf(each string) string {
	switch each {
	case "mo":
		return "month"
	case "yr":
		return "year"
	case "wk":
		return "week"
	}
	return each
}

// thousandfold returns the digits of a number times a thousand, "" if they cannot be told.
func thousandfold(digits string) string {
	const zeros = 3
	whole, part, _ := strings.Cut(digits, ".")
	if whole == "" || len(part) > zeros {
		return ""
	}
	return bare(whole + part + strings.Repeat("0", zeros-len(part)))
}

// partOf reads a half or a quarter of a percent or a million.
func partOf(in []Token) (made []Token, used int) {
	percent := func(share string) []Token { return []Token{number(share), {Text: "percent"}} }
	if n := firstOf(in, "half a percent", "half percent", "half of a percent"); n > 0 {
		return percent("0.5"), n
	}
	if n := firstOf(in, "a quarter percent", "quarter percent", "a quarter of a percent", "quarter of a percent"); n > 0 {
		return percent("0.25"), n
	}
	if n := firstOf(in, "half million"); n > 0 {
		return []Token{number("500000")}, n
	}
	if n := firstOf(in, "a quarter million", "quarter million"); n > 0 {
		return []Token{number("250000")}, n
	}
	if len(in) > 1 && isWord(in[0], "half") && in[1].Kind == Number && in[1].Text == "1000000" {
		return []Token{number("500000")}, 2
	}
	return nil, 0
}

// hoursAndMinutes reads a length of both: "2 hours and 30 minutes" are 150 minutes.
func hoursAndMinutes(in []Token) (made []Token, used int) {
	var total int
	switch {
	case firstOf(in, "an hour", "a hour") > 0:
		total = 60
	case numberAt(in, 0, 999) && firstOf(in[1:], "hours", "hour") > 0:
		total = 60 * atoi(in[0].Text)
	default:
		return nil, 0
	}
	used = 2
	if used < len(in) && isWord(in[used], "and") {
		used++
	}
	if !numberAt(in, used, 59) || firstOf(in[used+1:], "minutes", "minute") == 0 {
		return nil, 0
	}
	return minutes(total + atoi(in[used].Text)), used + 2
}

// daysTo reads the days of a range within a month as ordinals: "May 5-7" is "may fifth to seventh".
func daysTo(in, before []Token) (made []Token, used int) {
	if !numberAt(in, 0, 31) || in[0].Hour || in[0].Time {
		return nil, 0
	}
	day := []Token{{Kind: Ordinal, Text: bare(in[0].Text)}}
	if n := len(before); n > 1 && spans(before[n-1]) && before[n-2].Kind == Date {
		free := len(in) == 1 || in[1].Kind == Word && !counts(in[0], in[1])
		return day, oneIf(free)
	}
	return day, oneIf(len(in) > 2 && spans(in[1]) && in[2].Kind == Date)
}

// spans reports whether a word leads from one day to another.
func spans(t Token) bool {
	return t.Dash || isWord(t, "to") || isWord(t, "through") || isWord(t, "until") || isWord(t, "till")
}

func oneIf(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// oneOfTime reports whether "a" or "an" at j counts one length, as in "it takes an hour", and is
// not what a rate is told by, as in "two calls an hour".
func oneOfTime(heard []Token, j int) bool {
	if j+1 >= len(heard) || !isWord(heard[j], "a") && !isWord(heard[j], "an") || begins(heard[j+2:], "and a half") {
		return false
	}
	for i := max(j-2, 0); i < j; i++ {
		if heard[i].Kind != Word || isWord(heard[i], "once") || isWord(heard[i], "twice") || isWord(heard[i], "times") {
			return false
		}
	}
	switch heard[j+1].Text {
	case "second", "minute", "hour", "day", "week", "month", "year", "mile":
		return heard[j+1].Kind == Word
	}
	return false
}

// oneOfMoney reports whether "a dollar" or the like stands here for an amount, and not for what a rate is
// told by.
func oneOfMoney(in, before []Token) bool {
	if len(in) < 2 || !isWord(in[0], "a") || len(before) > 0 && before[len(before)-1].Kind != Word {
		return false
	}
	switch in[1].Text {
	case "dollar", "pound", "euro", "buck":
	default:
		return false
	}
	return len(in) == 2 || in[2].Kind == Number || Light(in[2].Text) && !isWord(in[2], "of") || isWord(in[2], "please")
}
