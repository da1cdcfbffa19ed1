package client

import (
	"context"
	"net/url"
)

// SavedView is a page of the web app, narrowed, under a name.
type SavedView struct {
	ID     string `json:"id"`
	Page   string `json:"page"`
	Name   string `json:"name"`
	Query  string `json:"query"`
	Shared bool   `json:"shared"`
	// Mine says that the view is the asking person's own, which none is for a key.
	Mine      bool  `json:"mine"`
	CreatedAt int64 `json:"created_at"`
	UpdatedAt int64 `json:"updated_at"`
}

// NewSavedView is a view to be saved.
type NewSavedView struct {
	Page  string `json:"page"`
	Name  string `json:"name"`
	Query string `json:"query"`
}

// SavedViewChange changes a view; nil fields stay as they are.
type SavedViewChange struct {
	Name   *string `json:"name,omitempty"`
	Query  *string `json:"query,omitempty"`
	Shared *bool   `json:"shared,omitempty"`
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

// UpdateSavedView changes one.
func (c *Client) UpdateSavedView(ctx context.Context, id string, change SavedViewChange) (SavedView, error) {
	var out SavedView
	err := c.patch(ctx, "/saved-views/"+url.PathEscape(id), change, &out)
	return out, err
}

// DeleteSavedView deletes one.
func (c *Client) DeleteSavedView(ctx context.Context, id string) error {
	return c.remove(ctx, "/saved-views/"+url.PathEscape(id))
}
