package client

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"
)

// RunRequest asks for a test run.
type RunRequest struct {
	// ToNumber is dialled by the test calls, in international format ("+15550100").
	ToNumber  string `json:"to_number"`
	DatasetID string `json:"dataset_id"`

	// DatasetItemIDs restrict the run to these items of the dataset; nil means all, and an empty list is refused.
	DatasetItemIDs []string `json:"dataset_item_ids,omitzero"`
	// The rest takes the place of the agent's test defaults; what is nil or 0 does not.
	Repetitions     int       `json:"repetitions,omitempty"`
	CallerPrompt    *string   `json:"caller_prompt,omitempty"`
	Scorers         *[]string `json:"scorers,omitempty"`
	Trunk           string    `json:"trunk,omitempty"`
	ConcurrentCalls int       `json:"concurrent_calls,omitempty"`
	CallsPerSecond  float64   `json:"calls_per_second,omitempty"`
	RingTimeoutMS   int       `json:"ring_timeout_ms,omitempty"`
	// PassThreshold is the pass rate that is needed, 0 to 1; MinEvaluated how many calls must be evaluated.
	PassThreshold float64 `json:"pass_threshold,omitempty"`
	MinEvaluated  int     `json:"min_evaluated,omitempty"`
}

// RunStarted names the Voice Experiment that was started.
type RunStarted struct {
	VoiceExperimentID string `json:"voice_experiment_id"`
}

// RunStatus is the short form of a Voice Experiment.
type RunStatus struct {
	ID     string `json:"id"`
	Status string `json:"status"`
}

// Over reports whether nothing more will happen.
func (s RunStatus) Over() bool { return isOver(s.Status) }

func isOver(status string) bool {
	switch status {
	case "FINISHED", "FAILED", "SCORING_FAILED", "CANCELED":
		return true
	}
	return false
}

// Experiment is a Voice Experiment with everything known about it. Times are
// milliseconds since 1970, nil when they have not come. In rooms there is no
// ToNumber, and an AgentID only when one was named.
type Experiment struct {
	ID             string  `json:"id"`
	Status         string  `json:"status"`
	Verdict        *string `json:"verdict"`
	Reason         string  `json:"reason"`
	AgentID        string  `json:"agent_id"`
	DatasetID      string  `json:"dataset_id"`
	DatasetVersion int     `json:"dataset_version"`
	Line           string  `json:"line"`
	ToNumber       string  `json:"to_number"`
	Trunk          string  `json:"trunk"`
	Repetitions    int     `json:"repetitions"`
	RerunOf        *string `json:"rerun_of"`
	Counts         Counts  `json:"counts"`
	CreatedAt      int64   `json:"created_at"`
	StartedAt      *int64  `json:"started_at"`
	FinishedAt     *int64  `json:"finished_at"`

	Plan ExperimentPlan `json:"plan"`
}

// ExperimentPlan is what an experiment was run with, as decided when it was
// created.
type ExperimentPlan struct {
	// AgentName is the agent worker that was sent into the rooms; nil on the
	// telephone, and where agents join by themselves.
	AgentName *string `json:"agent_name"`
	// CallerPrompt played the caller of items without a script; nil for the built-in one.
	CallerPrompt *string `json:"caller_prompt"`
	// Scorers are those of every call, beside what its item expects.
	Scorers []ExperimentScorer `json:"scorers"`
	// ConcurrentCalls and CallsPerSecond are nil when the trunk's limits alone held.
	ConcurrentCalls *int     `json:"concurrent_calls"`
	CallsPerSecond  *float64 `json:"calls_per_second"`
	RingTimeoutMS   *int     `json:"ring_timeout_ms"`
	// PassThreshold is the pass rate that is needed, 0 to 1; MinEvaluated how many calls must be evaluated.
	PassThreshold float64 `json:"pass_threshold"`
	MinEvaluated  int     `json:"min_evaluated"`
}

// ExperimentScorer is the version of a scorer that an experiment was given.
type ExperimentScorer struct {
	Slug    string `json:"slug"`
	Name    string `json:"name"`
	Version int    `json:"version"`
	Kind    string `json:"kind"`
}

// Over reports whether nothing more will happen.
func (e Experiment) Over() bool { return isOver(e.Status) }

// Counts are the calls of an experiment by verdict.
type Counts struct {
	Calls        int `json:"calls"`
	Passed       int `json:"passed"`
	Failed       int `json:"failed"`
	Void         int `json:"void"`
	NotEvaluated int `json:"not_evaluated"`
}

// Report is an experiment with its calls, each beside the item it played.
type Report struct {
	Experiment Experiment   `json:"voice_experiment"`
	Calls      []ReportCall `json:"calls"`
}

// ReportCall is one call of a report.
type ReportCall struct {
	Item ReportItem `json:"dataset_item"`
	Call Call       `json:"call"`
}

// ReportItem names the item a call played.
type ReportItem struct {
	ID   string `json:"id"`
	Key  string `json:"key"`
	Goal string `json:"goal"`
}

// ExperimentFilter narrows a list of experiments; zero fields do not narrow.
type ExperimentFilter struct {
	AgentID, DatasetID, Status, Verdict string
}

// Run starts a test run of the dataset against the agent.
func (c *Client) Run(ctx context.Context, agentID string, r RunRequest, opts ...CallOption) (RunStarted, error) {
	var out RunStarted
	err := c.post(ctx, "/voice-agent/"+url.PathEscape(agentID)+"/run", r, &out, opts...)
	return out, err
}

// RunStatus is the status of a Voice Experiment.
func (c *Client) RunStatus(ctx context.Context, experimentID string) (RunStatus, error) {
	var out RunStatus
	err := c.get(ctx, "/voice-experiment/"+url.PathEscape(experimentID), nil, &out)
	return out, err
}

// RunCalls are the calls of a Voice Experiment, in the order of its dataset.
func (c *Client) RunCalls(ctx context.Context, experimentID string) ([]Call, error) {
	var out struct {
		Calls []Call `json:"calls"`
	}
	err := c.get(ctx, "/voice-experiment/"+url.PathEscape(experimentID)+"/calls", nil, &out)
	return out.Calls, err
}

// Experiments lists Voice Experiments, newest first.
func (c *Client) Experiments(ctx context.Context, f ExperimentFilter, p PageOptions) (Page[Experiment], error) {
	q := p.query()
	setIf(q, "agent_id", f.AgentID)
	setIf(q, "dataset_id", f.DatasetID)
	setIf(q, "status", f.Status)
	setIf(q, "verdict", f.Verdict)
	var out Page[Experiment]
	err := c.get(ctx, "/voice-experiments", q, &out)
	return out, err
}

// Experiment is everything about one Voice Experiment.
func (c *Client) Experiment(ctx context.Context, id string) (Experiment, error) {
	var out Experiment
	err := c.get(ctx, experimentPath(id), nil, &out)
	return out, err
}

// Cancel ends a Voice Experiment: waiting calls are not placed, calls on the line are hung up.
func (c *Client) Cancel(ctx context.Context, id string) (Experiment, error) {
	var out Experiment
	err := c.post(ctx, experimentPath(id)+"/cancel", nil, &out)
	return out, err
}

// Rerun starts the experiment again: all of it, or only the items of calls that did not pass.
func (c *Client) Rerun(ctx context.Context, id string, onlyFailed bool, opts ...CallOption) (Experiment, error) {
	only := "all"
	if onlyFailed {
		only = "failed"
	}
	var out Experiment
	err := c.post(ctx, experimentPath(id)+"/rerun", map[string]string{"only": only}, &out, opts...)
	return out, err
}

// Report is the report of an experiment; before its end it shows what is known so far.
func (c *Client) Report(ctx context.Context, id string) (Report, error) {
	var out Report
	err := c.get(ctx, experimentPath(id)+"/report", nil, &out)
	return out, err
}

// ReportJUnit is the report as JUnit XML.
func (c *Client) ReportJUnit(ctx context.Context, id string) (report []byte, err error) {
	r := request{
		method: http.MethodGet, path: experimentPath(id) + "/report", query: url.Values{"format": {"junit"}}, accept: "application/xml", safe: true,
	}
	err = c.try(ctx, r, func(resp *http.Response) (err error) {
		defer resp.Body.Close() //nolint:errcheck // nothing is lost on a body that was read
		a := &reply{body: resp.Body, left: maxAnswer}
		if report, err = io.ReadAll(a); err != nil {
			return a.told(r)
		}
		return nil
	})
	return report, err
}

func experimentPath(id string) string { return "/voice-experiments/" + url.PathEscape(id) }

// pollEvery is how often WaitFinished asks.
const pollEvery = time.Second

// WaitFinished asks until the experiment is over and returns it. seen, when
// not nil, is told every state that is read. An experiment that ends in
// another state than FINISHED is not an error here: look at its Status. A service
// that is away for less than some minutes is waited for.
func (c *Client) WaitFinished(ctx context.Context, id string, seen func(Experiment)) (Experiment, error) {
	for {
		e, err := c.outlasting().Experiment(ctx, id)
		if err != nil {
			return e, err
		}
		if seen != nil {
			seen(e)
		}
		if e.Over() {
			return e, nil
		}
		if err := c.wait(ctx, pollEvery); err != nil {
			return e, fmt.Errorf("gave up waiting for %s, which is %s: %w", id, e.Status, err)
		}
	}
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
