package call

import (
	"encoding/json"
	"time"
)

// Speaker is who speaks.
type Speaker string

// The two sides of every call.
const (
	Caller Speaker = "caller"
	Agent  Speaker = "agent"
)

// Segment is one stretch of sound of one side, by media time since the answer.
type Segment struct {
	Start time.Duration `json:"start"`
	End   time.Duration `json:"end"`
}

// Length is how long the segment is.
func (s Segment) Length() time.Duration { return s.End - s.Start }

// Word is one spoken word with its place.
type Word struct {
	Text  string        `json:"text"`
	Start time.Duration `json:"start"`
	End   time.Duration `json:"end"`
	// Confidence is how sure the recogniser was of the word, 0 to 1; 0 when it does not tell.
	Confidence float64 `json:"confidence,omitempty"`
}

// Turn is one party's speech until the other takes over.
type Turn struct {
	// Index counts from 0 over both speakers.
	Index   int     `json:"index"`
	Speaker Speaker `json:"speaker"`
	// By names who spoke on that side when it was neither the caller nor the agent
	// itself ("transfer_target"); only a platform's own record tells it.
	By    string        `json:"by,omitempty"`
	Start time.Duration `json:"start"`
	End   time.Duration `json:"end"`
	Text  string        `json:"text"`
	// Segments are the stretches of speech inside the turn; empty when only the text is known.
	Segments []Segment `json:"segments,omitempty"`
	Words    []Word    `json:"words,omitempty"`
	// Readings are other texts that the recogniser held almost as likely, the
	// likeliest first; none when it does not tell.
	Readings []string `json:"readings,omitempty"`
	// Manner says how the caller's speech was meant: "" for plain talk, or one of the Manners.
	Manner Manner `json:"manner,omitempty"`
}

// Own reports whether a turn is what a party said itself, and not somebody who spoke on its
// side: what a person says to whom an agent passed the call on is no word of the agent's.
func (t *Turn) Own(who Speaker) bool { return t.Speaker == who && t.By == "" }

// Span is the stretch from the turn's first sound to its last.
func (t *Turn) Span() Segment { return Segment{Start: t.Start, End: t.End} }

// Manner is what a stretch of the caller's speech was meant to be. The metrics
// treat an interruption differently from an "mm-hm".
type Manner string

// The manners of the caller's speech.
const (
	MannerPlain       Manner = ""
	MannerInterrupt   Manner = "interrupt"
	MannerBackchannel Manner = "backchannel"
)

// ToolCall is one function the agent called during the conversation, as its
// own record of the call tells.
type ToolCall struct {
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
	// Result is what the tool answered, "" when it is not known.
	Result string `json:"result,omitempty"`
	// Failed says that the record calls the function's answer a failure.
	Failed bool `json:"failed,omitempty"`
	// At is the media time of the call; negative when it is not known.
	At time.Duration `json:"at"`
}

// Heard is what a review made out of a recording: who spoke when, and what.
type Heard struct {
	// Caller and Agent are the speech segments of each channel, in order.
	Caller []Segment `json:"caller"`
	Agent  []Segment `json:"agent"`
	Turns  []Turn    `json:"turns"`
	// Engines names what listened, by role: {"stt": "pocketsphinx 5prealpha", "segments": "…"}.
	Engines map[string]string `json:"engines"`
	// SelfTestGrade says that the recogniser is fit for synthetic voices only.
	SelfTestGrade bool `json:"self_test_grade"`
	// Length is how much media there was.
	Length time.Duration `json:"length"`
}
