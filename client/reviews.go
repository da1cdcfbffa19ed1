package client

import (
	"context"
	"net/http"
	"net/url"
	"time"
)

// ReplayScope says which calls are to be reviewed again; zero fields do not
// narrow. Times are milliseconds since 1970 and are those of the calls' beginnings.
type ReplayScope struct {
	Since   int64  `json:"since,omitempty"`
	Until   int64  `json:"until,omitempty"`
	AgentID string `json:"agent_id,omitempty"`
	Origin  string `json:"origin,omitempty"`
	// OnlyOlderThanEngines leaves out calls whose latest review rests on the engines, metrics and scorers of now.
	OnlyOlderThanEngines bool `json:"only_older_than_engines,omitempty"`
}

// Replay is a review of history. Status is "RUNNING", "FINISHED" or "CANCELED".
type Replay struct {
	ID         string      `json:"id"`
	Status     string      `json:"status"`
	Scope      ReplayScope `json:"scope"`
	Total      int         `json:"total"`
	Reviewed   int         `json:"reviewed"`
	Skipped    int         `json:"skipped"`
	Failed     int         `json:"failed"`
	CreatedAt  int64       `json:"created_at"`
	UpdatedAt  int64       `json:"updated_at"`
	FinishedAt *int64      `json:"finished_at"`
}

// ReviewCall has a call reviewed again, soon.
func (c *Client) ReviewCall(ctx context.Context, callID string) error {
	return c.post(ctx, callPath(callID)+"/review", nil, nil)
}

// StartReplay begins to review history again.
func (c *Client) StartReplay(ctx context.Context, s ReplayScope, opts ...CallOption) (Replay, error) {
	var out Replay
	err := c.post(ctx, "/reviews", s, &out, opts...)
	return out, err
}

// Replay tells how far a review of history is.
func (c *Client) Replay(ctx context.Context, id string) (Replay, error) {
	var out Replay
	err := c.get(ctx, replayPath(id), nil, &out)
	return out, err
}

// Replays lists reviews of history, newest first.
func (c *Client) Replays(ctx context.Context, p PageOptions) (Page[Replay], error) {
	var out Page[Replay]
	err := c.get(ctx, "/reviews", p.query(), &out)
	return out, err
}

// CancelReplay stops a review of history; ResumeReplay goes on with it where it stopped.
func (c *Client) CancelReplay(ctx context.Context, id string) (Replay, error) {
	var out Replay
	err := c.do(ctx, request{method: http.MethodDelete, path: replayPath(id), safe: true}, &out)
	return out, err
}

// ResumeReplay goes on with a review of history that was stopped.
func (c *Client) ResumeReplay(ctx context.Context, id string) (Replay, error) {
	var out Replay
	err := c.post(ctx, replayPath(id)+"/resume", nil, &out)
	return out, err
}

// WaitReplay waits until a review of history is over, and tells each state that it saw.
// A service that is away for less than some minutes is waited for.
func (c *Client) WaitReplay(ctx context.Context, id string, tell func(Replay)) (Replay, error) {
	const pause = 500 * time.Millisecond
	for {
		r, err := c.outlasting().Replay(ctx, id)
		if err != nil {
			return r, err
		}
		if tell != nil {
			tell(r)
		}
		if r.Status != "RUNNING" {
			return r, nil
		}
		if err := c.wait(ctx, pause); err != nil {
			return r, err
		}
	}
}

func replayPath(id string) string { return "/reviews/" + url.PathEscape(id) }
