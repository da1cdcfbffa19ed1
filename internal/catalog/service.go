package catalog

import (
	"time"

	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/score"
)

// Options are what a Service stands on; all fields are needed.
type Options struct {
	Store Store
	// NewID makes a sortable id with the given prefix ("agt" gives "agt_…").
	NewID func(prefix string) string
	Now   func() time.Time
	// CheckScorer says what is wrong with a scorer's kind and parameters, nil when nothing is.
	CheckScorer func(score.Config) *problem.Error
}

// Service keeps agents, datasets, prompts and scorers. Its methods take the
// workspace first and return problem.Missing for what belongs to another.
type Service struct {
	store       Store
	newID       func(prefix string) string
	now         func() time.Time
	checkScorer func(score.Config) *problem.Error
}

// New returns a Service.
func New(o Options) *Service {
	return &Service{store: o.Store, newID: o.NewID, now: o.Now, checkScorer: o.CheckScorer}
}

// The prefixes of the ids this package makes.
const (
	agentPrefix   = "agt"
	datasetPrefix = "ds"
	itemPrefix    = "di"
	promptPrefix  = "pr"
	scorerPrefix  = "sc"
)

// The longest name and parameters of a scorer, in bytes.
const (
	maxName   = 200
	maxParams = 64 << 10
)
