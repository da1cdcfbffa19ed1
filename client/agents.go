package client

import (
	"context"
	"net/url"
)

// Agent is a voice agent under test or in production.
type Agent struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	// SourceID is the agent's id in your own system or platform, nil when none was given.
	SourceID *string       `json:"sourceId"`
	Defaults AgentDefaults `json:"defaults"`
	// CreatedAt and UpdatedAt are milliseconds since 1970.
	CreatedAt int64 `json:"created_at"`
	UpdatedAt int64 `json:"updated_at"`
}

// AgentDefaults are what a run uses when the request does not say. In a change
// nil fields stay as they are, and a zero takes a setting back to its default.
type AgentDefaults struct {
	ToNumber *string `json:"to_number,omitempty"`
	Trunk    *string `json:"trunk,omitempty"`
	// CallerPrompt and Scorers are "slug", "slug@label" or "slug@3".
	CallerPrompt    *string   `json:"caller_prompt,omitempty"`
	Scorers         *[]string `json:"scorers,omitempty"`
	Repetitions     *int      `json:"repetitions,omitempty"`
	ConcurrentCalls *int      `json:"concurrent_calls,omitempty"`
	CallsPerSecond  *float64  `json:"calls_per_second,omitempty"`
	RingTimeoutMS   *int      `json:"ring_timeout_ms,omitempty"`
	// PassThreshold is from 0 to 1.
	PassThreshold *float64 `json:"pass_threshold,omitempty"`
	MinEvaluated  *int     `json:"min_evaluated,omitempty"`
}

// NewAgent is an agent to be created. SourceID may be empty.
type NewAgent struct {
	Name     string         `json:"name"`
	SourceID string         `json:"sourceId,omitempty"`
	Defaults *AgentDefaults `json:"defaults,omitempty"`
}

// AgentChange changes an agent; nil fields stay as they are.
type AgentChange struct {
	Name     *string        `json:"name,omitempty"`
	SourceID *string        `json:"sourceId,omitempty"`
	Defaults *AgentDefaults `json:"defaults,omitempty"`
}

// CreateAgent creates an agent.
func (c *Client) CreateAgent(ctx context.Context, a NewAgent, opts ...CallOption) (Agent, error) {
	var out Agent
	err := c.post(ctx, "/agents", a, &out, opts...)
	return out, err
}

// Agents lists agents, newest first.
func (c *Client) Agents(ctx context.Context, p PageOptions) (Page[Agent], error) {
	var out Page[Agent]
	err := c.get(ctx, "/agents", p.query(), &out)
	return out, err
}

// Agent is one agent.
func (c *Client) Agent(ctx context.Context, id string) (Agent, error) {
	var out Agent
	err := c.get(ctx, agentPath(id), nil, &out)
	return out, err
}

// UpdateAgent changes what the change names and returns the whole agent.
func (c *Client) UpdateAgent(ctx context.Context, id string, change AgentChange) (Agent, error) {
	var out Agent
	err := c.patch(ctx, agentPath(id), change, &out)
	return out, err
}

// DeleteAgent deletes an agent; its calls stay.
func (c *Client) DeleteAgent(ctx context.Context, id string) error {
	return c.remove(ctx, agentPath(id))
}

func agentPath(id string) string { return "/agents/" + url.PathEscape(id) }
