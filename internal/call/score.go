package call

import "time"

// Evidence points at the place in a call that explains a verdict.
type Evidence struct {
	// Turn is the index into Heard.Turns, -1 if the place is not in a turn.
	Turn int `json:"turn"`
	// Start and End are negative if the transcript has no times.
	Start time.Duration `json:"start"`
	End   time.Duration `json:"end"`
	// Quote is the words at that place, as heard.
	Quote string `json:"quote,omitempty"`
}

// Score is one scorer's verdict on one call.
type Score struct {
	ScorerID string  `json:"scorer_id"`
	Name     string  `json:"name"`
	Version  int     `json:"version"`
	Verdict  Verdict `json:"verdict"`
	// Required scores decide the call's verdict; the others are informative.
	Required bool `json:"required"`
	// Value is the figure behind the verdict in Unit ("s", "ratio", "count"), nil if there is none.
	Value    *float64   `json:"value,omitempty"`
	Unit     string     `json:"unit,omitempty"`
	Reason   string     `json:"reason"`
	Evidence []Evidence `json:"evidence,omitempty"`
	// Waits is true when the verdict may change once the agent's own record of the call arrives.
	Waits bool `json:"waits,omitempty"`
	// Asked is a digest of the question that a language model answered with this verdict, "" for all other scores.
	Asked string `json:"asked,omitempty"`
	// Unanswered is true when a language model was to be asked and did not answer. It is not stored.
	Unanswered bool `json:"-"`
}

// Metric is one measured figure of a call.
type Metric struct {
	Name    string `json:"name"`
	Version int    `json:"version"`
	Unit    string `json:"unit"`
	// Value is nil if the metric could not be evaluated; Reason then says why.
	Value  *float64 `json:"value,omitempty"`
	Reason string   `json:"reason,omitempty"`
	// Spread is set for metrics with many values (one per turn).
	Spread *Spread `json:"spread,omitempty"`
	// Places are the stretches of the call that the figure was computed from, one per element
	// of Spread.Values if there is a Spread.
	Places []Segment `json:"places,omitempty"`
}

// Spread summarises many values, in the metric's unit.
type Spread struct {
	N      int       `json:"n"`
	Mean   float64   `json:"mean"`
	P50    float64   `json:"p50"`
	P90    float64   `json:"p90"`
	P95    float64   `json:"p95"`
	P99    float64   `json:"p99"`
	Min    float64   `json:"min"`
	Max    float64   `json:"max"`
	Values []float64 `json:"values"`
}

// Review is everything a review found out about a call.
type Review struct {
	CallID  string   `json:"call_id"`
	Heard   Heard    `json:"heard"`
	Metrics []Metric `json:"metrics"`
	Scores  []Score  `json:"scores"`
	// ToolCalls come from the agent's own record of the call, nil until there is one.
	ToolCalls []ToolCall `json:"tool_calls,omitempty"`
	// Feeling is how the caller felt, nil if it was not assessed.
	Feeling *Feeling `json:"feeling,omitempty"`
	// Notes list what the review had to do without ("the recording could not be had").
	Notes   []string  `json:"notes,omitempty"`
	Verdict Verdict   `json:"verdict"`
	Reason  string    `json:"reason"`
	At      time.Time `json:"at"`
}

// Metric returns the named metric, or nil.
func (r *Review) Metric(name string) *Metric {
	for i := range r.Metrics {
		if r.Metrics[i].Name == name {
			return &r.Metrics[i]
		}
	}
	return nil
}
