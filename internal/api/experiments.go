package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/ringtrue/ringtrue/internal/api/rest"
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/experiment"
	"github.com/ringtrue/ringtrue/internal/store"
)

// Experiment is a Voice Experiment with everything known about it.
type Experiment struct {
	ID             string           `json:"id"`
	Status         string           `json:"status" enum:"CREATED,RUNNING,SCORING,FINISHED,FAILED,SCORING_FAILED,CANCELED"`
	Verdict        *string          `json:"verdict" enum:"passed,failed,void,not_evaluated" doc:"null until the experiment is over"`
	Reason         string           `json:"reason" doc:"Why the verdict is what it is, in a sentence"`
	AgentID        *string          `json:"agent_id" doc:"null when its rooms were made for no agent in particular"`
	DatasetID      string           `json:"dataset_id"`
	DatasetVersion int              `json:"dataset_version"`
	Line           string           `json:"line" doc:"The way the calls travel: sip, room or loop"`
	ToNumber       *string          `json:"to_number" doc:"null in rooms"`
	Trunk          string           `json:"trunk" doc:"Empty in rooms"`
	Repetitions    int              `json:"repetitions"`
	RerunOf        *string          `json:"rerun_of" doc:"The experiment this one repeats"`
	Plan           ExperimentPlan   `json:"plan" doc:"What it was run with, as decided when it was created"`
	Counts         ExperimentCounts `json:"counts"`
	CreatedAt      *int64           `json:"created_at" doc:"Milliseconds since 1970"`
	StartedAt      *int64           `json:"started_at"`
	FinishedAt     *int64           `json:"finished_at"`
}

// ExperimentPlan is what an experiment was run with: the agent's test defaults, or what its request named in their place.
type ExperimentPlan struct {
	CallerPrompt    *string            `json:"caller_prompt" doc:"Prompt that played the caller of items without a script; null for the built-in one"`
	Scorers         []ExperimentScorer `json:"scorers" nullable:"false" doc:"Scorers of every call, beside what its item expects"`
	ConcurrentCalls *int               `json:"concurrent_calls" doc:"Calls to the agent at a time; null when the trunk's limit alone held"`
	CallsPerSecond  *float64           `json:"calls_per_second" doc:"Calls to the agent begun per second; null when the trunk's limit alone held"`
	RingTimeoutMS   *int               `json:"ring_timeout_ms"`
	PassThreshold   float64            `json:"pass_threshold" doc:"Pass rate that is needed, 0 to 1"`
	MinEvaluated    int                `json:"min_evaluated" doc:"Calls that must be evaluated"`
	AgentName       *string            `json:"agent_name" doc:"Agent worker that was sent into the rooms; null on the telephone, and where agents join by themselves"`
}

// ExperimentScorer is the version of a scorer that an experiment used.
type ExperimentScorer struct {
	Slug    string `json:"slug"`
	Name    string `json:"name"`
	Version int    `json:"version"`
	Kind    string `json:"kind"`
}

func wirePlan(p experiment.Plan) ExperimentPlan {
	d := p.Defaults
	out := ExperimentPlan{
		CallerPrompt: given(d.CallerPrompt), ConcurrentCalls: given(d.ConcurrentCalls), CallsPerSecond: given(d.CallsPerSecond),
		RingTimeoutMS: given(d.RingTimeoutMS), PassThreshold: d.PassThreshold, MinEvaluated: d.MinEvaluated,
		Scorers: make([]ExperimentScorer, len(p.Scorers)),
	}
	for i, c := range p.Scorers {
		out.Scorers[i] = ExperimentScorer{Slug: c.Slug, Name: c.Name, Version: c.Version, Kind: c.Kind}
	}
	if p.Rooms != nil {
		out.AgentName = given(p.Rooms.AgentName)
	}
	return out
}

// ExperimentCounts are the calls of an experiment by verdict.
type ExperimentCounts struct {
	Calls        int `json:"calls"`
	Passed       int `json:"passed"`
	Failed       int `json:"failed"`
	Void         int `json:"void" doc:"Calls that our own side spoilt; they count for nothing"`
	NotEvaluated int `json:"not_evaluated"`
}

func wireExperiment(e experiment.Experiment) Experiment {
	c := e.Counts
	return Experiment{
		ID: e.ID, Status: string(e.Status), Verdict: rest.OrNull(string(e.Verdict)), Reason: e.Reason,
		AgentID: rest.OrNull(e.AgentID), DatasetID: e.DatasetID, DatasetVersion: e.DatasetVersion,
		Line: e.Line, ToNumber: rest.OrNull(e.To), Trunk: e.Plan.Defaults.Trunk, Repetitions: max(e.Plan.Defaults.Repetitions, 1),
		RerunOf: rest.OrNull(e.RerunOf), Plan: wirePlan(e.Plan),
		Counts:    ExperimentCounts{Calls: c.Calls, Passed: c.Passed, Failed: c.Failed, Void: c.Void, NotEvaluated: c.NotEvaluated},
		CreatedAt: rest.Millis(e.CreatedAt), StartedAt: rest.Millis(e.StartedAt), FinishedAt: rest.Millis(e.FinishedAt),
	}
}

type listExperimentsInput struct {
	rest.PageQuery
	AgentID   string `query:"agent_id" maxLength:"128" doc:"Only of this agent"`
	DatasetID string `query:"dataset_id" maxLength:"128" doc:"Only of this dataset"`
	Status    string `query:"status" enum:"CREATED,RUNNING,SCORING,FINISHED,FAILED,SCORING_FAILED,CANCELED" doc:"Only in this state"`
	Verdict   string `query:"verdict" enum:"passed,failed,void,not_evaluated" doc:"Only with this verdict"`
}

// ExperimentPath names the experiment in the path. (The library passes over
// embedded types that are not exported.)
type ExperimentPath struct {
	ID string `path:"id" maxLength:"128" doc:"The Voice Experiment"`
}

// RerunRequest says what to repeat.
type RerunRequest struct {
	Only string `json:"only,omitempty" enum:"all,failed" default:"all" doc:"failed repeats only the items of calls that did not pass"`
}

type rerunInput struct {
	rest.CreateHeader
	ExperimentPath
	Body *RerunRequest
}

const tagExperiments = "Voice Experiments"

func (s *server) experimentRoutes() {
	if s.Experiments == nil {
		return
	}
	rest.Register(s.Server, huma.Operation{
		OperationID: "list-voice-experiments", Method: http.MethodGet, Path: "/voice-experiments", Tags: []string{tagExperiments},
		Summary: "List Voice Experiments, newest first",
	}, s.listExperiments)
	rest.Register(s.Server, huma.Operation{
		OperationID: "get-voice-experiment", Method: http.MethodGet, Path: "/voice-experiments/{id}", Tags: []string{tagExperiments},
		Summary: "Get everything about a Voice Experiment",
	}, s.getExperiment)
	rest.Register(s.Server, huma.Operation{
		OperationID: "cancel-voice-experiment", Method: http.MethodPost, Path: "/voice-experiments/{id}/cancel", Tags: []string{tagExperiments},
		Summary:     "Cancel a Voice Experiment",
		Description: "Calls that are waiting are not placed, and calls on the line are hung up.",
	}, s.cancelExperiment)
	rest.Register(s.Server, huma.Operation{
		OperationID: "rerun-voice-experiment", Method: http.MethodPost, Path: "/voice-experiments/{id}/rerun", Tags: []string{tagExperiments},
		Summary:       "Run a Voice Experiment again, all of it or what did not pass",
		DefaultStatus: http.StatusCreated,
	}, s.rerunExperiment)
	s.reportRoutes()
}

func (s *server) listExperiments(ctx context.Context, in *listExperimentsInput) (*rest.Body[rest.Page[Experiment]], error) {
	f := experiment.Filter{AgentID: in.AgentID, DatasetID: in.DatasetID, Status: experiment.Status(in.Status), Verdict: call.Verdict(in.Verdict)}
	list, next, err := s.Experiments.List(ctx, rest.WorkspaceOf(ctx), f, in.Limit, in.Cursor)
	if err != nil {
		return nil, err
	}
	return rest.Answer(rest.PageOf(rest.Mapped(list, wireExperiment), next)), nil
}

func (s *server) getExperiment(ctx context.Context, in *ExperimentPath) (*rest.Body[Experiment], error) {
	e, err := s.Experiments.Get(ctx, rest.WorkspaceOf(ctx), in.ID)
	return rest.Answer(wireExperiment(e)), err
}

func (s *server) cancelExperiment(ctx context.Context, in *ExperimentPath) (*rest.Body[Experiment], error) {
	e, err := s.Experiments.Cancel(ctx, rest.WorkspaceOf(ctx), in.ID)
	return rest.Answer(wireExperiment(e)), err
}

func (s *server) rerunExperiment(ctx context.Context, in *rerunInput) (*rest.Body[Experiment], error) {
	onlyFailed := in.Body != nil && in.Body.Only == "failed"
	return rest.Once(ctx, s.Server, rest.Creation{Key: in.IdempotencyKey, Operation: "rerun-voice-experiment", From: []any{in.ID, onlyFailed}},
		func(ctx context.Context) (*rest.Body[Experiment], error) {
			e, err := s.Experiments.Rerun(ctx, rest.WorkspaceOf(ctx), in.ID, onlyFailed)
			return rest.Answer(wireExperiment(e)), err
		},
		func(m store.Remembered) (*rest.Body[Experiment], error) {
			return s.getExperiment(ctx, &ExperimentPath{ID: m.ID})
		})
}
