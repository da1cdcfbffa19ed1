package experiment

import (
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

// Settings are what a request wants otherwise than the agent's test defaults.
// What is zero, or nil, stays as the agent has it.
type Settings struct {
	Trunk string `json:"trunk,omitempty"`
	// CallerPrompt and Scorers may also be empty: the built-in prompt, and no
	// scorers beside what the items expect.
	CallerPrompt    *string   `json:"caller_prompt,omitempty"`
	Scorers         *[]string `json:"scorers,omitempty"`
	Repetitions     int       `json:"repetitions,omitempty"`
	ConcurrentCalls int       `json:"concurrent_calls,omitempty"`
	CallsPerSecond  float64   `json:"calls_per_second,omitempty"`
	RingTimeoutMS   int       `json:"ring_timeout_ms,omitempty"`
	PassThreshold   float64   `json:"pass_threshold,omitempty"`
	MinEvaluated    int       `json:"min_evaluated,omitempty"`
}

// over are the agent's defaults with the settings in their place.
func (s Settings) over(d scenario.TestDefaults) scenario.TestDefaults {
	take(&d.Trunk, s.Trunk)
	take(&d.Repetitions, s.Repetitions)
	take(&d.ConcurrentCalls, s.ConcurrentCalls)
	take(&d.CallsPerSecond, s.CallsPerSecond)
	take(&d.RingTimeoutMS, s.RingTimeoutMS)
	take(&d.PassThreshold, s.PassThreshold)
	take(&d.MinEvaluated, s.MinEvaluated)
	if s.CallerPrompt != nil {
		d.CallerPrompt = *s.CallerPrompt
	}
	if s.Scorers != nil {
		d.Scorers = *s.Scorers
	}
	return d
}

// validate names everything that is wrong with the settings, by the fields of the request.
func (s Settings) validate() []problem.Field { return s.over(scenario.TestDefaults{}).Validate("") }

func take[T comparable](place *T, value T) {
	var zero T
	if value != zero {
		*place = value
	}
}
