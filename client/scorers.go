package client

import (
	"context"
	"encoding/json"
	"net/url"
)

// Scorer is one version of a configured check.
type Scorer struct {
	ID      string `json:"id"`
	Slug    string `json:"slug"`
	Name    string `json:"name"`
	Kind    string `json:"kind"`
	Version int    `json:"version"`
	// Optional scorers inform but do not decide a call's verdict.
	Optional bool            `json:"optional"`
	Params   json.RawMessage `json:"params"`
	Labels   []string        `json:"labels"`
	// CreatedAt is milliseconds since 1970.
	CreatedAt int64 `json:"created_at"`
}

// NewScorer is the next version of a scorer, the first when the slug is new.
// Labels move to it.
type NewScorer struct {
	Slug     string `json:"slug"`
	Name     string `json:"name,omitempty"`
	Kind     string `json:"kind"`
	Optional bool   `json:"optional,omitempty"`
	// Params are the kind's own settings: anything that becomes a JSON object.
	Params any      `json:"params,omitempty"`
	Labels []string `json:"labels,omitempty"`
}

// CreateScorer creates a scorer, or its next version.
func (c *Client) CreateScorer(ctx context.Context, s NewScorer, opts ...CallOption) (Scorer, error) {
	var out Scorer
	err := c.post(ctx, "/scorers", s, &out, opts...)
	return out, err
}

// Scorers lists the newest version of each scorer, by slug.
func (c *Client) Scorers(ctx context.Context, p PageOptions) (Page[Scorer], error) {
	var out Page[Scorer]
	err := c.get(ctx, "/scorers", p.query(), &out)
	return out, err
}

// Scorer is a version of a scorer: at is a label or a version number, "" the newest.
func (c *Client) Scorer(ctx context.Context, slug, at string) (Scorer, error) {
	var out Scorer
	err := c.get(ctx, "/scorers/"+url.PathEscape(slug), atQuery(at), &out)
	return out, err
}

// ScorerVersions lists all versions of a scorer, newest first.
func (c *Client) ScorerVersions(ctx context.Context, slug string) ([]Scorer, error) {
	var out struct {
		Data []Scorer `json:"data"`
	}
	err := c.get(ctx, "/scorers/"+url.PathEscape(slug)+"/versions", nil, &out)
	return out.Data, err
}

// LabelScorer moves a label to a version of a scorer.
func (c *Client) LabelScorer(ctx context.Context, slug, label string, version int) (Scorer, error) {
	var out Scorer
	err := c.put(ctx, "/scorers/"+labelPath(slug, label), map[string]int{"version": version}, &out)
	return out, err
}

// ScorerKind is a kind of scorers with the parameters that it takes.
type ScorerKind struct {
	Kind string `json:"kind"`
	// Version changes when the same call can get another verdict.
	Version int    `json:"version"`
	Summary string `json:"summary"`
	// NeedsRecord says that it looks at the agent's own record of the call.
	NeedsRecord bool          `json:"needs_record"`
	Params      []ScorerParam `json:"params"`
}

// ScorerParam is a parameter of a kind of scorers.
type ScorerParam struct {
	Name     string `json:"name"`
	Type     string `json:"type"`
	Required bool   `json:"required"`
	Meaning  string `json:"meaning"`
}

// ScorerKinds are all kinds, by name.
func (c *Client) ScorerKinds(ctx context.Context) ([]ScorerKind, error) {
	var out struct {
		Data []ScorerKind `json:"data"`
	}
	err := c.get(ctx, "/scorer-kinds", nil, &out)
	return out.Data, err
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
