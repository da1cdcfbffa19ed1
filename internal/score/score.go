// Package score turns what a review heard and measured into verdicts with evidence. A scorer has a
// name, a version and parameters. The subpackages: score/phrase finds out whether something was
// said, score/timing computes the timing and line metrics, score/judge asks a language model.
//
// It stands on packages call (what is judged) and scenario (what was expected). Package review
// calls it, package catalog stores the configurations.
package score

import (
	"context"
	"encoding/json"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

// Config is one version of a configured check, as stored in the catalog.
type Config struct {
	ID          string `json:"id"`
	WorkspaceID string `json:"workspace_id"`
	Slug        string `json:"slug"`
	Name        string `json:"name"`
	// Kind selects the scorer ("say", "cel", "judge", …).
	Kind    string   `json:"kind"`
	Version int      `json:"version"`
	Labels  []string `json:"labels,omitempty"`
	// Optional scores inform, but do not affect the call's verdict.
	Optional bool `json:"optional,omitempty"`
	// Params are the kind's parameters; unknown keys are refused.
	Params    json.RawMessage `json:"params,omitempty"`
	CreatedAt time.Time       `json:"created_at"`
}

// Input is everything that a scorer may use. It is not safe for concurrent use.
type Input struct {
	Call    call.Call
	Attempt call.Attempt
	Heard   call.Heard
	Metrics []call.Metric
	// ToolCalls are from the agent's own record; HasRecord tells "no tool was called" from "unknown".
	ToolCalls []call.ToolCall
	HasRecord bool
	// MayStillCome says that the agent's own record may still arrive.
	MayStillCome bool
	// Earlier are the scores of the call's previous review. A language model is not asked again what it has answered there.
	Earlier []call.Score

	// speech caches each side's normalised speech.
	speech map[call.Speaker][]spoken
}

// Plan is what a call is scored by: its item, and the scorers of its experiment as they were when
// the experiment was created.
type Plan struct {
	Item    scenario.Item `json:"item"`
	Scorers []Config      `json:"scorers"`
}

// Scorer is a check that has been built.
type Scorer interface {
	Score(ctx context.Context, in *Input) call.Score
}
