package client

import (
	"context"
	"maps"
	"net/url"
	"strconv"
	"strings"
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
	set := func(name, value string) {
		if value != "" && value != "0" {
			v.Set(name, value)
		}
	}
	set("origin", q.Origin)
	set("agent_id", q.AgentID)
	set("from", strconv.FormatInt(q.From, 10))
	set("until", strconv.FormatInt(q.Until, 10))
	set("dimension", q.Dimension)
	set("value", q.Value)
	for i := 0; i+1 < len(more); i += 2 {
		set(more[i], more[i+1])
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
	// Pending is how many hours are yet to be counted anew; 0 when the figures are up to date.
	Pending int `json:"pending"`
}

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
	err := c.get(ctx, "/monitoring/failures", q.query("limit", strconv.Itoa(limit)), &out)
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
	CallID      string  `json:"call_id"`
	AgentID     *string `json:"agent_id"`
	At          int64   `json:"at"`
	EndReason   string  `json:"end_reason"`
	Turn        int     `json:"turn"`
	Quote       string  `json:"quote"`
	Valence     float64 `json:"valence"`
	Frustration float64 `json:"frustration"`
}

// Upset lists the calls whose callers were upset, the latest first.
func (c *Client) Upset(ctx context.Context, q MonitorQuery, p PageOptions) (UpsetCallers, error) {
	var out UpsetCallers
	v := p.query()
	maps.Copy(v, q.query())
	err := c.get(ctx, "/monitoring/upset", v, &out)
	return out, err
}

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
