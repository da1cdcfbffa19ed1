package call

// Sentiment is the sign of a feeling.
type Sentiment string

// The sentiments. The zero value means that nothing is known.
const (
	Negative Sentiment = "negative"
	Neutral  Sentiment = "neutral"
	Positive Sentiment = "positive"
)

// Sign is something a caller did that tells of frustration or distress.
type Sign string

// The signs of frustration in what a caller does.
const (
	SignRepeats     Sign = "repeats"        // says again what was said before
	SignToldBefore  Sign = "told_before"    // "I already told you"
	SignWantsPerson Sign = "wants_person"   // asks for a person
	SignInterrupts  Sign = "interrupts"     // speaks into the agent's speech
	SignHangsUp     Sign = "hangs_up"       // hangs up while the agent speaks, or in mid-sentence
	SignSharpWords  Sign = "sharp_words"    // swears or insults
	SignAgentLost   Sign = "not_understood" // says that the agent does not understand
	SignRaisedVoice Sign = "raised_voice"   // louder, higher and faster than before
	SignAsksStop    Sign = "asks_to_stop"   // wants the conversation to end
	SignCorrects    Sign = "corrects"       // "no, I said"
	SignInsists     Sign = "insists"        // denies, and comes back to what was said before
	SignBlames      Sign = "blames"         // "because of you", "you people"
	SignThreatens   Sign = "threatens"      // with a lawyer, a complaint, or to go elsewhere
	SignLetDown     Sign = "let_down"       // tells of a broken promise, of a long wait, of the same fault again
	SignRetorts     Sign = "retorts"        // throws back what the agent said: its words, or a question that nobody can answer
	SignDistressed  Sign = "distressed"     // in tears, or at the end of their strength
	SignThanks      Sign = "thanks"         // the opposite: gratitude
	SignLongSilence Sign = "goes_silent"    // leaves the agent without an answer
)

// Feeling is how the caller felt during a call.
type Feeling struct {
	// Engines names what judged, by role: {"words": "…", "voice": "…", "behaviour": "…"}.
	Engines map[string]string `json:"engines"`
	// Turns are the caller's turns that were judged, in order.
	Turns []TurnFeeling `json:"turns"`
	// Valence is the mean over the turns, −1 to 1, weighted by their length in words; Worst the least of them.
	Valence float64 `json:"valence"`
	Worst   float64 `json:"worst"`
	// Change is the mean of the last third minus that of the first; nil with fewer than three turns.
	Change    *float64  `json:"change,omitempty"`
	Sentiment Sentiment `json:"sentiment,omitempty"`
	// Frustration is that of the call, 0 to 1.
	Frustration float64 `json:"frustration"`
	Upset       bool    `json:"upset"`
	// UpsetTurn is the index (into Heard.Turns) of the turn that shows it best, −1 when Upset is false.
	UpsetTurn int `json:"upset_turn"`
	// Reason says in a sentence why the figures are what they are, or why there are none.
	Reason string `json:"reason,omitempty"`
	// Judged is what a language model said of the same call, nil when none was asked.
	Judged *Feeling `json:"judged,omitempty"`
}

// TurnFeeling is how the caller felt in one turn.
type TurnFeeling struct {
	// Turn is the index into Heard.Turns.
	Turn int `json:"turn"`
	// Valence is −1 to 1.
	Valence   float64   `json:"valence"`
	Sentiment Sentiment `json:"sentiment"`
	// Arousal is −1 to 1 against this speaker's own middle in this call; nil when there is too little to tell.
	Arousal *float64 `json:"arousal,omitempty"`
	// Emotions are the probabilities, 0 to 1, of the emotions that are told, by name.
	Emotions map[string]float64 `json:"emotions"`
	// Frustration is 0 to 1.
	Frustration float64 `json:"frustration"`
	// Signs are what the caller did in this turn.
	Signs []Sign `json:"signs,omitempty"`
}
