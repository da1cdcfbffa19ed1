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
