package client

import (
	"context"
	"encoding/json"
	"net/url"
	"strconv"
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
	Title      string  `json:"title"`
	Edited     bool    `json:"edited"`
	Difference Shift   `json:"difference"`
	Change     string  `json:"change"`
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
	DatasetItemID string   `json:"dataset_item_id"`
	Title         string   `json:"title"`
	PassRate      PassRate `json:"pass_rate"`
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

// Span is between which figures the truth is likely to lie.
type Span struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// Estimate is what a test run would come to.
type Estimate struct {
	Calls            int  `json:"calls"`
	Minutes          Span `json:"minutes"`
	SecondsUntilDone Span `json:"seconds_until_done"`
	// Cost is nil when a price is missing; the notes say which.
	Cost  *CostRange `json:"cost"`
	Notes []string   `json:"notes"`
}

// Estimate tells what the run would come to; nothing is started.
func (c *Client) Estimate(ctx context.Context, agentID string, r RunRequest) (Estimate, error) {
	var out Estimate
	err := c.post(ctx, "/voice-agent/"+url.PathEscape(agentID)+"/estimate", r, &out)
	return out, err
}

// FromCalls names the calls that are to become scenarios.
type FromCalls struct {
	CallIDs       []string `json:"call_ids"`
	DryRun        bool     `json:"dry_run,omitempty"`
	RedactNumbers bool     `json:"redact_numbers,omitempty"`
}

// ItemsFromCalls are the scenarios that were made; DatasetVersion is nil when nothing was kept.
type ItemsFromCalls struct {
	DatasetVersion *int   `json:"dataset_version"`
	Items          []Item `json:"items"`
}

// ItemsFromCalls makes scenarios of calls.
func (c *Client) ItemsFromCalls(ctx context.Context, datasetID string, f FromCalls, opts ...CallOption) (ItemsFromCalls, error) {
	var out ItemsFromCalls
	err := c.post(ctx, "/datasets/"+url.PathEscape(datasetID)+"/from-calls", f, &out, opts...)
	return out, err
}

// ScorerTrial is a scorer that is not kept yet, and the call to try it on.
type ScorerTrial struct {
	Kind   string          `json:"kind"`
	Params json.RawMessage `json:"params,omitempty"`
	Name   string          `json:"name,omitempty"`
	CallID string          `json:"call_id"`
}

// TryScorer tells what a scorer would say of an old call; nothing is kept.
func (c *Client) TryScorer(ctx context.Context, t ScorerTrial) (Score, error) {
	var out struct{ Score Score }
	err := c.post(ctx, "/scorers/preview", t, &out)
	return out.Score, err
}

// PreviewScorer tells what a version of a scorer, the newest for 0, would say of an old call.
func (c *Client) PreviewScorer(ctx context.Context, slug, callID string, version int) (Score, error) {
	body := map[string]any{"call_id": callID}
	if version != 0 {
		body["version"] = version
	}
	var out struct{ Score Score }
	err := c.post(ctx, "/scorers/"+url.PathEscape(slug)+"/preview", body, &out)
	return out.Score, err
}

// SavedView is a page of the web app, narrowed, under a name.
type SavedView struct {
	ID     string `json:"id"`
	Page   string `json:"page"`
	Name   string `json:"name"`
	Query  string `json:"query"`
	Shared bool   `json:"shared"`
}

// NewSavedView is a view to be saved.
type NewSavedView struct {
	Page  string `json:"page"`
	Name  string `json:"name"`
	Query string `json:"query"`
}

// SavedViews lists the shared views, newest first; page "" is any.
func (c *Client) SavedViews(ctx context.Context, page string, p PageOptions) (Page[SavedView], error) {
	q := p.query()
	setIf(q, "page", page)
	var out Page[SavedView]
	err := c.get(ctx, "/saved-views", q, &out)
	return out, err
}

// CreateSavedView saves a view for everybody in the workspace.
func (c *Client) CreateSavedView(ctx context.Context, v NewSavedView, opts ...CallOption) (SavedView, error) {
	var out SavedView
	err := c.post(ctx, "/saved-views", v, &out, opts...)
	return out, err
}

// DeleteSavedView deletes one.
func (c *Client) DeleteSavedView(ctx context.Context, id string) error {
	return c.remove(ctx, "/saved-views/"+url.PathEscape(id))
}

// PeaksOf asks for a part of a recording's outline: n stretches from one ms to
// another; until 0 is the end.
func (c *Client) PeaksOf(ctx context.Context, id string, n int, from, until int64) (Peaks, error) {
	q := url.Values{"n": {strconv.Itoa(n)}}
	for name, at := range map[string]int64{"from_ms": from, "until_ms": until} {
		if at != 0 {
			q.Set(name, strconv.FormatInt(at, 10))
		}
	}
	var out Peaks
	err := c.get(ctx, callPath(id)+"/peaks", q, &out)
	return out, err
}
