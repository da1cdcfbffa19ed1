// Package timing turns who spoke when into figures: how fast the agent
// answers, how it takes and yields the floor, how long nobody speaks, and what
// the line did to the sound. Its functions are pure; each metric has a version
// and a page under docs/metrics.
//
// It stands on call (segments, turns, line statistics) and audio (levels of
// the recording); package review measures with it, package score checks the
// figures against bounds.
package timing

import (
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/call"
)

// Input is what the metrics are computed from. Everything but Heard may be left out;
// the metrics that need it then say why they have no value.
type Input struct {
	// Heard holds the segments of both sides, the turns with their manner and
	// text, and the length of the media.
	Heard call.Heard
	// Stats are of our leg; HasStats is false when the line keeps none (a loop).
	Stats    call.LineStats
	HasStats bool
	// JitterBuffer is the delay our receiving side adds, for the E-model.
	JitterBuffer time.Duration
	// Concealed says that lost packets were concealed and not filled with silence.
	Concealed bool
	// ToolCalls are from the agent's own record; HasRecord tells "no tool was
	// called" from "not known".
	ToolCalls []call.ToolCall
	HasRecord bool
	// Agent is the agent's channel of the recording, for level, clipping, noise
	// and dropouts. Optional.
	Agent audio.Clip
}

// Measure computes every metric of this package, in a fixed order. A metric
// that cannot be evaluated has a nil Value and a Reason.
func Measure(in Input) []call.Metric {
	return nil
}
