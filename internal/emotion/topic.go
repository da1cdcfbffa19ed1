package emotion

import "github.com/ringtrue/ringtrue/internal/call"

// topic tracks whom the caller is talking about. After "My neighbour backed into my wall", "he is
// an idiot" or "it's a disgrace" is about the neighbour, until the caller turns to the other side
// of the call, or that puts up a hurdle itself. This only applies to callers who part on good
// terms: others got no help, and callers angry with a company mention wives and neighbours, too.
type topic struct{ friendly, outside bool }

// follow processes a turn of the caller; hindered says that the agent's turn before it put up a
// hurdle.
func (p *topic) follow(t *tokens, hindered bool) {
	switch {
	case t.charges():
		p.outside = false
	case t.blamesOthers():
		p.outside = true
	}
	t.about = p.friendly && p.outside && !hindered
}

// lastWords is how many of the caller's last turns show on what terms a call ends.
const lastWords = 2

// friendly reports whether the caller parts on good terms: with nothing but thanks or joy, and
// without a refusal of the agent just before.
func (m *Model) friendly(turns []call.Turn, s *scratch) (glad bool) {
	t, looked := &s.x.toks, 0
	for i := len(turns) - 1; i > 0 && looked < lastWords; i-- {
		t.cut(turns[i].Text)
		switch {
		case turns[i].Speaker != call.Caller:
			if cannot(t) {
				return false
			}
		case len(t.all) > 0:
			looked++
			if found, _ := m.spot(t); found&^bit(call.SignThanks) != 0 || ironic(t, false) || wonders(t) {
				return false
			}
			w := m.read(s)
			glad = glad || w.valence() >= valenceFrom
		}
	}
	return glad
}

// wonders reports whether a turn consists of words said both in joy and in anger.
func wonders(t *tokens) bool {
	return t.words <= 3 && anyOf(t, " unbelievable ", " incredible ", " ridiculous ", " unreal ")
}

// elsewhere reports whether the turn addresses nobody in the call but is about somebody else.
func (t *tokens) elsewhere() bool { return t.about && !t.addressed() }

// blamesOthers reports whether a turn names somebody outside the call whom people complain about.
func (t *tokens) blamesOthers() bool {
	for i := range t.all {
		if t.culpritAt(i) {
			return true
		}
	}
	return false
}

// culpritAt reports whether a word names such a person: not a victim such as a child or a pet, nor
// "the last guy", who was in the agent's place.
func (t *tokens) culpritAt(i int) bool {
	switch {
	case t.at(i, "neighbour", "neighbours", "neighbor", "neighbors", "ex", "boss", "roommate", "roommates", "flatmate", "flatmates", "housemate", "landlord", "landlady", "tenant", "tenants", "lodger", "burglar", "burglars",
		"burglary", "thief", "thieves", "scammer", "scammers", "fraudster", "hacker", "hackers", "teenagers", "vandals", "colleague", "coworker", "competitor", "competitors", "government", "council", "politicians", "weather", "storm",
		"traffic", "bailiffs", "squatters", "mugger", "stalker"):
		return !t.at(i-1, "your")
	case t.at(i, "manager", "supervisor", "employer", "company", "husband", "wife", "brother", "sister", "partner", "boyfriend", "girlfriend", "uncle", "aunt", "cousin", "teacher", "friend", "mate", "builder", "plumber", "roofer",
		"electrician", "mechanic", "contractor", "decorator", "lawyer", "solicitor", "accountant", "agent", "client", "provider", "supplier", "insurer", "doctor", "doctors", "gp", "dentist", "school", "university", "bank", "airline", "garage", "dealer"):
		return t.at(i-1, "my", "our", "his", "her", "another", "other", "some", "previous", "old", "former")
	case t.at(i, "dealer", "salesman", "builder", "builders", "cowboys", "seller", "tax", "taxman", "airline", "bailiff"):
		return t.at(i-1, "the", "this", "that", "a", "some")
	case t.at(i, "man", "woman", "lady", "guy", "bloke", "kid", "kids", "lad", "lads", "idiot", "moron", "driver", "company", "people", "firm", "lot", "folks"):
		return t.at(i-1, "some", "another", "other", "former", "previous") || t.at(i-1, "a", "this") && t.harms(i+1) || t.at(i+1, "i", "we") && t.at(i+2, "used", "hired", "booked", "bought", "paid", "was", "were")
	case t.at(i, "somebody", "someone"):
		return t.harms(i + 1)
	}
	return false
}

// harms reports whether a word says what strangers do to people.
func (t *tokens) harms(i int) bool {
	return t.at(i, "stole", "hit", "broke", "nicked", "smashed", "took", "has", "crashed", "scratched", "hacked", "used", "ran", "drove", "robbed", "keyed", "damaged", "ripped", "pushed", "rang", "called", "phoned", "shouted", "grabbed")
}

// addressed reports whether a turn addresses the other side of the call with more than a formula
// such as "thank you", "you know", "could you".
func (t *tokens) addressed() bool { return t.mentioned().addressed }

// inPassing reports whether the "you" at position i is part of a formula.
func (t *tokens) inPassing(i int) bool {
	return t.at(i-1, "thank", "bless", "could", "would", "can", "see", "love", "mind", "tell", "between", "trust", "believe", "told") || t.at(i+1, "know", "see", "believe", "guys", "mind", "imagine")
}

// charges reports whether a turn says that the other side of the call did something, or did not:
// "you said monday", "your engineer".
func (t *tokens) charges() bool {
	for i := range t.all {
		switch {
		case t.at(i, "your") && !t.at(i+1, "help", "time", "name", "patience", "advice", "kindness", "email", "number", "own", "day", "website", "offer", "service"):
			return true
		case t.at(i, "you", "youve", "youre", "yall") && !t.inPassing(i) && t.at(i+1,
			"said", "told", "promised", "sent", "charged", "took", "never", "keep", "kept", "dont", "didnt", "havent", "wont", "cant", "couldnt", "people", "lot", "cancelled", "lost", "put", "let", "gave", "made",
			"still", "not", "been", "just", "all", "owe", "overcharged", "delivered"):
			return true
		}
	}
	return false
}
