package calllog

import (
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/calllog/lenient"
)

// Keep says how much of a call may be kept, as the client's platform was told.
type Keep = call.Keep

// How much may be kept. The zero value is KeepEverything.
const (
	KeepEverything = call.KeepEverything
	KeepNoPeople   = call.KeepNoPeople
	KeepBasics     = call.KeepBasics
)

// Record is a finished call in one vocabulary, whatever platform told of it.
type Record struct {
	From string `json:"from,omitempty"`
	To   string `json:"to,omitempty"`
	// StartedAt and EndedAt are zero when the payload tells no time at all; then
	// the time of its arrival stands in for the end.
	StartedAt time.Time `json:"started_at"`
	EndedAt   time.Time `json:"ended_at"`
	// Guessed says that the two are no times of the call's own: they follow from when its
	// platform made it or told of it.
	Guessed bool `json:"guessed,omitempty"`
	// Length is how long the call lasted where no time of its own is told.
	Length time.Duration  `json:"length,omitempty"`
	End    call.EndReason `json:"end"`
	// NeverAnswered says that nobody took the call.
	NeverAnswered bool `json:"never_answered,omitempty"`
	Keep          Keep `json:"keep,omitempty"`
	// Scrubbed says that what was said has been scrubbed of people by the platform.
	Scrubbed bool `json:"scrubbed,omitempty"`
	// TestCall is the value of the X-Ringtrue-Call header or the room's name, where the payload holds it.
	TestCall string `json:"test_call,omitempty"`
	// Whole says that the platform will tell nothing more of this call.
	Whole bool `json:"whole,omitempty"`
	// Metadata is what the payload itself carries as such; as it is stored, the
	// submission's own metadata has been laid over it.
	Metadata map[string]any `json:"metadata,omitempty"`
	// ExternalAgentID is the submission's own; readers leave it alone.
	ExternalAgentID string `json:"external_agent_id,omitempty"`

	call.Reported
}

// Reader turns a provider's payload into a Record. It is a pure function; what
// is wrong it notes in the payload.
type Reader func(payload lenient.Object) Record
