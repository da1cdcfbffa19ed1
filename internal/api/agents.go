package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/ringtrue/ringtrue/internal/api/rest"
	"github.com/ringtrue/ringtrue/internal/catalog"
	"github.com/ringtrue/ringtrue/internal/scenario"
	"github.com/ringtrue/ringtrue/internal/store"
)

// Agents keeps voice agents. Everything of another workspace is problem.NotFound.
type Agents interface {
	CreateAgent(ctx context.Context, workspaceID string, in catalog.AgentInput) (scenario.Agent, error)
	Agent(ctx context.Context, workspaceID, id string) (scenario.Agent, error)
	// Agents returns newest first and the cursor of the next page, "" when there is none.
	Agents(ctx context.Context, workspaceID string, limit int, cursor string) ([]scenario.Agent, string, error)
	UpdateAgent(ctx context.Context, workspaceID, id string, p catalog.AgentPatch) (scenario.Agent, error)
	DeleteAgent(ctx context.Context, workspaceID, id string) error
}

// Agent is a voice agent under test or in production.
type Agent struct {
	ID        string        `json:"id" doc:"Id of the agent"`
	Name      string        `json:"name" doc:"What the agent is called"`
	SourceID  *string       `json:"sourceId" doc:"Id of the agent in your own system or on its platform; null when it has none"`
	Defaults  AgentDefaults `json:"defaults" doc:"Test defaults: what a run uses where its request gives nothing"`
	CreatedAt int64         `json:"created_at" doc:"Milliseconds since 1970"`
	UpdatedAt int64         `json:"updated_at" doc:"When it was last changed, milliseconds since 1970"`
}

// AgentDefaults are what a run uses when the request does not say. In a patch
// only what is given changes; zero or empty takes a setting back to its default.
type AgentDefaults struct {
	ToNumber        *string   `json:"to_number,omitempty" doc:"Number that the web app and ringtrue run dial when they are given none, in international format" example:"+15550100"`
	Trunk           *string   `json:"trunk,omitempty" doc:"Name of the trunk to call over; the first one when not given"`
	CallerPrompt    *string   `json:"caller_prompt,omitempty" doc:"Prompt that plays the caller of items without a script: slug, slug@label or slug@3 (a version); the built-in one when not given"`
	Scorers         *[]string `json:"scorers,omitempty" doc:"Scorers of every call, each as slug, slug@label or slug@3 (a version)"`
	Repetitions     *int      `json:"repetitions,omitempty" doc:"Calls per dataset item; 1 when not given"`
	ConcurrentCalls *int      `json:"concurrent_calls,omitempty" doc:"Most calls to this agent at a time; when not given, only the trunk sets a limit"`
	CallsPerSecond  *float64  `json:"calls_per_second,omitempty" doc:"Most calls to this agent that begin per second; when not given, only the trunk sets a limit"`
	RingTimeoutMS   *int      `json:"ring_timeout_ms,omitempty" doc:"How long a call may ring, in milliseconds, 1000 to 300000; 30000 when not given"`
	PassThreshold   *float64  `json:"pass_threshold,omitempty" doc:"Pass rate that is needed to pass, above 0 and up to 1; 1 when not given"`
	MinEvaluated    *int      `json:"min_evaluated,omitempty" doc:"How many calls must be evaluated for an experiment to pass; 1 when not given. A run with fewer calls is refused, unless it plays only chosen items"`
}

// AgentCreate is a new agent.
type AgentCreate struct {
	Name     string         `json:"name" doc:"What to call it" example:"Front desk"`
	SourceID *string        `json:"sourceId,omitempty" doc:"Id of the agent in your own system or on its platform, unique in the workspace; call logs are linked to the agent by it"`
	Defaults *AgentDefaults `json:"defaults,omitempty" doc:"Test defaults: what a run uses where its request gives nothing"`
}

// AgentChange changes an agent; what is not given stays.
type AgentChange struct {
	Name     *string        `json:"name,omitempty" doc:"A new name"`
	SourceID *string        `json:"sourceId,omitempty" doc:"A new id of the agent in your own system or on its platform; empty takes it away"`
	Defaults *AgentDefaults `json:"defaults,omitempty" doc:"Test defaults to change; zero or empty takes a setting back to its default"`
}

type createAgentInput struct {
	rest.CreateHeader
	Body AgentCreate
}

// AgentPath names an agent. It is exported for the HTTP library, which passes over embedded types that are not.
type AgentPath struct {
	ID string `path:"id" maxLength:"128" doc:"Id of the agent"`
}

type changeAgentInput struct {
	AgentPath
	Body AgentChange
}

const tagAgents = "Agents"

func (s *server) agentRoutes() {
	if s.Agents == nil {
		return
	}
	rest.Register(s.Server, huma.Operation{
		OperationID: "create-agent", Method: http.MethodPost, Path: "/agents", Tags: []string{tagAgents},
		Summary: "Create an agent", DefaultStatus: http.StatusCreated,
	}, s.createAgent)
	rest.Register(s.Server, huma.Operation{
		OperationID: "list-agents", Method: http.MethodGet, Path: "/agents", Tags: []string{tagAgents},
		Summary: "List agents, newest first",
	}, s.listAgents)
	rest.Register(s.Server, huma.Operation{
		OperationID: "get-agent", Method: http.MethodGet, Path: "/agents/{id}", Tags: []string{tagAgents},
		Summary: "Get an agent",
	}, s.getAgent)
	rest.Register(s.Server, huma.Operation{
		OperationID: "update-agent", Method: http.MethodPatch, Path: "/agents/{id}", Tags: []string{tagAgents},
		Summary: "Change an agent", Description: "What the body leaves out stays as it is, also within defaults.",
	}, s.updateAgent)
	rest.Register(s.Server, huma.Operation{
		OperationID: "delete-agent", Method: http.MethodDelete, Path: "/agents/{id}", Tags: []string{tagAgents},
		Summary: "Delete an agent", Description: "Its calls are kept.", DefaultStatus: http.StatusNoContent,
	}, s.deleteAgent)
}

func (s *server) createAgent(ctx context.Context, in *createAgentInput) (*rest.Body[Agent], error) {
	created := catalog.AgentInput{Name: in.Body.Name, SourceID: orZero(in.Body.SourceID), Defaults: in.Body.Defaults.whole()}
	return rest.Once(ctx, s.Server, rest.Creation{Key: in.IdempotencyKey, Operation: "create-agent", From: in.Body},
		func(ctx context.Context) (*rest.Body[Agent], error) {
			a, err := s.Agents.CreateAgent(ctx, rest.WorkspaceOf(ctx), created)
			return rest.Answer(wireAgent(a)), err
		},
		func(m store.Remembered) (*rest.Body[Agent], error) { return s.getAgent(ctx, &AgentPath{ID: m.ID}) })
}

func (s *server) listAgents(ctx context.Context, in *rest.PageQuery) (*rest.Body[rest.Page[Agent]], error) {
	list, next, err := s.Agents.Agents(ctx, rest.WorkspaceOf(ctx), in.Limit, in.Cursor)
	if err != nil {
		return nil, err
	}
	return rest.Answer(rest.PageOf(rest.Mapped(list, wireAgent), next)), nil
}

func (s *server) getAgent(ctx context.Context, in *AgentPath) (*rest.Body[Agent], error) {
	a, err := s.Agents.Agent(ctx, rest.WorkspaceOf(ctx), in.ID)
	return rest.Answer(wireAgent(a)), err
}

func (s *server) updateAgent(ctx context.Context, in *changeAgentInput) (*rest.Body[Agent], error) {
	p := catalog.AgentPatch{Name: in.Body.Name, SourceID: in.Body.SourceID, Defaults: in.Body.Defaults.patch()}
	a, err := s.Agents.UpdateAgent(ctx, rest.WorkspaceOf(ctx), in.ID, p)
	return rest.Answer(wireAgent(a)), err
}

func (s *server) deleteAgent(ctx context.Context, in *AgentPath) (*struct{}, error) {
	return nil, s.Agents.DeleteAgent(ctx, rest.WorkspaceOf(ctx), in.ID)
}

func wireAgent(a scenario.Agent) Agent {
	d := a.Defaults
	out := Agent{
		ID: a.ID, Name: a.Name, SourceID: rest.OrNull(a.SourceID), CreatedAt: rest.Moment(a.CreatedAt), UpdatedAt: rest.Moment(a.UpdatedAt),
		Defaults: AgentDefaults{
			ToNumber: given(d.ToNumber), Trunk: given(d.Trunk), CallerPrompt: given(d.CallerPrompt), Repetitions: given(d.Repetitions),
			ConcurrentCalls: given(d.ConcurrentCalls), CallsPerSecond: given(d.CallsPerSecond), RingTimeoutMS: given(d.RingTimeoutMS),
			PassThreshold: given(d.PassThreshold), MinEvaluated: given(d.MinEvaluated),
		},
	}
	if len(d.Scorers) > 0 {
		out.Defaults.Scorers = &d.Scorers
	}
	return out
}

func (d *AgentDefaults) patch() catalog.DefaultsPatch {
	if d == nil {
		return catalog.DefaultsPatch{}
	}
	return catalog.DefaultsPatch{
		ToNumber: d.ToNumber, Trunk: d.Trunk, CallerPrompt: d.CallerPrompt, Scorers: d.Scorers, Repetitions: d.Repetitions,
		ConcurrentCalls: d.ConcurrentCalls, CallsPerSecond: d.CallsPerSecond, RingTimeoutMS: d.RingTimeoutMS,
		PassThreshold: d.PassThreshold, MinEvaluated: d.MinEvaluated,
	}
}

func (d *AgentDefaults) whole() scenario.TestDefaults {
	if d == nil {
		return scenario.TestDefaults{}
	}
	return scenario.TestDefaults{
		ToNumber: orZero(d.ToNumber), Trunk: orZero(d.Trunk), CallerPrompt: orZero(d.CallerPrompt), Scorers: orZero(d.Scorers),
		Repetitions: orZero(d.Repetitions), ConcurrentCalls: orZero(d.ConcurrentCalls), CallsPerSecond: orZero(d.CallsPerSecond),
		RingTimeoutMS: orZero(d.RingTimeoutMS), PassThreshold: orZero(d.PassThreshold), MinEvaluated: orZero(d.MinEvaluated),
	}
}

// orZero is what the pointer points to, or the zero value.
func orZero[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}

// given is the value, or nil when it is zero and so not set.
func given[T comparable](v T) *T {
	if v == *new(T) {
		return nil
	}
	return &v
}
