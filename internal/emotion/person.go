package emotion

// personReach is how many words before a mention of a person show whether one is wanted.
const personReach = 5

// noPerson reports whether words that seem to ask for a person, at position i, do not: the caller
// needs none ("i don't need to speak to a person"), had one ("i spoke to a real person"), is one,
// or reports that somebody else asked.
func noPerson(t *tokens, i int) bool {
	if t.at(i-2, "than") && t.at(i-1, "any", "a") || t.at(i+2, "called", "rang", "phoned", "answered", "told", "helped", "said", "number", "name") || isOne(t, i) {
		return true
	}
	for j := i; j > i-personReach && j >= 0; j-- {
		if !t.all[j].word || j < i && turnsBack(t.of(t.all[j])) {
			return false
		}
		if no, known := t.needsNone(j); no || known && j < i {
			return no
		}
	}
	return false
}

// needsNone reports whether a preceding word says that no person is asked for; known says that the
// words show who spoke to whom.
func (t *tokens) needsNone(i int) (no, known bool) {
	switch {
	case t.at(i, "need", "want", "have", "rather", "like", "wish"):
		return t.at(i-1, "dont", "didnt", "doesnt", "wont", "not", "no", "never", "wouldnt") || t.at(i+1, "not"), false
	case t.at(i, "talking", "speaking"):
		return t.at(i-1, "was", "were", "im", "am"), true
	case t.at(i, "spoke", "talked", "spoken", "wants", "letting"):
		return true, true
	case t.at(i, "got", "managed"):
		return t.at(i-1, "i", "we", "never", "finally"), true
	case t.at(i, "asked", "wanted", "needed", "tried", "said", "told", "advised"):
		return !t.at(i-1, "i", "we", "ive", "weve", "have", "already", "just", "only"), true
	}
	return false, false
}

// isOne reports whether the person is what somebody is said, or asked, to be: "you sound like a
// real person".
func isOne(t *tokens, i int) bool {
	if !t.at(i-1, "a", "an", "the") {
		return false
	}
	return t.at(i-2, "am", "im", "is", "its", "youre", "be", "had") || t.at(i-2, "you", "this", "that") && t.at(i-3, "are", "is", "arent", "isnt") ||
		t.at(i-2, "like") && t.at(i-3, "sound", "sounds", "sounded", "seem", "talk")
}
