package client

import (
	"context"
	"strings"
)

// Trends are figures over time.
type Trends struct {
	Window
	Step     string      `json:"step"`
	TimeZone string      `json:"time_zone"`
	Total    CallSummary `json:"total"`
	Series   []TrendLine `json:"series"`
}

// TrendLine is one figure over time.
type TrendLine struct {
	Metric string       `json:"metric"`
	Unit   string       `json:"unit"`
	Points []TrendPoint `json:"points"`
}

// TrendPoint is a figure in one hour or day, with its baseline where one is known.
type TrendPoint struct {
	At       int64    `json:"at"`
	N        int64    `json:"n"`
	Count    *int64   `json:"count"`
	Value    *float64 `json:"value"`
	Expected *float64 `json:"expected"`
	Low      *float64 `json:"low"`
	High     *float64 `json:"high"`
}

// Trends are the metrics (none: all) by "hour" or "day"; zone is where days begin, "" for UTC.
func (c *Client) Trends(ctx context.Context, q MonitorQuery, step, zone string, metrics ...string) (Trends, error) {
	var out Trends
	err := c.get(ctx, "/monitoring/trends", q.query("step", step, "time_zone", zone, "metrics", strings.Join(metrics, ",")), &out)
	return out, err
}

// Anomalies are departures of series from their own baselines.
type Anomalies struct {
	Window
	Anomalies     []Anomaly `json:"anomalies"`
	CheckedSeries int       `json:"checked_series"`
	KnownSeries   int       `json:"known_series"`
	CheckedUntil  *int64    `json:"checked_until"`
	Reason        string    `json:"reason"`
}

// Anomaly is one departure; Form is "outage", "step" or "drift".
type Anomaly struct {
	AgentID *string `json:"agent_id"`
	// Dimension and Value are nil unless the calls with a value departed.
	Dimension *string `json:"dimension"`
	Value     *string `json:"value"`
	Metric    string  `json:"metric"`
	Unit      string  `json:"unit"`
	Form      string  `json:"form"`
	Severity  string  `json:"severity"`
	Worse     bool    `json:"worse"`
	Start     int64   `json:"start"`
	End       int64   `json:"end"`
	Open      bool    `json:"open"`
	ToldAt    int64   `json:"told_at"`
	N         int64   `json:"n"`
	Seen      float64 `json:"seen"`
	Expected  float64 `json:"expected"`
	Low       float64 `json:"low"`
	High      float64 `json:"high"`
	Score     float64 `json:"score"`
	Sure      float64 `json:"sure"`
	LikeDay   *string `json:"like_day"`
	OneCaller int64   `json:"one_caller"`
	Text      string  `json:"text"`
	Peak      struct {
		At       int64   `json:"at"`
		Seen     float64 `json:"seen"`
		Expected float64 `json:"expected"`
	} `json:"peak"`
}

// Anomalies tells what departed from the usual; metric "" stands for all.
func (c *Client) Anomalies(ctx context.Context, q MonitorQuery, metric string) (Anomalies, error) {
	var out Anomalies
	err := c.get(ctx, "/monitoring/anomalies", q.query("metric", metric), &out)
	return out, err
}
