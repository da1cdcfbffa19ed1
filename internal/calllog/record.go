package calllog

import (
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
)

// Record is a finished call in one vocabulary, whatever platform told of it.
type Record struct {
	// ExternalID is the platform's own id of the call.
	ExternalID   string
	RecordingURL string
	From, To     string
	StartedAt    time.Time
	EndedAt      time.Time
	// End keeps the platform's own word as its Detail.
	End call.EndReason
	// HasTranscript tells "nothing said" from "not given".
	HasTranscript bool
	// Turns carry times since StartedAt. Where only the start is known, End equals
	// it; where nothing is known both are negative.
	Turns     []call.Turn
	ToolCalls []call.ToolCall
}

// Reader turns a provider's payload into a Record. It is a pure function; what
// is wrong it notes in the payload.
type Reader func(payload Object) Record
