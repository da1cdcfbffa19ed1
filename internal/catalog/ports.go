// Package catalog keeps what tests are made of: agents, datasets with their
// items and versions, prompts and scorers. It checks them with package
// scenario and package score, stores them through its port and never changes a
// version once it has been written.
package catalog

import (
	"context"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/scenario"
	"github.com/ringtrue/ringtrue/internal/score"
)

// Store gives transactions. Write commits when f returns nil; after that the
// changes are on disk. f may be run again after a serialisation failure.
type Store interface {
	Write(ctx context.Context, f func(Tx) error) error
	Read(ctx context.Context, f func(Tx) error) error
}

// Tx is a transaction as this package sees it. Lookups return problem.Missing
// for what is not there or belongs to another workspace.
type Tx interface {
	AgentRows
	DatasetRows
	ItemRows
	PromptRows
	ScorerRows
	CallRows
	// Enqueue adds a job that becomes real with the commit; it runs no earlier than
	// after from now.
	Enqueue(ctx context.Context, kind, id string, after time.Duration) error
}

// AgentRows are the agents. A second agent with the same source id is a problem.Conflict.
type AgentRows interface {
	InsertAgent(ctx context.Context, a scenario.Agent) error
	AgentByID(ctx context.Context, workspaceID, id string) (scenario.Agent, error)
	// LockAgent reads the row and holds it until the transaction ends.
	LockAgent(ctx context.Context, workspaceID, id string) (scenario.Agent, error)
	// AgentBySourceID finds the agent with the id in the client's own system; ok is false when there is none.
	AgentBySourceID(ctx context.Context, workspaceID, sourceID string) (a scenario.Agent, ok bool, err error)
	// Agents lists newest first, after the cursor (an id, "" from the start).
	Agents(ctx context.Context, workspaceID string, limit int, cursor string) ([]scenario.Agent, error)
	UpdateAgent(ctx context.Context, a scenario.Agent) error
	DeleteAgent(ctx context.Context, workspaceID, id string, now time.Time) error
}

// DatasetRows are the datasets.
type DatasetRows interface {
	InsertDataset(ctx context.Context, d scenario.Dataset) error
	DatasetByID(ctx context.Context, workspaceID, id string) (scenario.Dataset, error)
	// LockDataset reads the row and holds it until the transaction ends.
	LockDataset(ctx context.Context, workspaceID, id string) (scenario.Dataset, error)
	Datasets(ctx context.Context, workspaceID string, limit int, cursor string) ([]scenario.Dataset, error)
	// UpdateDataset writes name, description, version, item count and update time.
	UpdateDataset(ctx context.Context, d scenario.Dataset) error
	DeleteDataset(ctx context.Context, workspaceID, id string, now time.Time) error
	// DatasetVersions tells when each version was made and how many items it has, newest first.
	DatasetVersions(ctx context.Context, datasetID string) ([]Version, error)
}

// Version is one state of a dataset's items.
type Version struct {
	Version   int       `json:"version"`
	Items     int       `json:"items"`
	CreatedAt time.Time `json:"created_at"`
}

// ItemRows are the items. A row lives from one version of its dataset to another.
type ItemRows interface {
	// InsertItems adds items that live from the given version on, in order, behind those that are there.
	InsertItems(ctx context.Context, datasetID string, version int, items []scenario.Item) error
	// ReplaceItem ends the item's old state before the version and starts the new one at it, at the same place.
	ReplaceItem(ctx context.Context, datasetID string, version int, item scenario.Item) error
	// EndItems ends items before the version; no ids means all of them.
	EndItems(ctx context.Context, datasetID string, version int, ids []string) error
	ItemByID(ctx context.Context, datasetID, id string, version int) (scenario.Item, error)
	// ItemPage lists in order, after the item with the cursor's id ("" from the start).
	ItemPage(ctx context.Context, datasetID string, version, limit int, cursor string) ([]scenario.Item, error)
	// ItemsOf are all items of a version in order; limit bounds how many are read.
	ItemsOf(ctx context.Context, datasetID string, version, limit int) ([]scenario.Item, error)
	// InsertVersion records that the version was made.
	InsertVersion(ctx context.Context, datasetID string, v Version) error
}

// PromptRows are versions of prompts. A ref is "slug" (newest), "slug@label" or "slug@3".
type PromptRows interface {
	InsertPrompt(ctx context.Context, p scenario.Prompt) error
	PromptByRef(ctx context.Context, workspaceID, ref string) (scenario.Prompt, error)
	// Prompts lists the newest version of each slug, by slug after the cursor.
	Prompts(ctx context.Context, workspaceID string, limit int, cursor string) ([]scenario.Prompt, error)
	// PromptVersions lists all versions of a slug, newest first.
	PromptVersions(ctx context.Context, workspaceID, slug string) ([]scenario.Prompt, error)
	// LabelPrompt moves the label to the version.
	LabelPrompt(ctx context.Context, workspaceID, slug, label string, version int) error
}

// ScorerRows are versions of scorers, with refs as for prompts.
type ScorerRows interface {
	InsertScorer(ctx context.Context, s score.Config) error
	ScorerByRef(ctx context.Context, workspaceID, ref string) (score.Config, error)
	Scorers(ctx context.Context, workspaceID string, limit int, cursor string) ([]score.Config, error)
	ScorerVersions(ctx context.Context, workspaceID, slug string) ([]score.Config, error)
	LabelScorer(ctx context.Context, workspaceID, slug, label string, version int) error
}

// CallRows are the calls that scenarios are made of.
type CallRows interface {
	CallByID(ctx context.Context, workspaceID, id string) (call.Call, error)
	// ReviewOf and ReportedOf are what was heard and what the client's platform
	// tells; ok is false while there is nothing.
	ReviewOf(ctx context.Context, callID string) (r call.Review, ok bool, err error)
	ReportedOf(ctx context.Context, callID string) (r call.Reported, ok bool, err error)
	// LastAttempt is the attempt that counts, with its timeline; ok is false when there was none.
	LastAttempt(ctx context.Context, callID string) (a call.Attempt, ok bool, err error)
	// ItemOf is the item that a test call played.
	ItemOf(ctx context.Context, callID string) (scenario.Item, error)
}
