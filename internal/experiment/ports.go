package experiment

import (
	"context"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/scenario"
	"github.com/ringtrue/ringtrue/internal/score"
)

// Store gives transactions. Write commits when f returns nil; after that the
// changes are on disk. f may be run again after a serialisation failure.
type Store interface {
	Write(ctx context.Context, f func(Tx) error) error
	Read(ctx context.Context, f func(Tx) error) error
}

// Tx is a transaction as this package sees it.
type Tx interface {
	ExperimentRows
	CallRows
	CallLocks
	AttemptRows
	LineRows
	RoomRows
	CatalogRows
	ResultRows
	Feed
}

// Feed is how a transaction reaches the world beyond the database.
type Feed interface {
	// Enqueue adds a job that becomes real with the commit; it runs no earlier than after from now.
	Enqueue(ctx context.Context, kind, id string, after time.Duration) error
	// Announce adds a progress event for the workspace's /events.
	Announce(ctx context.Context, workspaceID string, p Progress) error
}

// Progress is a step of an experiment or one of its calls, for those who watch.
type Progress struct {
	// Kind is "experiment" or "call".
	Kind         string `json:"kind"`
	ExperimentID string `json:"voice_experiment_id"`
	CallID       string `json:"call_id,omitempty"`
	// Status, ScoringStatus and Verdict are those of the thing after the step.
	Status        string `json:"status"`
	ScoringStatus string `json:"scoring_status,omitempty"`
	Verdict       string `json:"verdict,omitempty"`
	Detail        string `json:"detail,omitempty"`
}

// ExperimentRows are the experiments. Lookups with a workspace id return
// problem.Missing for another workspace's rows.
type ExperimentRows interface {
	InsertExperiment(ctx context.Context, e Experiment) error
	ExperimentByID(ctx context.Context, workspaceID, id string) (Experiment, error)
	// LockExperiment reads the row and holds it until the transaction ends.
	LockExperiment(ctx context.Context, id string) (Experiment, error)
	UpdateExperiment(ctx context.Context, e Experiment) error
	// Experiments lists newest first, after the cursor (an id, "" from the start).
	Experiments(ctx context.Context, workspaceID string, f Filter, limit int, cursor string) ([]Experiment, error)
}

// CallRows are the calls of experiments. CallByID and CallsOf leave the
// attempts' timelines out.
type CallRows interface {
	// InsertCalls stores the calls, each with the item it plays.
	InsertCalls(ctx context.Context, calls []call.Call, items []scenario.Item) error
	// CallByID finds a call; workspaceID "" means any.
	CallByID(ctx context.Context, workspaceID, id string) (call.Call, error)
	UpdateCall(ctx context.Context, c call.Call) error
	// EndCallsOf gives all calls of an experiment that are not over the states, the reason
	// of the end and its time that as has.
	EndCallsOf(ctx context.Context, experimentID string, as call.Call) error
	CallsOf(ctx context.Context, experimentID string) ([]call.Call, error)
	// ItemOf is the item as it was when the experiment was created.
	ItemOf(ctx context.Context, callID string) (scenario.Item, error)
	// ReviewsOf are the reviews of calls, by call id, of those that have one: without the
	// segments that were heard, and of their turns without the single words.
	ReviewsOf(ctx context.Context, callIDs []string) (map[string]call.Review, error)
	// Tally counts the calls of an experiment.
	Tally(ctx context.Context, experimentID string) (Tally, error)
}

// CallLocks read calls and hold their rows until the transaction ends. Whoever
// moves a call reads it so, for its state may change under anybody else: a call
// that is placed may be canceled at the same moment. Calls come before their
// experiment, so that no two transactions wait for each other.
type CallLocks interface {
	LockCall(ctx context.Context, id string) (call.Call, error)
	// LockCallsOf holds all calls of an experiment, in the order of CallsOf.
	LockCallsOf(ctx context.Context, experimentID string) ([]call.Call, error)
}

// AttemptRows are the attempts and the limits they count against.
type AttemptRows interface {
	// Claim inserts the attempt if the limits allow one more call now. All
	// processes on the database count together; an attempt counts until it has
	// been ended. A zero now is the database's own time.
	Claim(ctx context.Context, a call.Attempt, l Limits, now time.Time) (Claim, error)
	// ClaimAgain gives a new turn to a claimed call that has not been dialled in
	// its own, which was at had: at once if nobody has been let through since.
	ClaimAgain(ctx context.Context, l Limits, had, now time.Time) (Claim, error)
	// BeatAttempt says that the attempt's process lives, by changing the beat of
	// its pulse; false when the attempt has been ended by another.
	BeatAttempt(ctx context.Context, attemptID string, now time.Time) (bool, error)
	// EndAttempt stores the outcome, timeline included; false when it had been ended before.
	EndAttempt(ctx context.Context, a call.Attempt) (bool, error)
	// OpenAttempts are those not ended, timelines left out.
	OpenAttempts(ctx context.Context) ([]Pulse, error)
	// AttemptsOf are a call's attempts in order, timelines left out.
	AttemptsOf(ctx context.Context, callID string) ([]call.Attempt, error)
}

// LineRows keep what another process needs to take an attempt's call off the
// line, for as long as the attempt is open.
type LineRows interface {
	SaveReference(ctx context.Context, attemptID, reference string) error
	// ReferenceOf is "" when there is none.
	ReferenceOf(ctx context.Context, attemptID string) (string, error)
}

// Pulse is an attempt with its beat: a number that changes, and means nothing
// else, whenever the attempt's process says that it lives.
type Pulse struct {
	call.Attempt
	Beat int64
	// At is when it last said so, by its own clock: good for telling people, and for nothing else.
	At time.Time
}

// Tally is how far the calls of an experiment have come.
type Tally struct {
	// OnLine are not over on the line, Unsettled not over or not reviewed.
	OnLine, Unsettled int
	// ScoringFailed are those that could not be scored.
	ScoringFailed int
	// Counts are the calls by verdict.
	Counts
}

// Limits bound how many calls are on the line. Zero means no bound.
type Limits struct {
	Trunk                string
	TrunkCallsPerSecond  float64
	TrunkConcurrentCalls int
	AgentID              string
	AgentCallsPerSecond  float64
	AgentConcurrentCalls int
}

// Claim is the answer to an attempt's wish to dial.
type Claim struct {
	OK bool
	// At is the call's turn, by the clock that the limits count with.
	At time.Time
	// Since is how long ago that was when the answer was given, as far as the store has measured it:
	// what it did after it had read the clock.
	Since time.Duration
	// Wait is how long to wait before asking again.
	Wait time.Duration
	// Limit names what held the call back: "trunk_rate", "trunk_concurrency", "agent_rate", "agent_concurrency".
	Limit string
}

// CatalogRows are what an experiment is planned from.
type CatalogRows interface {
	AgentByID(ctx context.Context, workspaceID, id string) (scenario.Agent, error)
	DatasetByID(ctx context.Context, workspaceID, id string) (scenario.Dataset, error)
	// ItemsOf are the items of one version of a dataset in order; limit bounds how many are read.
	ItemsOf(ctx context.Context, datasetID string, version, limit int) ([]scenario.Item, error)
	// PlayedItems are the items that an experiment's calls play, by id, each as it was when the experiment was created.
	PlayedItems(ctx context.Context, experimentID string) (map[string]scenario.Item, error)
	// PromptByRef and ScorerByRef resolve "slug", "slug@label" and "slug@3".
	PromptByRef(ctx context.Context, workspaceID, ref string) (scenario.Prompt, error)
	ScorerByRef(ctx context.Context, workspaceID, ref string) (score.Config, error)
}

// Line places calls. Place blocks until the call is over and returns what came
// of it: times, end reason as the line saw it, statistics and line events. It
// never returns an error: what goes wrong is an EndReason.
type Line interface {
	Place(ctx context.Context, d leg.Dial, p leg.Party, t *leg.Tape) call.Attempt
}

// Pressure is what the media loop of this process has measured of itself during
// a second; package line/pace measures it.
type Pressure struct {
	// Second tells one measurement from the next; it grows by one a second.
	Second int64
	// Calls are those whose media were running.
	Calls int
	// Busy is the share (0 to 1) of its time that the busiest thread spent on them.
	Busy float64
	// Late is what 99 in 100 frames were late by at most.
	Late time.Duration
	// Behind is how late everything else in this process ran at worst.
	Behind time.Duration
}

// Recordings keeps the audio of finished calls.
type Recordings interface {
	// Keep stores the tape durably under the key and describes it.
	Keep(ctx context.Context, key string, t *leg.Tape) (call.Recording, error)
	// Ready says why no tape can be kept now, after one could not be; nil when there is nothing against it.
	Ready() error
	// Delete removes what Keep stored.
	Delete(ctx context.Context, key string) error
}
