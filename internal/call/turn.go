package call

import (
	"encoding/json"
	"time"
)

// Speaker is the side that speaks.
type Speaker string

// The two sides of every call.
const (
	Caller Speaker = "caller"
	Agent  Speaker = "agent"
)

// Segment is one stretch of speech of one side, in media time since the answer.
type Segment struct {
	Start time.Duration `json:"start"`
	End   time.Duration `json:"end"`
}

// Length returns the duration of the segment.
func (s Segment) Length() time.Duration { return s.End - s.Start }

// Word is one spoken word with its position.
type Word struct {
	Text  string        `json:"text"`
	Start time.Duration `json:"start"`
	End   time.Duration `json:"end"`
	// Confidence is the recogniser's confidence in the word, 0 to 1; 0 if it reports none.
	Confidence float64 `json:"confidence,omitempty"`
}

// Turn is one party's speech until the other takes over.
type Turn struct {
	// Index counts from 0 over both speakers.
	Index   int     `json:"index"`
	Speaker Speaker `json:"speaker"`
	// By names who spoke on that side if it was neither the caller nor the agent itself
	// ("transfer_target"). Only a platform's own record provides it.
	By    string        `json:"by,omitempty"`
	Start time.Duration `json:"start"`
	End   time.Duration `json:"end"`
	Text  string        `json:"text"`
	// Segments are the stretches of speech within the turn, empty if only the text is known.
	Segments []Segment `json:"segments,omitempty"`
	Words    []Word    `json:"words,omitempty"`
	// Readings are alternative transcripts that the recogniser found almost as likely,
	// likeliest first; nil if it reports none.
	Readings []string `json:"readings,omitempty"`
	// Manner is the intent of the caller's speech, MannerPlain for ordinary talk.
	Manner Manner `json:"manner,omitempty"`
}

// Own reports whether the turn was spoken by the party who itself, not by somebody else on its
// side: after a transfer, the words of the new person are not the agent's.
func (t *Turn) Own(who Speaker) bool { return t.Speaker == who && t.By == "" }

// Span returns the stretch from the turn's first sound to its last.
func (t *Turn) Span() Segment { return Segment{Start: t.Start, End: t.End} }

// Manner is the intent of a stretch of the caller's speech. The metrics treat an interruption
// differently from an "mm-hm".
type Manner string

// The manners of the caller's speech.
const (
	MannerPlain       Manner = ""
	MannerInterrupt   Manner = "interrupt"
	MannerBackchannel Manner = "backchannel"
)

// ToolCall is one function call that the agent made during the conversation, according to its
// own record of the call.
type ToolCall struct {
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
	// Result is what the tool returned, "" if unknown.
	Result string `json:"result,omitempty"`
	// Failed is true when the record marks the function's result as a failure.
	Failed bool `json:"failed,omitempty"`
	// At is the media time of the function call, negative if unknown.
	At time.Duration `json:"at"`
}

// Heard is what a review extracted from a recording: who spoke when, and what was said.
type Heard struct {
	// Caller and Agent are the speech segments of each channel, in order.
	Caller []Segment `json:"caller"`
	Agent  []Segment `json:"agent"`
	Turns  []Turn    `json:"turns"`
	// Engines names the engine used for each role: {"stt": "pocketsphinx 5prealpha", "segments": "…"}.
	Engines map[string]string `json:"engines"`
	// SelfTestGrade is true when the recogniser is only good enough for synthetic voices.
	SelfTestGrade bool `json:"self_test_grade"`
	// Length is the duration of the media.
	Length time.Duration `json:"length"`
}
