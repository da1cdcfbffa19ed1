package client

import (
	"context"
	"net/url"
)

// PassRate is the share of the calls that count which passed, with its 95 %
// interval; nil of nothing.
type PassRate struct {
	Passed    int      `json:"passed"`
	Evaluated int      `json:"evaluated"`
	Value     *float64 `json:"value"`
	Low       *float64 `json:"low"`
	High      *float64 `json:"high"`
}

// Shift is a difference, the later minus the earlier, with its 95 % interval.
// Outcome is "higher", "lower", "alike" or "not_enough".
type Shift struct {
	Value   *float64 `json:"value"`
	Low     *float64 `json:"low"`
	High    *float64 `json:"high"`
	P       float64  `json:"p"`
	Q       float64  `json:"q"`
	Outcome string   `json:"outcome"`
	Reason  string   `json:"reason"`
}

// RateCompared is a pass rate of two experiments. Change is "better", "worse", "same" or "unclear".
type RateCompared struct {
	Base       PassRate `json:"base"`
	With       PassRate `json:"with"`
	Difference Shift    `json:"difference"`
	Change     string   `json:"change"`
	// Both are the rates that the difference is of, nil when these are Base and With.
	Both *RatesOfBoth `json:"both,omitempty"`
}

// RatesOfBoth are two pass rates over the scenarios that have a verdict in both Voice Experiments.
type RatesOfBoth struct {
	Scenarios int      `json:"scenarios"`
	Base      PassRate `json:"base"`
	With      PassRate `json:"with"`
}

// Comparison is what changed from one Voice Experiment to another. Scenarios come in pages.
type Comparison struct {
	Base          Experiment         `json:"base"`
	With          Experiment         `json:"with"`
	PassRate      RateCompared       `json:"pass_rate"`
	Scorers       []ScorerCompared   `json:"scorers"`
	Metrics       []MetricCompared   `json:"metrics"`
	BaseVoid      []VoidReason       `json:"base_void"`
	WithVoid      []VoidReason       `json:"with_void"`
	ChangedCalls  []VerdictChange    `json:"changed_calls"`
	ChangedCount  int                `json:"changed_count"`
	Scenarios     []ScenarioCompared `json:"scenarios"`
	ScenarioCount int                `json:"scenario_count"`
	NextCursor    *string            `json:"next_cursor"`
	Notes         []string           `json:"notes"`
}

// ScorerCompared are the scores of one name in two experiments. A version is nil where there are none.
type ScorerCompared struct {
	Name        string `json:"name"`
	BaseVersion *int   `json:"base_version"`
	WithVersion *int   `json:"with_version"`
	RateCompared
}

// MetricCompared is a metric of two experiments. Better is "higher" or "lower", nil when
// neither way is. Change is "better", "worse", "same", "unclear" or "changed".
type MetricCompared struct {
	Name      string     `json:"name"`
	Unit      string     `json:"unit"`
	Better    *string    `json:"better"`
	Base      MetricSide `json:"base"`
	With      MetricSide `json:"with"`
	P50       Shift      `json:"p50"`
	P95       Shift      `json:"p95"`
	Scenarios int        `json:"scenarios"`
	// ByScenario is the mean change of the scenarios' medians.
	ByScenario Shift  `json:"by_scenario"`
	Change     string `json:"change"`
}

// MetricSide is a metric of one of two experiments; Version is 0 when that has no value of it.
type MetricSide struct {
	Version int        `json:"version"`
	Calls   int        `json:"calls"`
	Values  int        `json:"values"`
	P50     MetricStat `json:"p50"`
	P95     MetricStat `json:"p95"`
}

// MetricStat is a percentile with its 95 % interval; nil of nothing. An end that too few values bound
// is nil.
type MetricStat struct {
	Value *float64 `json:"value"`
	Low   *float64 `json:"low"`
	High  *float64 `json:"high"`
}

// VoidReason is why calls are no evidence.
type VoidReason struct {
	Reason  string   `json:"reason"`
	CallIDs []string `json:"call_ids"`
}

// ScenarioCompared is one scenario in both experiments. Change is "better",
// "worse", "same", "unclear", "added" or "removed".
type ScenarioCompared struct {
	BaseItemID *string `json:"base_item_id"`
	WithItemID *string `json:"with_item_id"`
	Key        string  `json:"key"`
	Title      string  `json:"title"`
	// Matched is how the two were found to be the same: "id", "key" or "content", nil when only one side has it.
	Matched     *string       `json:"matched"`
	Edited      bool          `json:"edited"`
	Base        VerdictCounts `json:"base"`
	With        VerdictCounts `json:"with"`
	BaseCallIDs []string      `json:"base_call_ids"`
	WithCallIDs []string      `json:"with_call_ids"`
	Difference  Shift         `json:"difference"`
	Change      string        `json:"change"`
}

// VerdictCounts are the calls of a scenario by verdict; Open are those without one: not settled yet, or canceled.
type VerdictCounts struct {
	Passed       int `json:"passed"`
	Failed       int `json:"failed"`
	Void         int `json:"void"`
	NotEvaluated int `json:"not_evaluated"`
	Open         int `json:"open"`
}

// VerdictChange is a call with another verdict than the same scenario and repetition had before.
type VerdictChange struct {
	DatasetItemID string `json:"dataset_item_id"`
	Title         string `json:"title"`
	Repetition    int    `json:"repetition"`
	BaseCallID    string `json:"base_call_id"`
	WithCallID    string `json:"with_call_id"`
	From          string `json:"from"`
	To            string `json:"to"`
	Change        string `json:"change"`
}

// Compare compares a Voice Experiment with an earlier one.
func (c *Client) Compare(ctx context.Context, base, with string, p PageOptions) (Comparison, error) {
	q := p.query()
	q.Set("base", base)
	q.Set("with", with)
	var out Comparison
	err := c.get(ctx, "/voice-experiments/compare", q, &out)
	return out, err
}

// Results is a Voice Experiment summed up. Scenarios come in pages. SteadyRate is the share of the
// scenarios of which every repetition passed.
type Results struct {
	Experiment    Experiment       `json:"voice_experiment"`
	PassRate      PassRate         `json:"pass_rate"`
	SteadyRate    PassRate         `json:"steady_rate"`
	Cost          Cost             `json:"cost"`
	Scorers       []ScorerResult   `json:"scorers"`
	Metrics       []MetricResult   `json:"metrics"`
	Void          []VoidReason     `json:"void"`
	Scenarios     []ScenarioResult `json:"scenarios"`
	ScenarioCount int              `json:"scenario_count"`
	NextCursor    *string          `json:"next_cursor"`
}

// ScenarioResult is a scenario with its calls.
type ScenarioResult struct {
	DatasetItemID string        `json:"dataset_item_id"`
	Key           string        `json:"key"`
	Title         string        `json:"title"`
	Counts        VerdictCounts `json:"counts"`
	PassRate      PassRate      `json:"pass_rate"`
	Calls         []CallResult  `json:"calls"`
}

// CallResult is one call of a scenario. Scores are in the order of Results.Scorers, nil
// where that scorer was not asked of this call.
type CallResult struct {
	ID            string       `json:"id"`
	Repetition    int          `json:"repetition"`
	Status        string       `json:"status"`
	ScoringStatus string       `json:"scoring_status"`
	Verdict       *string      `json:"verdict"`
	VerdictReason string       `json:"verdict_reason"`
	EndReason     *string      `json:"end_reason"`
	DurationMS    *int64       `json:"duration_ms"`
	TurnLatencyMS *int64       `json:"turn_latency_ms"`
	Scores        []*CallScore `json:"scores"`
}

// CallScore is a scorer's verdict on a call in short. AtMS is where its evidence begins, nil without any.
type CallScore struct {
	Verdict string   `json:"verdict"`
	Reason  string   `json:"reason"`
	Value   *float64 `json:"value"`
	Unit    *string  `json:"unit"`
	AtMS    *int64   `json:"at_ms"`
}

// ScorerResult are the scores of one name.
type ScorerResult struct {
	Name     string        `json:"name"`
	ScorerID string        `json:"scorer_id"`
	Version  int           `json:"version"`
	Required bool          `json:"required"`
	Counts   VerdictCounts `json:"counts"`
	PassRate PassRate      `json:"pass_rate"`
}

// MetricResult is how the values of a metric are spread over the calls that are evidence.
// Better is "higher" or "lower", nil when neither way is.
type MetricResult struct {
	Name   string     `json:"name"`
	Unit   string     `json:"unit"`
	Better *string    `json:"better"`
	Calls  int        `json:"calls"`
	Values int        `json:"values"`
	Mean   *float64   `json:"mean"`
	Min    *float64   `json:"min"`
	Max    *float64   `json:"max"`
	P50    MetricStat `json:"p50"`
	P90    MetricStat `json:"p90"`
	P95    MetricStat `json:"p95"`
	// Histogram is how many values lie where; the last stretch reaches to the largest.
	Histogram []MetricBin `json:"histogram"`
}

// MetricBin is how many values lie between two.
type MetricBin struct {
	From  float64 `json:"from"`
	Until float64 `json:"until"`
	Count int     `json:"count"`
}

// Results sums up a Voice Experiment.
func (c *Client) Results(ctx context.Context, id string, p PageOptions) (Results, error) {
	var out Results
	err := c.get(ctx, "/voice-experiments/"+url.PathEscape(id)+"/results", p.query(), &out)
	return out, err
}
