package client

import (
	"context"
	"net/url"
	"strconv"
)

// MonitorQuery narrows the questions of monitoring; its zero value asks for the
// production calls of the last seven days. Times are milliseconds since 1970.
type MonitorQuery struct {
	// Origin is "production" (the default) or "simulated".
	Origin string
	// AgentID is an agent's id, "-" for calls that no agent is linked to.
	AgentID     string
	From, Until int64
	// Dimension is "agent_version", "prompt", "model" or "metadata.KEY"; Value is which value of it.
	Dimension, Value string
}

func (q MonitorQuery) query(more ...string) url.Values {
	v := url.Values{}
	for name, at := range map[string]int64{"from": q.From, "until": q.Until} {
		if at != 0 {
			v.Set(name, strconv.FormatInt(at, 10))
		}
	}
	setIf(v, "origin", q.Origin)
	setIf(v, "agent_id", q.AgentID)
	setIf(v, "dimension", q.Dimension)
	setIf(v, "value", q.Value)
	for i := 0; i+1 < len(more); i += 2 {
		setIf(v, more[i], more[i+1])
	}
	return v
}

// Rate is a share of calls; Rate, Low and High are nil when it rests on fewer than 10.
type Rate struct {
	Count int64    `json:"count"`
	Of    int64    `json:"of"`
	Rate  *float64 `json:"rate"`
	Low   *float64 `json:"low"`
	High  *float64 `json:"high"`
}

// SecondsSpread is how values are spread, in seconds; all but N are nil when N is 0.
type SecondsSpread struct {
	N    int64    `json:"n"`
	Mean *float64 `json:"mean"`
	P50  *float64 `json:"p50"`
	P90  *float64 `json:"p90"`
	P95  *float64 `json:"p95"`
	P99  *float64 `json:"p99"`
}

// Mood is how callers felt.
type Mood struct {
	N           int64    `json:"n"`
	Negative    int64    `json:"negative"`
	Neutral     int64    `json:"neutral"`
	Positive    int64    `json:"positive"`
	Valence     *float64 `json:"valence"`
	Frustration *float64 `json:"frustration"`
	Upset       Rate     `json:"upset"`
}

// ReportedMood is how callers felt as the platforms say it, in a word for each call.
type ReportedMood struct {
	N        int64    `json:"n"`
	Negative int64    `json:"negative"`
	Neutral  int64    `json:"neutral"`
	Positive int64    `json:"positive"`
	Valence  *float64 `json:"valence"`
}

// CallSummary is everything counted of a number of calls.
type CallSummary struct {
	Calls           int64         `json:"calls"`
	Answered        Rate          `json:"answered"`
	Errors          Rate          `json:"errors"`
	Failed          Rate          `json:"failed"`
	Passed          Rate          `json:"passed"`
	Void            int64         `json:"void"`
	DropOff         Rate          `json:"drop_off"`
	Mood            Mood          `json:"mood"`
	ReportedMood    ReportedMood  `json:"reported_mood"`
	Duration        SecondsSpread `json:"duration"`
	Latency         SecondsSpread `json:"latency"`
	ReportedLatency SecondsSpread `json:"reported_latency"`
	Cost            struct {
		N        int64    `json:"n"`
		TotalUSD float64  `json:"total_usd"`
		MeanUSD  *float64 `json:"mean_usd"`
	} `json:"cost"`
	EndReasons map[string]int64 `json:"end_reasons"`
	Blame      map[string]int64 `json:"blame"`
}

// Window is what every answer of monitoring says about itself.
type Window struct {
	Origin    string  `json:"origin"`
	AgentID   *string `json:"agent_id"`
	Dimension *string `json:"dimension"`
	Value     *string `json:"value"`
	From      int64   `json:"from"`
	Until     int64   `json:"until"`
	// InOther says that Value is not among the first 100 of its dimension: its calls are counted as "other", not here.
	InOther bool `json:"in_other"`
	// Pending is how many hours are yet to be counted anew; 0 when the figures are up to date.
	Pending int `json:"pending"`
	// Unreviewed is how many calls wait for their review, of which no figure speaks yet; 1000 stands for 1000 and more.
	Unreviewed int `json:"unreviewed"`
}

// MonitorDimensions are the metadata keys that are dimensions.
type MonitorDimensions struct {
	MetadataKeys []string `json:"metadata_keys"`
	Adopting     bool     `json:"adopting"`
	// TimeZone is where the hours of the week are counted, "" for UTC.
	TimeZone string `json:"time_zone"`
}

// MonitorDimensions are the declared dimensions.
func (c *Client) MonitorDimensions(ctx context.Context) (MonitorDimensions, error) {
	var out MonitorDimensions
	err := c.get(ctx, "/monitoring/dimensions", nil, &out)
	return out, err
}

// SetMonitorDimensions declares metadata keys as dimensions, in place of those declared before. The time zone stays as it is.
func (c *Client) SetMonitorDimensions(ctx context.Context, keys []string) (MonitorDimensions, error) {
	return c.putDimensions(ctx, map[string]any{"metadata_keys": append([]string{}, keys...)})
}

// SetMonitorZone says where the hours of the week are counted, beside the keys that
// are to be dimensions; zone is a name of the IANA database, "" for UTC.
func (c *Client) SetMonitorZone(ctx context.Context, keys []string, zone string) (MonitorDimensions, error) {
	return c.putDimensions(ctx, map[string]any{"metadata_keys": append([]string{}, keys...), "time_zone": zone})
}

func (c *Client) putDimensions(ctx context.Context, body map[string]any) (MonitorDimensions, error) {
	var out MonitorDimensions
	err := c.put(ctx, "/monitoring/dimensions", body, &out)
	return out, err
}
