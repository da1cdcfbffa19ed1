package phrase

import "strings"

// A full hour is a time and no number: "two o'clock" is not stated by "two
// visits". Both are the number 2 once they are normalised, so that what stands
// beside it decides.

// spokenHour tells whether the number from one heard token to before another may be
// an hour of the day: it is said to be one ("o'clock", "pm"), or it stands where hours do
// ("at two", "from nine to five", "on friday two or three") and counts nothing.
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

// counts tells whether a word behind a number is what the number counts: many of
// something, or one of anything. What recognisers write has no full stops.
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

// atAnHour tells whether a word is one that an hour follows and hardly ever a number of things.
func atAnHour(t Token) bool { return isWord(t, "at") || isWord(t, "until") || isWord(t, "till") }

// leadsToHour lists what an hour stands behind when nothing else says that it is one.
func leadsToHour(w string) bool {
	switch w {
	case "at", "until", "till", "by", "before", "after", "past", "around", "about", "between", "from", "to", "for", "and", "or", "then", "is", "was":
		return true
	}
	return false
}
