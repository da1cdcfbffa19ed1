package phrase

import "strings"

// A full hour is a time and not just a number: "two o'clock" is not stated by "two visits".
// Both normalise to the number 2, so the neighbouring words decide.

// spokenHour reports whether the number in heard[from:to] may be an hour of the day: it is
// marked as one ("o'clock", "pm"), or stands where hours do ("at two", "from nine to five", "on
// friday two or three") and counts nothing.
func spokenHour(heard []Token, from, to int) bool {
	if heard[from].Kind == Money {
		return false
	}
	if heard[from].Hour || to < len(heard) && heard[to].Kind == Half {
		return true
	}
	if to < len(heard) && counts(heard[from], heard[to]) {
		return from > 0 && atAnHour(heard[from-1]) && heard[from].Text == "1"
	}
	if from == 0 {
		return true
	}
	before := heard[from-1]
	return before.Kind != Word || Strict(before.Text) && !negation(before.Text) || leadsToHour(before.Text)
}

// timesBefore reports whether the numbers before a time are other times of hours and minutes, as
// where slots are offered: "nine thirty, ten thirty".
func timesBefore(heard []Token, at int) bool {
	i := at
	for i > 1 && numberAt(heard, i-2, 12) && minutesOnly(heard, i-1) {
		i -= 2
	}
	return i < at && (i == 0 || heard[i-1].Kind != Number)
}

// timesFrom reports whether the numbers behind a time are other times: "ten thirty, eleven or twelve
// fifteen".
func timesFrom(heard []Token, at int) bool {
	for at < len(heard) && heard[at].Kind == Number {
		if !numberAt(heard, at, 12) {
			return false
		}
		if at++; minutesOnly(heard, at) {
			at++
		}
	}
	return true
}

// minutesOnly reports whether a number is minutes of a time and no hour.
func minutesOnly(heard []Token, i int) bool {
	return numberAt(heard, i, 59) && len(heard[i].Text) == 2 && heard[i].Text > "12"
}

// counts reports whether the word after a number is what the number counts: a plural, or
// anything after one. Recognisers write no full stops that would separate the two.
func counts(number, next Token) bool {
	if next.Kind != Word || Light(next.Text) && next.Text != "of" || Strict(next.Text) {
		return false
	}
	switch next.Text {
	case "of", "people", "percent", "more", "other":
		return true
	case "or", "but", "then", "please", "sharp", "exactly", "works", "suits", "thank", "was", "does", "goes", "as", "yes", "has", "us", "always", "perhaps", "okay":
		return false
	}
	return number.Text == "1" || len(next.Text) > 3 && strings.HasSuffix(next.Text, "s")
}

// atAnHour reports whether a word is usually followed by an hour, and hardly ever by a number
// of things.
func atAnHour(t Token) bool { return isWord(t, "at") || isWord(t, "until") || isWord(t, "till") }

// leadsToHour lists the words after which a number may be an hour without anything else saying
// so.
func leadsToHour(w string) bool {
	switch w {
	case "at", "until", "till", "by", "before", "after", "past", "around", "about", "between", "from", "to", "for", "and", "or", "then", "is", "was", "open", "opens", "have", "say", "it":
		return true
	}
	return false
}
