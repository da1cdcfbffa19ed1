// Package score turns what a review heard and measured into verdicts with
// evidence: the scorers, each with a name, a version and what it needs. Its
// child score/phrase tells whether something was said, its child score/timing
// computes the timing and line metrics from segments, its child score/judge asks
// a language model.
//
// It stands on call (what it judges) and scenario (what was expected); package
// review calls it, package catalog keeps the configurations.
package score

import (
	"context"
	"encoding/json"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

// Config is one version of a configured check, as the catalog keeps it.
type Config struct {
	ID          string `json:"id"`
	WorkspaceID string `json:"workspace_id"`
	Slug        string `json:"slug"`
	Name        string `json:"name"`
	// Kind picks the scorer ("say", "cel", "judge", …).
	Kind    string   `json:"kind"`
	Version int      `json:"version"`
	Labels  []string `json:"labels,omitempty"`
	// Optional scores inform but do not decide the call's verdict.
	Optional bool `json:"optional,omitempty"`
	// Params are the kind's own settings; unknown keys are refused.
	Params    json.RawMessage `json:"params,omitempty"`
	CreatedAt time.Time       `json:"created_at"`
}

// Input is all a scorer may look at. It serves one scorer after another, and no two at a time.
type Input struct {
	Call    call.Call
	Attempt call.Attempt
	Heard   call.Heard
	Metrics []call.Metric
	// ToolCalls are from the agent's own record; HasRecord tells "no tool was called" from "not known".
	ToolCalls []call.ToolCall
	HasRecord bool
	// MayStillCome says that the agent's own record may yet arrive.
	MayStillCome bool

	// speech is what was said by each side as words are compared, once a scorer has asked for it.
	speech map[call.Speaker][]spoken
}

// Plan is what a call is to be scored by: its item and the scorers of its
// experiment, as they were when the experiment was created.
type Plan struct {
	Item    scenario.Item `json:"item"`
	Scorers []Config      `json:"scorers"`
}

// Scorer is a check, ready to use.
type Scorer interface {
	Score(ctx context.Context, in *Input) call.Score
}
