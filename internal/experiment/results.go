package experiment

import (
	"context"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/price"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

// ResultRows are what the results of many calls are read from at once.
type ResultRows interface {
	// OutcomesOf are the calls of CallsOf with what came of them: without their line, recording
	// and metadata, and of their attempts the times of the answer and the end alone.
	OutcomesOf(ctx context.Context, experimentID string) ([]call.Call, error)
	// FoundOf is what the reviews of an experiment's calls found out, by call id.
	FoundOf(ctx context.Context, experimentID string) (map[string]Found, error)
	// PricesOf are the zero Prices where none are set.
	PricesOf(ctx context.Context, workspaceID string) (price.Prices, error)
	// PastCalls are the newest answered calls of an agent's tests that came to their end; how long
	// a canceled one lasted says nothing.
	PastCalls(ctx context.Context, workspaceID, agentID string, limit int) ([]PastCall, error)
}

// Found is a review without its words and places: small enough to hold those of
// all calls of an experiment. Its JSON form is a part of call.Review's.
type Found struct {
	CallID  string        `json:"call_id"`
	Scores  []FoundScore  `json:"scores"`
	Metrics []FoundMetric `json:"metrics"`
}

// FoundScore is a call.Score with the places of its evidence alone.
type FoundScore struct {
	ScorerID string       `json:"scorer_id"`
	Name     string       `json:"name"`
	Version  int          `json:"version"`
	Verdict  call.Verdict `json:"verdict"`
	Required bool         `json:"required"`
	Value    *float64     `json:"value,omitempty"`
	Unit     string       `json:"unit,omitempty"`
	Reason   string       `json:"reason"`
	Evidence []FoundPlace `json:"evidence"`
}

// FoundPlace is where a piece of evidence begins, since the answer.
type FoundPlace struct {
	Start time.Duration `json:"start"`
}

// FoundMetric is a call.Metric without its places.
type FoundMetric struct {
	Name    string       `json:"name"`
	Version int          `json:"version"`
	Unit    string       `json:"unit"`
	Value   *float64     `json:"value,omitempty"`
	Spread  *FoundSpread `json:"spread,omitempty"`
}

// FoundSpread is the values of a metric that has many in a call.
type FoundSpread struct {
	Values []float64 `json:"values"`
}

// Values are the metric's values in the call, none when it was not evaluated.
func (m *FoundMetric) Values() []float64 {
	switch {
	case m.Spread != nil && len(m.Spread.Values) > 0:
		return m.Spread.Values
	case m.Value != nil:
		return []float64{*m.Value}
	}
	return nil
}

// Results are an experiment with the verdicts and figures of its calls, in the
// order of its dataset.
type Results struct {
	Experiment Experiment
	Calls      []Result
	// Cost is of the calls that there have been so far.
	Cost Cost
}

// Result is one call of them. Found is nil while the call has not been reviewed.
type Result struct {
	Call  call.Call
	Item  scenario.Item
	Found *Found
}

// Results collects the verdicts and figures of an experiment; it may be asked for at any time.
func (s *Service) Results(ctx context.Context, workspaceID, id string) (Results, error) {
	var r Results
	err := s.Store.Read(ctx, func(tx Tx) error {
		e, found, err := playedOf(ctx, tx, workspaceID, id, tx.OutcomesOf, tx.FoundOf)
		if err != nil {
			return err
		}
		r = Results{Experiment: e, Calls: make([]Result, len(found))}
		for i, p := range found {
			r.Calls[i] = Result{Call: p.call, Item: p.item, Found: p.found}
		}
		today, err := tx.PricesOf(ctx, workspaceID)
		r.Cost = s.spent(r, today)
		return err
	})
	return r, err
}
