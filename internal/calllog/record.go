package calllog

import (
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/calllog/lenient"
)

// Keep says how much of a call may be kept, as set at the client's platform.
type Keep = call.Keep

// The levels of Keep. The zero value is KeepEverything.
const (
	KeepEverything = call.KeepEverything
	KeepNoPeople   = call.KeepNoPeople
	KeepBasics     = call.KeepBasics
)

// Record is a finished call in one vocabulary, whatever platform reported it.
type Record struct {
	From string `json:"from,omitempty"`
	To   string `json:"to,omitempty"`
	// StartedAt and EndedAt are zero when the payload has no time at all; the time of arrival then
	// stands in for the end.
	StartedAt time.Time `json:"started_at"`
	EndedAt   time.Time `json:"ended_at"`
	// Guessed says that the two are not the call's own times but follow from when the platform created
	// or reported it.
	Guessed bool `json:"guessed,omitempty"`
	// Length is how long the call lasted, where its own times are not told.
	Length time.Duration  `json:"length,omitempty"`
	End    call.EndReason `json:"end"`
	// NeverAnswered says that nobody answered the call.
	NeverAnswered bool `json:"never_answered,omitempty"`
	Keep          Keep `json:"keep,omitempty"`
	// Scrubbed says that the platform has scrubbed the speech of people.
	Scrubbed bool `json:"scrubbed,omitempty"`
	// TestCall is the id of our test call that the payload names in the X-Ringtrue-Call header or the
	// room's name, "" if none.
	TestCall string `json:"test_call,omitempty"`
	// Whole says that the platform has reported all it will about this call.
	Whole bool `json:"whole,omitempty"`
	// Judged is when the platform sent its opinion of the call; zero if it sent none, or the payload
	// does not say when. A later opinion corrects an earlier one.
	Judged time.Time `json:"judged,omitzero"`
	// Metadata is what the payload carries; in a stored record, the submission's own metadata is merged
	// into it and wins.
	Metadata map[string]any `json:"metadata,omitempty"`
	// ExternalAgentID is the submission's own; readers leave it empty.
	ExternalAgentID string `json:"external_agent_id,omitempty"`

	call.Reported
}

// Reader turns a provider's payload into a Record, whose Keep is still to be obeyed. It is a pure
// function and notes mistakes in the payload.
type Reader func(payload lenient.Object) Record
