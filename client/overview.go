package client

import "context"

// Overview tells how things are now.
type Overview struct {
	Window
	// Verdict is "ok", "watch", "bad" or "unknown".
	Verdict   string   `json:"verdict"`
	Sentences []string `json:"sentences"`
	// Departures are what the sentences tell of, one each.
	Departures []Anomaly     `json:"departures"`
	Now        CallSummary   `json:"now"`
	Before     CallSummary   `json:"before"`
	Metrics    []MetricNow   `json:"metrics"`
	Agents     []AgentHealth `json:"agents"`
	// Values are values of dimensions whose calls are not as usual, the worst first.
	Values []ValueHealth `json:"values"`
}

// ValueHealth is how the calls with one value of a dimension are.
type ValueHealth struct {
	Dimension  string    `json:"dimension"`
	Value      string    `json:"value"`
	Verdict    string    `json:"verdict"`
	Sentences  []string  `json:"sentences"`
	Departures []Anomaly `json:"departures"`
}

// MetricNow is a figure of the last 24 hours against its baseline.
type MetricNow struct {
	Metric   string   `json:"metric"`
	Unit     string   `json:"unit"`
	N        int64    `json:"n"`
	Seen     *float64 `json:"seen"`
	Expected *float64 `json:"expected"`
	Low      *float64 `json:"low"`
	High     *float64 `json:"high"`
}

// AgentHealth is how one agent is.
type AgentHealth struct {
	AgentID    string    `json:"agent_id"`
	Verdict    string    `json:"verdict"`
	Sentences  []string  `json:"sentences"`
	Departures []Anomaly `json:"departures"`
	Calls      int64     `json:"calls"`
	Errors     Rate      `json:"errors"`
	Upset      Rate      `json:"upset"`
}

// Overview tells how things are at the end of the query's window.
func (c *Client) Overview(ctx context.Context, q MonitorQuery) (Overview, error) {
	var out Overview
	q.From = 0
	err := c.get(ctx, "/monitoring/overview", q.query(), &out)
	return out, err
}
