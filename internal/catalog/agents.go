package catalog

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/ringtrue/ringtrue/internal/page"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

// AgentInput is a new agent. SourceID may be empty.
type AgentInput struct {
	Name     string
	SourceID string
	Defaults scenario.TestDefaults
}

// AgentPatch changes an agent; nil fields stay as they are.
type AgentPatch struct {
	Name     *string
	SourceID *string
	Defaults DefaultsPatch
}

// DefaultsPatch changes test defaults; nil fields stay as they are, and a zero
// value takes the setting back to its default.
type DefaultsPatch struct {
	ToNumber, Trunk, CallerPrompt *string
	// Scorers replaces the whole list.
	Scorers         *[]string
	Repetitions     *int
	ConcurrentCalls *int
	CallsPerSecond  *float64
	RingTimeoutMS   *int
	PassThreshold   *float64
	MinEvaluated    *int
}

// CreateAgent stores a new agent. A source id that another agent has is a problem.Conflict.
func (s *Service) CreateAgent(ctx context.Context, workspaceID string, in AgentInput) (scenario.Agent, error) {
	now := s.now()
	a := scenario.Agent{
		ID: s.newID(agentPrefix), WorkspaceID: workspaceID, Name: in.Name, SourceID: strings.TrimSpace(in.SourceID),
		Defaults: in.Defaults, CreatedAt: now, UpdatedAt: now,
	}
	err := s.store.Write(ctx, func(tx Tx) error {
		if err := checkAgent(ctx, tx, a); err != nil {
			return err
		}
		if err := tx.InsertAgent(ctx, a); err != nil {
			return err
		}
		return relink(ctx, tx, a, "")
	})
	if err != nil {
		return scenario.Agent{}, err
	}
	return a, nil
}

const (
	// jobRelink is the kind of job that gives an agent its earlier calls.
	jobRelink = "relink"
	// relinkAgain is when it runs once more, for calls that were just being stored.
	relinkAgain = 30 * time.Second
)

// relink has the calls that came before the agent had its source id given to it.
func relink(ctx context.Context, tx Tx, a scenario.Agent, before string) error {
	if a.SourceID == "" || a.SourceID == before {
		return nil
	}
	if err := tx.Enqueue(ctx, jobRelink, a.ID, 0); err != nil {
		return err
	}
	return tx.Enqueue(ctx, jobRelink, a.ID, relinkAgain)
}

// Agent returns the agent with the id.
func (s *Service) Agent(ctx context.Context, workspaceID, id string) (a scenario.Agent, err error) {
	err = s.store.Read(ctx, func(tx Tx) error {
		a, err = tx.AgentByID(ctx, workspaceID, id)
		return err
	})
	return a, err
}

// Agents lists agents, newest first. next is the cursor of the next page, "" after the last.
func (s *Service) Agents(ctx context.Context, workspaceID string, limit int, cursor string) (list []scenario.Agent, next string, err error) {
	size, err := page.Size(limit, cursor, page.ByID(agentPrefix))
	if err != nil {
		return nil, "", err
	}
	err = s.store.Read(ctx, func(tx Tx) error {
		list, err = tx.Agents(ctx, workspaceID, size+1, cursor)
		return err
	})
	if err != nil {
		return nil, "", err
	}
	list, next = page.Cut(list, size, func(a *scenario.Agent) string { return a.ID })
	return list, next, nil
}

// UpdateAgent changes what the patch names and returns the whole agent.
func (s *Service) UpdateAgent(ctx context.Context, workspaceID, id string, p AgentPatch) (a scenario.Agent, err error) {
	err = s.store.Write(ctx, func(tx Tx) error {
		if a, err = tx.LockAgent(ctx, workspaceID, id); err != nil {
			return err
		}
		before := a.SourceID
		set(&a.Name, p.Name)
		set(&a.SourceID, p.SourceID)
		a.SourceID = strings.TrimSpace(a.SourceID) // as calls name it
		p.Defaults.apply(&a.Defaults)
		a.UpdatedAt = s.now()
		if err := checkAgent(ctx, tx, a); err != nil {
			return err
		}
		if err := tx.UpdateAgent(ctx, a); err != nil {
			return err
		}
		return relink(ctx, tx, a, before)
	})
	if err != nil {
		return scenario.Agent{}, err
	}
	return a, nil
}

// DeleteAgent removes the agent from lists and lookups; its calls stay.
func (s *Service) DeleteAgent(ctx context.Context, workspaceID, id string) error {
	return s.store.Write(ctx, func(tx Tx) error { return tx.DeleteAgent(ctx, workspaceID, id, s.now()) })
}

func (p DefaultsPatch) apply(d *scenario.TestDefaults) {
	set(&d.ToNumber, p.ToNumber)
	set(&d.Trunk, p.Trunk)
	set(&d.CallerPrompt, p.CallerPrompt)
	set(&d.Scorers, p.Scorers)
	set(&d.Repetitions, p.Repetitions)
	set(&d.ConcurrentCalls, p.ConcurrentCalls)
	set(&d.CallsPerSecond, p.CallsPerSecond)
	set(&d.RingTimeoutMS, p.RingTimeoutMS)
	set(&d.PassThreshold, p.PassThreshold)
	set(&d.MinEvaluated, p.MinEvaluated)
}

func set[T any](to, from *T) {
	if from != nil {
		*to = *from
	}
}

// checkAgent names everything wrong with the agent, the prompts and scorers
// that do not exist included: versions are never deleted, so what resolves
// today resolves when the run starts.
func checkAgent(ctx context.Context, tx Tx, a scenario.Agent) error {
	fields := a.Validate("")
	for i := range fields {
		if fields[i].Path == "source_id" {
			fields[i].Path = "sourceId" // as clients write it
		}
	}
	if len(fields) > 0 {
		return problem.Invalid(fields...)
	}
	if ref := a.Defaults.CallerPrompt; ref != "" {
		_, err := tx.PromptByRef(ctx, a.WorkspaceID, ref)
		if fields, err = refField(fields, "defaults.caller_prompt", "prompt", ref, err); err != nil {
			return err
		}
	}
	for i, ref := range a.Defaults.Scorers {
		_, err := tx.ScorerByRef(ctx, a.WorkspaceID, ref)
		if fields, err = refField(fields, fmt.Sprintf("defaults.scorers[%d]", i), "scorer", ref, err); err != nil {
			return err
		}
	}
	if len(fields) > 0 {
		return problem.Invalid(fields...)
	}
	return nil
}

// refField turns a ref that does not resolve into a field at fault; other
// errors are returned.
func refField(fields []problem.Field, path, thing, ref string, err error) ([]problem.Field, error) {
	if err == nil {
		return fields, nil
	}
	if !problem.Is(err, problem.NotFound) {
		return fields, err
	}
	return append(fields, problem.Field{Path: path, Message: fmt.Sprintf("there is no %s %q", thing, ref)}), nil
}
