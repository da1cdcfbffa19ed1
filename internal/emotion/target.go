package emotion

// target is whom a sharp word is directed at.
type target uint8

const (
	// atAgent: the agent and its company, or nobody in particular.
	atAgent target = iota
	// oneself: "I'm such an idiot", "I was sleeping like an idiot".
	oneself
	// outsider: somebody who is not part of the call, "my boss is useless".
	outsider
	// someone: "he", "she", "they", such as the engineer who was sent, or a neighbour.
	someone
)

// reach is how many words before a sharp word its subject is looked for.
const reach = 9

// aimed returns whom the sharp word at position i is directed at: the nearest subject before it
// decides. What somebody else is quoted as saying does not count as the caller's words.
func (t *tokens) aimed(i int) target {
	if t.at(i+1, "of") && t.at(i+2, "me") || t.oneselfAfter(i) {
		return oneself
	}
	if t.at(i-1, "my", "our", "some", "these", "those") {
		return outsider
	}
	for j := i - 1; j >= 0 && j >= i-reach && t.all[j].word; j-- {
		switch {
		case t.at(j, "you", "your", "youre", "youve", "yall", "youd"):
			if t.reported(j) {
				return outsider
			}
			return atAgent
		case t.at(j, "i", "im", "ive", "id", "myself"):
			if t.at(j+1, "think", "thought", "said", "say", "mean", "guess", "know", "find", "told", "call", "reckon", "believe", "want", "hate", "need", "got", "get", "have", "had", "ever", "never") {
				return t.fallback()
			}
			return oneself
		case t.at(j, "he", "she", "hes", "shes", "him", "her", "they", "theyre", "them", "their", "his"):
			return t.third()
		case t.outsiderAt(j):
			return outsider
		}
	}
	return t.fallback()
}

// third returns whom "he", "she" and "they" stand for.
func (t *tokens) third() target {
	if t.about || t.outside() {
		return outsider
	}
	return someone
}

// fallback returns the target of a sharp word without a subject.
func (t *tokens) fallback() target {
	if t.elsewhere() || t.outsideOnly() {
		return outsider
	}
	return atAgent
}

// oneselfAfter reports whether the following words show that the speaker is meant: "fool that i
// am".
func (t *tokens) oneselfAfter(i int) bool {
	for j := i + 1; j <= i+4; j++ {
		if t.at(j, "i") && t.at(j+1, "am") && !t.at(j+2, "calling", "paying", "waiting", "not", "tired", "sick") || t.at(j, "myself") {
			return true
		}
	}
	return false
}

// reported reports whether the "you" at position i is part of somebody else's words: "the man said
// that you are thieves".
func (t *tokens) reported(i int) bool {
	for j := i - 1; j >= 0 && j >= i-4; j-- {
		if !t.at(j, "said", "says", "told", "tells", "claims", "claimed", "reckons", "thinks", "calls", "swears", "insists") {
			continue
		}
		for k := j - 1; k >= 0 && k >= j-9; k-- {
			if t.at(k, "i", "we", "you") {
				return false
			}
			if t.at(k, "he", "she", "they", "everybody", "everyone", "people", "someone", "somebody") || t.outsiderAt(k) {
				return true
			}
		}
	}
	return false
}

// allReported reports whether every "you" in a turn is part of somebody else's words.
func (t *tokens) allReported() bool {
	found := false
	for i := range t.all {
		if !t.at(i, "you", "your", "youre", "youve", "yall", "youd") {
			continue
		}
		if !t.reported(i) {
			return false
		}
		found = true
	}
	return found
}

// mentions is whom a text names and addresses. It is cached, because each sharp word needs it and
// some texts consist of nothing else.
type mentions struct {
	known bool
	// outside says that somebody outside the call is named, you that the other side is addressed at
	// all, and addressed that it is in more than a formula.
	outside, you, addressed bool
}

// mentioned returns whom the text names and addresses.
func (t *tokens) mentioned() *mentions {
	m := &t.whom
	if m.known {
		return m
	}
	m.known = true
	for i := range t.all {
		m.outside = m.outside || t.outsiderAt(i)
		m.you = m.you || t.at(i, "you", "your", "youre", "youve")
		m.addressed = m.addressed || t.at(i, "your", "youre", "youve", "yall", "youd") || t.at(i, "you") && !t.inPassing(i)
	}
	return m
}

// outside reports whether the turn mentions somebody outside the call.
func (t *tokens) outside() bool { return t.mentioned().outside }

// outsideOnly reports whether it does so without addressing the other side.
func (t *tokens) outsideOnly() bool { return t.outside() && !t.mentioned().you }

// outsiderAt reports whether a word names somebody outside the call.
func (t *tokens) outsiderAt(i int) bool {
	switch {
	case t.at(i, "neighbour", "neighbours", "neighbor", "neighbors", "ex", "boss", "roommate", "roommates", "flatmate", "landlord", "landlady", "tenant", "tenants", "lodger", "burglar", "burglars",
		"thief", "scammer", "hacker", "kids", "teenagers", "colleague", "coworker", "competitor", "competitors", "government", "weather", "politicians"):
		return !t.at(i-1, "your")
	case t.at(i, "husband", "wife", "brother", "sister", "mother", "mum", "mom", "dad", "father", "son", "daughter", "cousin", "uncle", "aunt", "partner", "boyfriend", "girlfriend", "dog", "cat", "client", "clients",
		"customer", "customers", "manager", "employer", "teacher", "friend", "mate", "builder", "plumber"):
		return t.at(i-1, "my", "our", "a", "his", "her", "the", "some")
	case t.at(i, "company", "people", "guys", "bloke", "man", "woman", "lady", "guy", "fellow", "driver", "supplier", "bank", "provider", "door"):
		return t.at(i-1, "other", "another", "previous", "old", "former", "last", "next", "some", "truck", "that") && !t.at(i-2, "your")
	case t.at(i, "somebody", "someone"):
		return t.at(i+1, "stole", "hit", "broke", "nicked", "smashed", "took", "has", "crashed", "scratched", "hacked", "used")
	}
	return false
}

// intensifies reports whether a sharp word only emphasises an amount: "a stupid amount of ranch".
func (t *tokens) intensifies(i int) bool {
	return t.at(i, "stupid", "ridiculous", "insane", "crazy", "disgusting", "dumb") &&
		t.at(i+1, "amount", "amounts", "number", "lot", "hours", "early", "late", "much", "many", "hot", "cold", "busy", "happy", "long", "tired")
}
