package emotion

import (
	"slices"

	"github.com/ringtrue/ringtrue/internal/call"
)

// A retort throws the agent's last words back instead of accepting them: by repeating them ("Forty
// weeks."), or by a question that cannot be answered ("and what am I supposed to live on?"). The
// same words are harmless if the agent has done what was wanted, so they only count after a hurdle
// (see agentSide).

// retorts reports whether a turn throws back the agent's last turn, whose content words are words.
func (m *Model) retorts(t *tokens, words []uint32) bool {
	found := false
	m.challenges.find(t, func(call.Sign, int) { found = true })
	return found || (echoes(t, words) || concludes(t)) && !accepts(t)
}

// ironic reports whether praise is not meant: "great, just great", or "oh lovely" after a refusal
// without an alternative.
func ironic(t *tokens, flat bool) bool {
	if t.words > 9 || anyOf(t, " thank ", " thanks ", " please ", " thankyou ", " cheers ") {
		return false
	}
	for i := range t.all {
		if !praises(t, i) {
			continue
		}
		if t.at(i+1, "just") && praises(t, i+2) && string(t.of(t.all[i])) == string(t.of(t.all[i+2])) {
			return true
		}
		if !flat || t.words > i+1 && !t.at(i+1, "so", "another", "just", "now", "that", "thats", "more", "really") {
			continue
		}
		return i == 0 || t.at(i-1, "oh", "well", "just", "thats", "how", "ah", "simply", "absolutely", "yeah", "so", "real", "really", "bloody")
	}
	return false
}

func praises(t *tokens, i int) bool {
	return t.at(i, "great", "wonderful", "lovely", "brilliant", "fantastic", "perfect", "amazing", "awesome", "super", "marvellous", "marvelous", "terrific", "nice", "charming", "fabulous", "excellent")
}

// echoes reports whether a turn begins with one of the agent's words and goes on. "Which form would
// I use" is a question, and "my account number is 4471" answers one.
func echoes(t *tokens, words []uint32) bool {
	if t.words < 3 || t.roleAt(0) == asker || fillsIn(t) {
		return false
	}
	seen := 0
	for _, k := range t.all {
		if !k.word {
			continue
		}
		w := digit(t.of(k))
		if seen++; seen > 3 {
			return false
		}
		if light(w) {
			continue
		}
		if slices.Contains(words, mix(hashOf(w, 'w'))) {
			return true
		}
	}
	return false
}

// fillsIn reports whether a turn begins with the name of a detail and its number, code or
// placeholder, as the agent asked for it: "my account number is 4471", "postal code SW1A 1AA", "the
// email is [EMAIL]".
func fillsIn(t *tokens) bool {
	i, named := 0, false
	for t.at(i, "yes", "ok", "okay", "sure", "so", "well", "its", "my", "the", "our", "this") {
		i++
	}
	for ; i < len(t.all) && particular(t.of(t.all[i])); i++ {
		named = true
	}
	for t.at(i, "is", "are", "its", "it", "would", "be", "was", "were", "number", "ends", "ending", "in", "on", "there") {
		i++
	}
	return named && i < len(t.all) && t.all[i].word && numeric(t.of(t.all[i])) && !t.at(len(t.all)-1, "?", "!", "!!")
}

// particular reports whether a word names a detail that agents ask for.
func particular(w []byte) bool {
	switch string(w) {
	case "number", "code", "reference", "account", "order", "booking", "customer", "policy", "member", "membership", "serial", "phone", "mobile", "telephone", "card", "post", "postal", "postcode", "zip", "zipcode",
		"email", "mail", "address", "name", "surname", "first", "last", "date", "of", "birth", "birthday", "id", "pin", "confirmation", "tracking", "case", "ticket", "invoice", "registration", "plate", "meter", "reading", "four", "digits", "model", "expiry", "expiration", "amount":
		return true
	}
	return false
}

// accepts reports whether a turn accepts what was said: "four will do".
func accepts(t *tokens) bool {
	if anyOf(t, " lol ", " lmao ", " haha ", " wow ") {
		return false
	}
	return anyOf(t,
		" ok ", " okay ", " fine ", " sure ", " works ", " perfect ", " great ", " good ", " lovely ", " suits ", " will do ", " it is ", " understood ", " no problem ", " please ",
		" go ahead ", " thanks ", " thank ", " alright ", " all right ", " right then ", " fair ", " spot on ", " yes ", " yeah ", " correct ", " thats it ", " thats right ", " could you ", " can you ", " can i ",
		" could i ", " better ", " prefer ", " rather ", " what time ", " where ", " when ", " how long ", " how much ", " how do ", " then i ",
	)
}

// concludes reports whether a turn states what the agent's words amount to: "so I just wait".
func concludes(t *tokens) bool {
	for i := range t.all {
		if t.at(i, "so") && t.at(i+1, "you", "i", "we") && t.at(i+2, "just", "can", "spend", "spent", "take", "lose", "get", "still", "pay", "wont", "dont", "quote", "promise", "sell", "make") {
			return true
		}
	}
	return false
}

// challenges are rhetorical questions, in the notation of phrase.
func challenges() []phrase {
	const s = call.SignRetorts
	return []phrase{
		{s, "why do|did|are|would|have|should|dont|didnt|cant|wont|arent|is|on you|i|we|should|must|nobody|everyone|earth"},
		{s, "why is it|that my|always|me|every|so"},
		{s, "why should|must|can|cant|would i|we|you|nobody"},
		{s, "what am|are i|we|you supposed|meant|paying|actually|even|people|able|doing|talking|saying|for"},
		{s, "what use|good|year|planet|century|kind is|does|are|am|of|to"},
		{s, "what exactly|else are|am|is|did"},
		{s, "what does _ even"},
		{s, "^ yeah|sure|right right|yeah $"},
		{s, "^ sure you|they will|are|do|did"},
		{s, "what do you expect|think|want|suggest|people|actually"},
		{s, "what is|was the point|use"},
		{s, "what about me|us|my"},
		{s, "who can|will|would see|pay|fix|help|answer|decide|give|feed"},
		{s, "who pays|cares|knows"},
		{s, "who is going|responsible|paying to|for"},
		{s, "how am|are i|we supposed|meant|to"},
		{s, "how do|can|could|did you expect|not|people|just|even|say|sleep|lose|charge|sell|call|let|still|explain"},
		{s, "how hard|difficult|stupid can|is|do|would"},
		{s, "how many times|more|complaints|emails|letters"},
		{s, "how is|does that|this|it my|fair|help|possible|even|right"},
		{s, "are you seriously|really|kidding|joking|saying|telling|suggesting|listening|calling|even|actually|serious|people"},
		{s, "is that|this|it my|all|supposed|some fault|problem|you|to|kind|joke"},
		{s, "did|has|does|do|have anybody|anyone|nobody|any of|even|actually|look|read|looked|checked|check|care|there|know"},
		{s, "did|do|have you people|even|understand|realise|realize|think|honestly|seriously|actually|expect"},
		{s, "^ with|on|for|by what|whose $|money"},
		{s, "^ out of what $"},
		{s, "^ of course you|it|they|he|she|there|its|youre|theyre|hes|shes are|is|did|do|isnt|arent|cant|have|has|does|will|wont|$"},
		{s, "funny how it|its|that|you|they|theres|the"},
		{s, "what|theres a surprise|shock"},
		{s, "^ surprise|no surprise|surprises $|there"},
		{s, "thought not|as"},
		{s, "^ dont bother $|ill|im|well|with|i"},
		{s, "what will|does it take $|for|before"},
		{s, "what has|have|does to|got|have ~ happen $|before|for"},
		{s, "^ as if $"},
	}
}
