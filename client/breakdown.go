package client

import "context"

// Breakdown tells the values of a dimension apart.
type Breakdown struct {
	Window
	By      string `json:"by"`
	Metric  string `json:"metric"`
	Unit    string `json:"unit"`
	Parts   []Part `json:"parts"`
	Without int64  `json:"without"`
	Bounded bool   `json:"bounded"`
}

// Part is the calls with one value.
type Part struct {
	Value           string      `json:"value"`
	Seen            *float64    `json:"seen"`
	N               int64       `json:"n"`
	First           int64       `json:"first"`
	Last            int64       `json:"last"`
	Summary         CallSummary `json:"summary"`
	AgainstRest     *Difference `json:"against_rest"`
	AgainstPrevious *Difference `json:"against_previous"`
}

// Difference is one side against another; Outcome is "higher", "lower", "alike" or "not_enough".
type Difference struct {
	Other   string   `json:"other"`
	Theirs  float64  `json:"theirs"`
	Delta   float64  `json:"delta"`
	Low     *float64 `json:"low"`
	High    *float64 `json:"high"`
	P       float64  `json:"p"`
	Q       float64  `json:"q"`
	Outcome string   `json:"outcome"`
	Better  *bool    `json:"better"`
	Reason  string   `json:"reason"`
}

// Breakdown tells how the values of a dimension differ in a metric; by "" is
// "agent", metric "" is "failed_rate".
func (c *Client) Breakdown(ctx context.Context, q MonitorQuery, by, metric string) (Breakdown, error) {
	var out Breakdown
	err := c.get(ctx, "/monitoring/breakdown", q.query("by", by, "metric", metric), &out)
	return out, err
}
