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

// DefaultPage and MaxPage are how many entries a list gives when the limit is 0, and at most.
const (
	DefaultPage = 50
	MaxPage     = 1000
)

// The longest name and parameters of a scorer, in bytes.
const (
	maxName   = 200
	maxParams = 64 << 10
)

// pageSize checks the limit and the cursor of a list. kind is the prefix that
// a cursor must have, "" when any slug will do.
func pageSize(limit int, cursor, kind string) (int, error) {
	if limit < 0 || limit > MaxPage {
		return 0, problem.Invalid(problem.Field{Path: "limit", Message: "must be between 1 and 1000"})
	}
	if cursor != "" && !cursorOf(cursor, kind) {
		return 0, notACursor()
	}
	if limit == 0 {
		return DefaultPage, nil
	}
	return limit, nil
}

func notACursor() error {
	return problem.Invalid(problem.Field{
		Path: "cursor", Message: "is not a cursor of this list; pass next_cursor of the page before, unchanged",
	})
}

// cut shortens what was read with one entry too many to a page, and returns
// the cursor of the next one, "" when this is the last.
func cut[T any](rows []T, size int, key func(T) string) (page []T, next string) {
	if len(rows) <= size {
		return rows, ""
	}
	return rows[:size], key(rows[size-1])
}
