package call

// Sentiment is the sign of a feeling.
type Sentiment string

// The sentiments. The zero value means unknown.
const (
	Negative Sentiment = "negative"
	Neutral  Sentiment = "neutral"
	Positive Sentiment = "positive"
)

// Sign is a behaviour of the caller that indicates frustration or distress.
type Sign string

// The signs.
const (
	SignRepeats     Sign = "repeats"        // repeats what was said before
	SignToldBefore  Sign = "told_before"    // "I already told you"
	SignWantsPerson Sign = "wants_person"   // asks for a person
	SignInterrupts  Sign = "interrupts"     // talks over the agent
	SignHangsUp     Sign = "hangs_up"       // hangs up while the agent speaks, or in mid-sentence
	SignSharpWords  Sign = "sharp_words"    // swears or insults
	SignAgentLost   Sign = "not_understood" // says that the agent does not understand
	SignRaisedVoice Sign = "raised_voice"   // louder, higher and faster than before
	SignAsksStop    Sign = "asks_to_stop"   // wants the conversation to end
	SignCorrects    Sign = "corrects"       // "no, I said"
	SignInsists     Sign = "insists"        // denies, then returns to what was said before
	SignBlames      Sign = "blames"         // "because of you", "you people"
	SignThreatens   Sign = "threatens"      // with a lawyer, a complaint, or to go elsewhere
	SignLetDown     Sign = "let_down"       // mentions a broken promise, a long wait or a recurring fault
	SignRetorts     Sign = "retorts"        // throws the agent's words back, or asks a question that nobody can answer
	SignDistressed  Sign = "distressed"     // in tears, or at the end of their strength
	SignThanks      Sign = "thanks"         // the opposite: gratitude
	SignLongSilence Sign = "goes_silent"    // leaves the agent without an answer
)

// Feeling is how the caller felt during a call.
type Feeling struct {
	// Engines names the engine that judged each aspect: {"words": "…", "voice": "…", "behaviour": "…"}.
	Engines map[string]string `json:"engines"`
	// Turns are the judged turns of the caller, in order.
	Turns []TurnFeeling `json:"turns"`
	// Valence is the mean valence of the turns, −1 to 1, weighted by their length in words. Worst is the minimum.
	// Where the words could not be read, Sentiment is "" and both mean nothing.
	Valence float64 `json:"valence"`
	Worst   float64 `json:"worst"`
	// Change is the mean valence of the last third minus that of the first, nil with fewer than three turns.
	Change    *float64  `json:"change,omitempty"`
	Sentiment Sentiment `json:"sentiment,omitempty"`
	// Frustration is the frustration over the whole call, 0 to 1.
	Frustration float64 `json:"frustration"`
	Upset       bool    `json:"upset"`
	// UpsetTurn is the index (into Heard.Turns) of the turn that shows it best, −1 if Upset is false.
	UpsetTurn int `json:"upset_turn"`
	// Reason explains the figures, or why there are none, in one sentence.
	Reason string `json:"reason,omitempty"`
	// Judged is a language model's assessment of the same call, nil if none was asked.
	Judged *Feeling `json:"judged,omitempty"`
}

// TurnFeeling is how the caller felt in one turn.
type TurnFeeling struct {
	// Turn is the index into Heard.Turns.
	Turn int `json:"turn"`
	// Valence is −1 to 1; it means nothing where Sentiment is "".
	Valence   float64   `json:"valence"`
	Sentiment Sentiment `json:"sentiment"`
	// Arousal is −1 to 1, relative to the median of this speaker in this call; nil if there is too little audio to tell.
	Arousal *float64 `json:"arousal,omitempty"`
	// Emotions are probabilities, 0 to 1, by name of the emotion.
	Emotions map[string]float64 `json:"emotions"`
	// Frustration is 0 to 1.
	Frustration float64 `json:"frustration"`
	// Signs are the signs found in this turn.
	Signs []Sign `json:"signs,omitempty"`
}
