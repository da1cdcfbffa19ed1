package client

import (
	"context"
	"maps"
)

// Failures are failing calls in groups of alike ones.
type Failures struct {
	Window
	Failed Rate           `json:"failed"`
	Groups []FailureGroup `json:"groups"`
	Other  int64          `json:"other"`
}

// FailureGroup are calls that failed alike.
type FailureGroup struct {
	Key                  string   `json:"key"`
	EndReason            string   `json:"end_reason"`
	Blame                string   `json:"blame"`
	Scorer               *string  `json:"scorer"`
	ReportedUnsuccessful bool     `json:"reported_unsuccessful"`
	LastWords            *string  `json:"last_words"`
	Calls                Rate     `json:"calls"`
	Examples             []string `json:"examples"`
	// Numbers are what CallFilter.FailingAlike takes to list the calls; there are none
	// for a group that holds what is beyond the number of groups told apart.
	Numbers []int `json:"numbers"`
}

// Failures tells how calls failed; limit 0 is the service's own.
func (c *Client) Failures(ctx context.Context, q MonitorQuery, limit int) (Failures, error) {
	var out Failures
	v := PageOptions{Limit: limit}.query()
	maps.Copy(v, q.query())
	err := c.get(ctx, "/monitoring/failures", v, &out)
	return out, err
}

// DropOff is where callers left before their goal.
type DropOff struct {
	Window
	Left     Rate   `json:"left"`
	Turns    Funnel `json:"turns"`
	Seconds  Funnel `json:"seconds"`
	Stages   Funnel `json:"stages"`
	LastActs []struct {
		Words string `json:"words"`
		Left  int64  `json:"left"`
		// Numbers are what CallFilter.LeftWords takes to list the calls behind it.
		Numbers []int `json:"numbers"`
	} `json:"last_acts"`
	OtherActs int64 `json:"other_acts"`
}

// Funnel is how callers leave, place by place.
type Funnel struct {
	Places []struct {
		Place   string   `json:"place"`
		Reached int64    `json:"reached"`
		Left    Rate     `json:"left"`
		Staying *float64 `json:"staying"`
	} `json:"places"`
	Steepest *int   `json:"steepest"`
	Reason   string `json:"reason"`
}

// DropOff tells where callers leave.
func (c *Client) DropOff(ctx context.Context, q MonitorQuery) (DropOff, error) {
	var out DropOff
	err := c.get(ctx, "/monitoring/drop-off", q.query(), &out)
	return out, err
}

// UpsetCallers are a page of the calls whose callers were upset.
type UpsetCallers struct {
	Window
	Mood       Mood        `json:"mood"`
	Data       []UpsetCall `json:"data"`
	NextCursor *string     `json:"next_cursor"`
}

// UpsetCall is a call whose caller was upset, with the place that shows it.
type UpsetCall struct {
	CallID    string  `json:"call_id"`
	AgentID   *string `json:"agent_id"`
	At        int64   `json:"at"`
	EndReason string  `json:"end_reason"`
	Turn      int     `json:"turn"`
	Quote     string  `json:"quote"`
	// Valence is nil when the caller's words could not be read.
	Valence     *float64 `json:"valence"`
	Frustration float64  `json:"frustration"`
}

// Upset lists the calls whose callers were upset, the latest first.
func (c *Client) Upset(ctx context.Context, q MonitorQuery, p PageOptions) (UpsetCallers, error) {
	var out UpsetCallers
	v := p.query()
	maps.Copy(v, q.query())
	err := c.get(ctx, "/monitoring/upset", v, &out)
	return out, err
}
