package phrase

import "slices"

// daytimes reads the half of the day that is told before the time: "Monday morning at nine" is Monday at
// 9 am. The word for it stays, so that "Monday morning" is found as well, and behind a day may be left out.
func daytimes(in []Token) []Token {
	for i := 1; i < len(in); i++ {
		half := halfNamed(in[i])
		behind := namesDay(in[i-1])
		if half == "" || !behind && !(i > 1 && begins(in[i-2:], "in the")) {
			continue
		}
		at := i + 1
		if at < len(in) && isWord(in[at], "at") {
			at++
		}
		end := timeEnds(in, at)
		if end == at || end < len(in) && in[end].Kind != Half && counts(in[end-1], in[end]) {
			continue
		}
		in[i].Aside = behind
		if end == len(in) || in[end].Kind != Half {
			last := in[end-1]
			in = slices.Insert(in, end, Token{Kind: Half, Text: half, Aside: true, First: last.First, Last: last.Last})
		}
	}
	return in
}

// halfNamed returns the half of the day that a word stands for, "" if none.
func halfNamed(t Token) string {
	switch {
	case isWord(t, "morning"):
		return "am"
	case isWord(t, "afternoon"), isWord(t, "evening"), isWord(t, "night"):
		return "pm"
	}
	return ""
}

// namesDay reports whether a word is a day, or "this" before a part of it.
func namesDay(t Token) bool {
	return t.Kind == Date || t.Kind == Word && (day(t.Text) || t.Text == "today" || t.Text == "tomorrow" || t.Text == "this")
}

// timeEnds returns the index behind the hour and minutes at i, i itself if there are none.
func timeEnds(in []Token, i int) int {
	if !numberAt(in, i, 12) || len(in[i].Text) > 2 {
		return i
	}
	i++
	switch {
	case minutesOnly(in, i), numberAt(in, i, 12) && len(in[i].Text) == 2:
		return i + 1
	case i+1 < len(in) && in[i].Kind == Number && in[i].Text == "0" && numberAt(in, i+1, 9):
		return i + 2
	}
	return i
}
