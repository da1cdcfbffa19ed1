// Package experiment is the course of a test: it plans one call per item and
// repetition, checks that everything needed is there, places the calls within
// the limits, sees crashed attempts through and closes the experiment when its
// last call is settled.
//
// It sees the database, the line and the caller through ports (ports.go);
// package review tells it, wired in app, that a call is settled; package api
// shows it to the world and package queue runs its jobs.
package experiment

import (
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/price"
	"github.com/ringtrue/ringtrue/internal/scenario"
	"github.com/ringtrue/ringtrue/internal/score"
)

// Status is how far an experiment is.
type Status string

// The states of an experiment.
const (
	Created       Status = "CREATED"
	Running       Status = "RUNNING"
	Scoring       Status = "SCORING"
	Finished      Status = "FINISHED"
	Failed        Status = "FAILED"
	ScoringFailed Status = "SCORING_FAILED"
	Canceled      Status = "CANCELED"
)

// Over reports whether the experiment has ended.
func (s Status) Over() bool {
	return s == Finished || s == Failed || s == ScoringFailed || s == Canceled
}

// Experiment is one run of a dataset against an agent.
type Experiment struct {
	ID             string
	WorkspaceID    string
	AgentID        string
	DatasetID      string
	DatasetVersion int
	// Line is LinePhone or LineRoom; To is the number that is dialled, "" in rooms.
	// AgentID may be "" in rooms.
	Line   string
	To     string
	Status Status
	// Verdict is open ("") until the experiment is over; Reason explains it in a sentence.
	Verdict call.Verdict
	Reason  string
	// RerunOf is the experiment this one repeats, "" when none.
	RerunOf string
	Plan    Plan
	Counts  Counts

	CreatedAt  time.Time
	StartedAt  time.Time
	FinishedAt time.Time
}

// Plan is everything decided when the experiment was created.
type Plan struct {
	Defaults scenario.TestDefaults `json:"defaults"`
	// CallerPrompt is the text that plays the caller of items without a script, "" for the built-in one.
	CallerPrompt string         `json:"caller_prompt,omitempty"`
	Scorers      []score.Config `json:"scorers"`
	Seed         uint64         `json:"seed"`
	// Asked are the settings in which the request differed from the agent's defaults.
	Asked Settings `json:"asked,omitzero"`
	// OnlyFailed says that it repeats only the scenarios of calls that had not passed when it was
	// started; a review of those calls may have come to something else since.
	OnlyFailed bool `json:"only_failed,omitempty"`
	// Rates are the prices at the start of the experiment; nil in old experiments, which have none.
	Rates *price.Rates `json:"rates,omitempty"`
	// Rooms is nil on the telephone.
	Rooms *RoomPlan `json:"rooms,omitempty"`
}

// Counts are the calls of an experiment by verdict.
type Counts struct {
	Calls        int `json:"calls"`
	Passed       int `json:"passed"`
	Failed       int `json:"failed"`
	Void         int `json:"void"`
	NotEvaluated int `json:"not_evaluated"`
}

// Filter narrows a list of experiments; zero fields do not narrow.
type Filter struct {
	AgentID   string
	DatasetID string
	Status    Status
	Verdict   call.Verdict
}

// StartRequest asks for an experiment.
type StartRequest struct {
	AgentID, DatasetID, To string
	// ItemIDs restricts the run to these items; empty means all.
	ItemIDs []string
	// RerunOf and OnlyFailed are kept with the experiment.
	RerunOf    string
	OnlyFailed bool
	// Settings take the place of the agent's defaults, for this experiment alone.
	Settings Settings
}
