package client

import (
	"context"
	"net/url"
)

// Prompt is one version of a text: the caller's persona or a judge's instruction.
type Prompt struct {
	ID      string   `json:"id"`
	Slug    string   `json:"slug"`
	Version int      `json:"version"`
	Text    string   `json:"text"`
	Labels  []string `json:"labels"`
	// CreatedAt is milliseconds since 1970.
	CreatedAt int64 `json:"created_at"`
}

// NewPrompt is the next version of a prompt, the first when the slug is new.
// Labels move to it.
type NewPrompt struct {
	Slug   string   `json:"slug"`
	Text   string   `json:"text"`
	Labels []string `json:"labels,omitempty"`
}

// CreatePrompt creates a prompt, or its next version.
func (c *Client) CreatePrompt(ctx context.Context, p NewPrompt, opts ...CallOption) (Prompt, error) {
	var out Prompt
	err := c.post(ctx, "/prompts", p, &out, opts...)
	return out, err
}

// Prompts lists the newest version of each prompt, by slug.
func (c *Client) Prompts(ctx context.Context, p PageOptions) (Page[Prompt], error) {
	var out Page[Prompt]
	err := c.get(ctx, "/prompts", p.query(), &out)
	return out, err
}

// Prompt is a version of a prompt: at is a label or a version number, "" the newest.
func (c *Client) Prompt(ctx context.Context, slug, at string) (Prompt, error) {
	var out Prompt
	err := c.get(ctx, "/prompts/"+url.PathEscape(slug), atQuery(at), &out)
	return out, err
}

// PromptVersions lists all versions of a prompt, newest first.
func (c *Client) PromptVersions(ctx context.Context, slug string) ([]Prompt, error) {
	var out struct {
		Data []Prompt `json:"data"`
	}
	err := c.get(ctx, "/prompts/"+url.PathEscape(slug)+"/versions", nil, &out)
	return out.Data, err
}

// LabelPrompt moves a label to a version of a prompt.
func (c *Client) LabelPrompt(ctx context.Context, slug, label string, version int) (Prompt, error) {
	var out Prompt
	err := c.put(ctx, "/prompts/"+labelPath(slug, label), map[string]int{"version": version}, &out)
	return out, err
}

func atQuery(at string) url.Values {
	q := url.Values{}
	setIf(q, "at", at)
	return q
}

func labelPath(slug, label string) string {
	return url.PathEscape(slug) + "/labels/" + url.PathEscape(label)
}
