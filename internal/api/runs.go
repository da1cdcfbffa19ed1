package api

import (
	"context"
	"io"
	"net/http"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"github.com/ringtrue/ringtrue/internal/api/rest"
	"github.com/ringtrue/ringtrue/internal/experiment"
	"github.com/ringtrue/ringtrue/internal/store"
)

// Experiments starts and shows test runs. Everything of another workspace is problem.NotFound.
type Experiments interface {
	Start(ctx context.Context, workspaceID string, r experiment.StartRequest) (experiment.Experiment, error)
	Get(ctx context.Context, workspaceID, id string) (experiment.Experiment, error)
	// List returns newest first and the cursor of the next page, "" when there is none.
	List(ctx context.Context, workspaceID string, f experiment.Filter, limit int, cursor string) ([]experiment.Experiment, string, error)
	Cancel(ctx context.Context, workspaceID, id string) (experiment.Experiment, error)
	Rerun(ctx context.Context, workspaceID, id string, onlyFailed bool) (experiment.Experiment, error)
	Report(ctx context.Context, workspaceID, id string) (experiment.Report, error)
}

// RunRequest is the body of the run operation.
type RunRequest struct {
	ToNumber  string `json:"to_number" pattern:"^\\+[1-9][0-9]{6,14}$" patternDescription:"an international number: \"+\", then 7 to 15 digits" doc:"Phone number that the test calls dial, in international format" example:"+15550100"`
	DatasetID string `json:"dataset_id" minLength:"1" maxLength:"128" doc:"Id of the dataset of scenarios" example:"ds_01k0000000000000000000000"`
	// DatasetItemIDs narrow the run; the rest takes the place of the agent's test defaults.
	DatasetItemIDs  *[]string `json:"dataset_item_ids,omitempty" nullable:"false" minItems:"1" maxItems:"10000" doc:"Play only these items of the dataset; all when not given"`
	Repetitions     int       `json:"repetitions,omitempty" minimum:"1" maximum:"1000" doc:"Calls per dataset item; the agent's test default when not given, as for all settings below"`
	CallerPrompt    *string   `json:"caller_prompt,omitempty" maxLength:"128" doc:"Prompt that plays the caller of items without a script: slug, slug@label or slug@3 (a version); empty for the built-in one"`
	Scorers         *[]string `json:"scorers,omitempty" nullable:"false" maxItems:"100" doc:"Scorers of every call, each as slug, slug@label or slug@3 (a version); empty for none beside what the items expect"`
	Trunk           string    `json:"trunk,omitempty" maxLength:"200" doc:"Name of the trunk to call over"`
	ConcurrentCalls int       `json:"concurrent_calls,omitempty" minimum:"1" maximum:"10000" doc:"Most calls to the agent at a time"`
	CallsPerSecond  float64   `json:"calls_per_second,omitempty" minimum:"0.001" maximum:"1000" doc:"Most calls to the agent that begin per second"`
	RingTimeoutMS   int       `json:"ring_timeout_ms,omitempty" minimum:"1000" maximum:"300000" doc:"How long a call may ring, in milliseconds"`
	PassThreshold   float64   `json:"pass_threshold,omitempty" minimum:"0.000001" maximum:"1" doc:"Pass rate that is needed to pass, above 0 and up to 1"`
	MinEvaluated    int       `json:"min_evaluated,omitempty" minimum:"1" maximum:"10000000" doc:"How many calls must be evaluated for the experiment to pass; not more than it has calls"`
}

func (r RunRequest) start(agentID string) experiment.StartRequest {
	return experiment.StartRequest{
		AgentID: agentID, DatasetID: r.DatasetID, To: r.ToNumber, ItemIDs: orZero(r.DatasetItemIDs),
		Settings: experiment.Settings{
			Trunk: r.Trunk, CallerPrompt: r.CallerPrompt, Scorers: r.Scorers, Repetitions: r.Repetitions, ConcurrentCalls: r.ConcurrentCalls,
			CallsPerSecond: r.CallsPerSecond, RingTimeoutMS: r.RingTimeoutMS, PassThreshold: r.PassThreshold, MinEvaluated: r.MinEvaluated,
		},
	}
}

// RunStarted is the answer of the run operation.
type RunStarted struct {
	VoiceExperimentID string `json:"voice_experiment_id" doc:"Id of the Voice Experiment, the series of calls that has begun"`
}

// RunStatus is the short form of a Voice Experiment.
type RunStatus struct {
	ID     string `json:"id" doc:"Id of the Voice Experiment"`
	Status string `json:"status" enum:"CREATED,RUNNING,SCORING,FINISHED,FAILED,SCORING_FAILED,CANCELED" doc:"CREATED: no call has begun; RUNNING: calls are placed; SCORING: all calls are over, some wait for their review; FINISHED: every call is over and reviewed; FAILED: it could not run; SCORING_FAILED: no call could be scored; CANCELED"`
}

// RunCalls are the calls of a Voice Experiment.
type RunCalls struct {
	Calls []Call `json:"calls" doc:"One per dataset item and repetition, in the order of the dataset"`
}

type runInput struct {
	rest.CreateHeader
	AgentID string `path:"agent_id" maxLength:"128" doc:"Id of the agent to test"`
	Body    RunRequest
}

type runPath struct {
	ID string `path:"voice_experiment_id" maxLength:"128" doc:"Id of the Voice Experiment"`
}

const tagRuns = "Test runs"

func (s *server) runRoutes() {
	if s.Experiments == nil {
		return
	}
	rest.Register(s.Server, huma.Operation{
		OperationID: "run-voice-agent", Method: http.MethodPost, Path: "/voice-agent/{agent_id}/run", Tags: []string{tagRuns},
		Summary:     "Start a test run",
		Description: "Starts a series of parallel calls, one per dataset item and repetition. Settings that the request leaves out are the agent's test defaults.",
	}, s.run)
	rest.Register(s.Server, huma.Operation{
		OperationID: "get-voice-experiment-status", Method: http.MethodGet, Path: "/voice-experiment/{voice_experiment_id}", Tags: []string{tagRuns},
		Summary: "Get the status of a Voice Experiment",
	}, s.runStatus)
	rest.Register(s.Server, huma.Operation{
		OperationID: "get-voice-experiment-calls", Method: http.MethodGet, Path: "/voice-experiment/{voice_experiment_id}/calls", Tags: []string{tagRuns},
		Summary:     "Get the calls of a Voice Experiment",
		Description: "Meant for when the status is FINISHED; before that, the calls show how far they are.",
		Responses: map[string]*huma.Response{"200": {
			Description: "OK",
			Content:     map[string]*huma.MediaType{"application/json": {Schema: s.API.OpenAPI().Components.Schemas.Schema(typeOf[RunCalls](), true, "RunCalls")}},
		}},
	}, s.runCalls)
}

func (s *server) run(ctx context.Context, in *runInput) (*rest.Body[RunStarted], error) {
	request := in.Body.start(in.AgentID)
	return rest.Once(ctx, s.Server, rest.Creation{Key: in.IdempotencyKey, Operation: "run-voice-agent", From: request},
		func(ctx context.Context) (*rest.Body[RunStarted], error) {
			e, err := s.Experiments.Start(ctx, rest.WorkspaceOf(ctx), request)
			return rest.Answer(RunStarted{e.ID}), err
		},
		func(m store.Remembered) (*rest.Body[RunStarted], error) {
			return rest.Answer(RunStarted{m.ID}), nil
		})
}

func (s *server) runStatus(ctx context.Context, in *runPath) (*rest.Body[RunStatus], error) {
	e, err := s.Experiments.Get(ctx, rest.WorkspaceOf(ctx), in.ID)
	return rest.Answer(RunStatus{ID: e.ID, Status: string(e.Status)}), err
}

func (s *server) runCalls(ctx context.Context, in *runPath) (*huma.StreamResponse, error) {
	r, err := s.Experiments.Report(ctx, rest.WorkspaceOf(ctx), in.ID)
	if err != nil {
		return nil, err
	}
	return s.streamed("application/json", "", func(ctx context.Context, w io.Writer) error {
		return writeCalls(w, `{"calls":`, r.Reviewed(ctx, everyVerdict), func(c *experiment.CallResult) any { return s.wireCall(c.Call, c.Review) })
	}), nil
}

func typeOf[T any]() reflect.Type { return reflect.TypeFor[T]() }
