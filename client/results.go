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

// Comparison is what changed from one Voice Experiment to another: the parts that
// programs decide by. Scenarios come in pages.
type Comparison struct {
	Base          Experiment         `json:"base"`
	With          Experiment         `json:"with"`
	PassRate      RateCompared       `json:"pass_rate"`
	ChangedCalls  []VerdictChange    `json:"changed_calls"`
	ChangedCount  int                `json:"changed_count"`
	Scenarios     []ScenarioCompared `json:"scenarios"`
	ScenarioCount int                `json:"scenario_count"`
	NextCursor    *string            `json:"next_cursor"`
	Notes         []string           `json:"notes"`
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

// Results is a Voice Experiment summed up. Scenarios come in pages.
type Results struct {
	Experiment    Experiment       `json:"voice_experiment"`
	PassRate      PassRate         `json:"pass_rate"`
	Cost          Cost             `json:"cost"`
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
	Calls         []struct {
		ID         string  `json:"id"`
		Repetition int     `json:"repetition"`
		Verdict    *string `json:"verdict"`
	} `json:"calls"`
}

// Results sums up a Voice Experiment.
func (c *Client) Results(ctx context.Context, id string, p PageOptions) (Results, error) {
	var out Results
	err := c.get(ctx, "/voice-experiments/"+url.PathEscape(id)+"/results", p.query(), &out)
	return out, err
}
