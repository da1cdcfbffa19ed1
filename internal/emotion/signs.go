package emotion

import (
	"slices"

	"github.com/ringtrue/ringtrue/internal/call"
)

// signs is a set of signs, with one bit per index in signOrder.
type signs uint32

// signOrder is the order in which signs are reported.
func signOrder() [18]call.Sign {
	return [...]call.Sign{
		call.SignToldBefore, call.SignWantsPerson, call.SignAgentLost, call.SignCorrects, call.SignAsksStop, call.SignSharpWords,
		call.SignBlames, call.SignThreatens, call.SignLetDown, call.SignDistressed, call.SignRetorts, call.SignInsists,
		call.SignRepeats, call.SignInterrupts, call.SignHangsUp, call.SignRaisedVoice, call.SignLongSilence, call.SignThanks,
	}
}

func bit(s call.Sign) signs {
	for i, x := range signOrder() {
		if x == s {
			return 1 << i
		}
	}
	return 0
}

func (s *signs) add(x call.Sign)     { *s |= bit(x) }
func (s *signs) drop(x call.Sign)    { *s &^= bit(x) }
func (s signs) has(x call.Sign) bool { return s&bit(x) != 0 }

func (s signs) list() (l []call.Sign) {
	for i, x := range signOrder() {
		if s>>i&1 == 1 {
			l = append(l, x)
		}
	}
	return l
}

// sharp reports whether a word swears or insults.
func sharp(w []byte) bool {
	switch string(w) {
	case "asshole", "assholes", "bitch", "bastard", "bastards", "bullshit",
		"idiot", "idiots", "idiotic", "stupid", "moron", "morons", "dumb", "useless", "pathetic", "wtf", "incompetent", "liar", "liars",
		"muppet", "muppets", "wanker", "wankers", "twat", "twats", "arsehole", "arseholes", "dickhead", "dickheads", "imbecile", "imbeciles", "scumbag", "scumbags",
		"unacceptable", "outrageous", "disgusting", "disgraceful", "scammers", "thieves", "appalling", "hopeless":
		return true
	}
	return swears(w)
}

// swears reports whether a word is strong without being directed at anybody: it may be said
// in joy.
func swears(w []byte) bool {
	switch string(w) {
	case "fuck", "fucking", "fucked", "fucks", "shit", "shitty", "damn", "dammit", "goddamn", "crap", "bloody", "insane", "ridiculous", "pissed", "wth", "ffs", "bs", "bollocks":
		return true
	}
	return false
}

// content returns the hashes of the content words of a turn.
func content(t *tokens) []uint32 {
	var out []uint32
	for _, k := range t.all {
		if w := digit(t.of(k)); k.word && !light(w) {
			out = append(out, mix(hashOf(w, 'w')))
		}
	}
	return out
}

// shared reports whether at least half of the smaller of two sets of words is in the other.
func shared(a, b []uint32) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	same := 0
	for _, x := range a {
		if slices.Contains(b, x) {
			same++
		}
	}
	return same > 0 && 2*same >= len(a)
}

// digit writes a spoken digit as another recogniser might.
func digit(w []byte) []byte {
	const digits = "0123456789"
	for i, name := range [...]string{"zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"} {
		if string(w) == name {
			return []byte(digits[i : i+1])
		}
	}
	return w
}

// light reports whether a word says nothing about the subject of a turn.
func light(w []byte) bool {
	if len(w) < 3 && (w[0] < '0' || w[0] > '9') {
		return true
	}
	switch string(w) {
	case "the", "and", "you", "that", "this", "for", "have", "has", "had", "what", "your", "with", "can", "was", "are", "yes", "yeah", "yep", "please", "would", "like",
		"thank", "thanks", "dont", "not", "its", "but", "how", "there", "just", "get", "know", "thats", "hello", "okay", "will", "ive", "about", "want", "need",
		"could", "should", "from", "they", "them", "then", "than", "some", "any", "all", "well", "right", "sure", "also", "too", "very", "really", "said", "say", "told",
		"already", "again", "still", "does", "did", "been", "were", "let", "lets", "see", "got", "going", "here", "her", "him", "his", "she", "our", "ours", "mine", "theres", "who",
		takenOut, "correct", "great", "good", "fine", "alright", "bye", "goodbye", "sorry", "hey", "looking", "help", "mean", "meant", "yours", "youre", "im", "when", "which":
		return true
	}
	return false
}

// alike returns the share of the smaller of two sets of words that is in the other, 0 to 1;
// it is 0 if the larger has more than 2n+1 words, n being the size of the smaller.
func alike(a, b []uint32) float64 {
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(b) > 2*len(a)+1 {
		return 0
	}
	same := 0
	for _, x := range a {
		if slices.Contains(b, x) {
			same++
		}
	}
	return float64(same) / float64(len(a))
}
