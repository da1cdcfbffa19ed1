package review

import (
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
)

// ReplayState is how far a replay has come.
type ReplayState string

// The states of a replay. A canceled one can be taken up again where it stopped.
const (
	ReplayRunning  ReplayState = "RUNNING"
	ReplayFinished ReplayState = "FINISHED"
	ReplayCanceled ReplayState = "CANCELED"
)

// Scope says which calls a replay is about; zero fields do not narrow.
type Scope struct {
	// Since and Until bound when the call began: Since <= begun < Until.
	Since   time.Time   `json:"since"`
	Until   time.Time   `json:"until"`
	AgentID string      `json:"agent_id,omitempty"`
	Origin  call.Origin `json:"origin,omitempty"`
	// OnlyOlder leaves out calls whose latest review rests on everything that a new one would rest on.
	OnlyOlder bool `json:"only_older,omitempty"`
}

// Replay is a review of history: every call in scope is reviewed once more.
type Replay struct {
	ID          string
	WorkspaceID string
	Scope       Scope
	State       ReplayState
	// LastCall is the last call that was looked at, "" at the start.
	LastCall string
	// Total is how many calls were in scope when it began. Of those that were
	// looked at, Skipped were left out or gone, and Failed could not be reviewed.
	Total, Reviewed, Skipped, Failed int
	CreatedAt, UpdatedAt             time.Time
	// FinishedAt is zero while it runs and when it was canceled.
	FinishedAt time.Time
}
