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
	ID             string           `json:"id" doc:"Id of the experiment"`
	Status         string           `json:"status" enum:"CREATED,RUNNING,SCORING,FINISHED,FAILED,SCORING_FAILED,CANCELED" doc:"CREATED: no call has begun; RUNNING: calls are placed; SCORING: all calls are over, some wait for their review; FINISHED: every call is over and reviewed; FAILED: it could not run; SCORING_FAILED: no call could be scored; CANCELED"`
	Verdict        *string          `json:"verdict" enum:"passed,failed,void,not_evaluated" doc:"passed: the pass rate reached its threshold over enough calls; failed: it did not; void: no call was evaluated, and this service spoilt at least one; not_evaluated: too few calls were evaluated. null until the experiment is over"`
	Reason         string           `json:"reason" doc:"Why the verdict is what it is, in a sentence; empty while there is none"`
	AgentID        *string          `json:"agent_id" doc:"The agent that is tested; null when its rooms were made for no agent in particular"`
	DatasetID      string           `json:"dataset_id" doc:"The dataset that is played"`
	DatasetVersion int              `json:"dataset_version" doc:"Version of the dataset"`
	Line           string           `json:"line" enum:"sip,room,loop" doc:"How the calls travel: sip (telephone), room or loop (in memory)"`
	ToNumber       *string          `json:"to_number" doc:"Number that the calls dial; null in rooms"`
	Trunk          string           `json:"trunk" doc:"Name of the trunk that the calls take; empty in rooms"`
	Repetitions    int              `json:"repetitions" doc:"Calls per dataset item"`
	RerunOf        *string          `json:"rerun_of" doc:"Id of the experiment that this one repeats; null when it repeats none"`
	Plan           ExperimentPlan   `json:"plan" doc:"The settings it was run with, as decided when it was created"`
	Counts         ExperimentCounts `json:"counts" doc:"Its calls by verdict"`
	CreatedAt      int64            `json:"created_at" doc:"Milliseconds since 1970, as all times here"`
	StartedAt      *int64           `json:"started_at" doc:"When its first call began; null before that"`
	FinishedAt     *int64           `json:"finished_at" doc:"When it was over; null while it is not"`
}

// ExperimentPlan is what an experiment was run with: the agent's test defaults, or what its request named in their place.
type ExperimentPlan struct {
	CallerPrompt    *string            `json:"caller_prompt" doc:"Prompt that plays the caller of items without a script; null for the built-in one"`
	Scorers         []ExperimentScorer `json:"scorers" nullable:"false" doc:"The scorers of every call, beside what its item expects"`
	ConcurrentCalls *int               `json:"concurrent_calls" doc:"Most calls to the agent at a time; null when only the trunk sets a limit"`
	CallsPerSecond  *float64           `json:"calls_per_second" doc:"Most calls to the agent that begin per second; null when only the trunk sets a limit"`
	RingTimeoutMS   *int               `json:"ring_timeout_ms" doc:"How long a call may ring, in milliseconds; null for the default of 30000"`
	PassThreshold   float64            `json:"pass_threshold" doc:"Pass rate that is needed to pass, 0 to 1"`
	MinEvaluated    int                `json:"min_evaluated" doc:"How many calls must be evaluated for it to pass"`
	AgentName       *string            `json:"agent_name" doc:"Name of the agent worker that is sent into each room; null on the telephone, and when agents join by themselves"`
}

// ExperimentScorer is the version of a scorer that an experiment used.
type ExperimentScorer struct {
	Slug    string `json:"slug" doc:"Permanent name of the scorer"`
	Name    string `json:"name" doc:"What it is called in scores"`
	Version int    `json:"version" doc:"Version that was used"`
	Kind    string `json:"kind" doc:"The kind of check"`
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
	Calls        int `json:"calls" doc:"All calls, also those without a verdict yet"`
	Passed       int `json:"passed" doc:"Calls that passed"`
	Failed       int `json:"failed" doc:"Calls that failed"`
	Void         int `json:"void" doc:"Calls that this service spoilt; they count neither for nor against the agent"`
	NotEvaluated int `json:"not_evaluated" doc:"Calls in which nothing could be checked"`
}

func wireExperiment(e experiment.Experiment) Experiment {
	c := e.Counts
	return Experiment{
		ID: e.ID, Status: string(e.Status), Verdict: rest.OrNull(string(e.Verdict)), Reason: e.Reason,
		AgentID: rest.OrNull(e.AgentID), DatasetID: e.DatasetID, DatasetVersion: e.DatasetVersion,
		Line: e.Line, ToNumber: rest.OrNull(e.To), Trunk: e.Plan.Defaults.Trunk, Repetitions: max(e.Plan.Defaults.Repetitions, 1),
		RerunOf: rest.OrNull(e.RerunOf), Plan: wirePlan(e.Plan),
		Counts:    ExperimentCounts{Calls: c.Calls, Passed: c.Passed, Failed: c.Failed, Void: c.Void, NotEvaluated: c.NotEvaluated},
		CreatedAt: rest.Moment(e.CreatedAt), StartedAt: rest.Millis(e.StartedAt), FinishedAt: rest.Millis(e.FinishedAt),
	}
}

type listExperimentsInput struct {
	rest.PageQuery
	AgentID   string `query:"agent_id" maxLength:"128" doc:"Only experiments with this agent"`
	DatasetID string `query:"dataset_id" maxLength:"128" doc:"Only experiments with this dataset"`
	Status    string `query:"status" enum:"CREATED,RUNNING,SCORING,FINISHED,FAILED,SCORING_FAILED,CANCELED" doc:"Only experiments in this state"`
	Verdict   string `query:"verdict" enum:"passed,failed,void,not_evaluated" doc:"Only experiments with this verdict"`
}

// ExperimentPath names the experiment in the path. (The library passes over
// embedded types that are not exported.)
type ExperimentPath struct {
	ID string `path:"id" maxLength:"128" doc:"Id of the Voice Experiment"`
}

// RerunRequest says what to repeat.
type RerunRequest struct {
	Only string `json:"only,omitempty" enum:"all,failed" default:"all" doc:"all repeats everything; failed repeats only the items of calls that did not pass"`
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
		Description: "Waiting calls are not placed, and calls on the line are hung up.",
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
