package phrase

// negates reports whether the word at i negates those that follow it. "No" does so behind a verb
// ("there is no refund") and before "longer"; elsewhere it is an answer.
func negates(heard []Token, i int) bool {
	t := heard[i]
	return isWord(t, "not") || isWord(t, "never") || isWord(t, "without") || isWord(t, "non") ||
		isWord(t, "no") && (begins(heard[i+1:], "longer") || i > 0 && heard[i-1].Kind == Word && takesNo(heard[i-1].Text))
}

// takesNo lists the words after which "no" belongs to what follows it.
func takesNo(w string) bool {
	switch w {
	case "is", "are", "was", "were", "be", "have", "has", "had", "with", "offer", "charge":
		return true
	}
	return false
}

// Negator returns the index of the word that negates what begins at a position, −1 if none
// does: "not available", "not yet available", "do not offer a refund", and for values "not on
// tuesday" and "does not cost forty dollars". "Why not on tuesday" makes an offer, and "whether or
// not" leaves it open.
func Negator(heard []Token, at int, value bool) int {
	i := at - 1
	for i >= 0 && at-i <= 3 && heard[i].Kind == Word && (hedge(heard[i].Text) || leadsToThing(heard[i].Text) || value && leadsToValue(heard[i].Text)) {
		i--
	}
	if i < 0 || !negates(heard, i) || i > 0 && (isWord(heard[i-1], "why") || isWord(heard[i-1], "or")) {
		return -1
	}
	return i
}

// hedge lists the words that may stand between a negation and what it negates.
func hedge(w string) bool {
	switch w {
	case "yet", "longer", "currently", "quite", "really", "fully", "always", "necessarily", "be", "been", "being":
		return true
	}
	return false
}

// leadsToThing lists the words that may stand between a negation and the thing that there is not: "we do not
// offer a refund", "I cannot give you any discount".
func leadsToThing(w string) bool {
	switch w {
	case "a", "an", "any", "the", "you", "offer", "give", "provide", "have", "accept", "take", "need", "require", "include":
		return true
	}
	return false
}

// leadsToValue lists the words that may stand between a negation and a negated value.
func leadsToValue(w string) bool {
	switch w {
	case "at", "on", "in", "for", "the", "a", "do", "have", "make", "offer", "cost", "open":
		return true
	}
	return false
}

// farthest limits how many words may stand between a value and its correction.
const farthest = 8

// Retracted reports whether the speaker took back the value that ends at last and replaced it
// by another of its kind: "forty, sorry, fifty dollars".
func Retracted(heard []Token, last int) bool {
	taken := false
	for i := last + 1; i < len(heard) && i <= last+farthest; i++ {
		t := heard[i]
		switch {
		case takesBack(heard, i):
			taken = true
		case t.Kind == Half, t.Kind == Word && (aside(t.Text) || taken && leadsBack(t.Text)):
		default:
			// "On tuesday, sorry, monday is full" gives a reason and takes nothing back.
			reason := i+1 < len(heard) && (isWord(heard[i+1], "is") || isWord(heard[i+1], "was"))
			return taken && !reason && alikeValue(heard[last], t)
		}
	}
	return false
}

// takesBack reports whether the words at i take back what was just said.
func takesBack(heard []Token, i int) bool {
	switch w := heard[i]; {
	case w.Kind != Word:
		return false
	case w.Text == "sorry", w.Text == "no", w.Text == "correction", w.Text == "rather", w.Text == "actually", w.Text == "pardon":
		return true
	}
	return firstOf(heard[i:], "i mean", "i meant", "make that", "my mistake", "scratch that", "strike that", "let me correct") > 0
}

// aside lists filler words before a correction.
func aside(w string) bool {
	switch w {
	case "oh", "um", "uh", "er", "wait", "i", "am", "so", "or", "well", "excuse", "me", "apologies", "my", "mistake":
		return true
	}
	return false
}

// leadsBack lists the words between taking back a value and its correction.
func leadsBack(w string) bool {
	return Light(w) || w == "mean" || w == "meant" || w == "make" || w == "correct"
}

// alikeValue reports whether one value can correct another.
func alikeValue(a, b Token) bool {
	switch a.Kind {
	case Number, Money, Half:
		return b.Kind == Number || b.Kind == Money
	case Date, Ordinal:
		return b.Kind == Date || b.Kind == Ordinal
	case Word:
	}
	return AlikeKind(a, b)
}

// AlikeKind reports whether two tokens are values of one kind, such as two amounts or two days
// of the week.
func AlikeKind(a, b Token) bool {
	if a.Kind == Word {
		return b.Kind == Word && day(a.Text) && day(b.Text)
	}
	return a.Kind == b.Kind
}

func day(w string) bool {
	switch w {
	case "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday":
		return true
	}
	return false
}
