package monitor

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/trend"
)

// recently is what an overview means by now; usually is what it compares with.
const (
	recently = 24 * time.Hour
	usually  = 28 * dayLength
)

// Overview tells how things are now.
type Overview struct {
	About
	Verdict   string        `json:"verdict" doc:"ok, watch, bad or unknown"`
	Sentences []string      `json:"sentences" doc:"What there is to say, the worst first"`
	Now       Summary       `json:"now" doc:"The last 24 hours of the window"`
	Before    Summary       `json:"before" doc:"The 28 days before them"`
	Metrics   []MetricNow   `json:"metrics" doc:"The last 24 complete hours against the series' own baseline"`
	Agents    []AgentHealth `json:"agents" doc:"Each agent with calls in the last 24 hours, the worst first; left empty when the question is narrowed"`
}

// MetricNow is a figure of the last 24 complete hours against its baseline.
type MetricNow struct {
	Metric   string   `json:"metric"`
	Unit     string   `json:"unit"`
	N        int64    `json:"n"`
	Seen     *float64 `json:"seen" doc:"null when it rests on nothing, or is a share of fewer than 10"`
	Expected *float64 `json:"expected" doc:"Mean of the baseline over these hours, weighted by their calls (their sum, for calls); null when there is too little history"`
	Low      *float64 `json:"low" doc:"Mean of the lower ends of the hours' bands (their sum, for calls)"`
	High     *float64 `json:"high"`
}

// AgentHealth is how one agent is.
type AgentHealth struct {
	AgentID   string   `json:"agent_id" doc:"'-' stands for calls that no agent is linked to"`
	Verdict   string   `json:"verdict"`
	Sentences []string `json:"sentences"`
	Calls     int64    `json:"calls" doc:"In the last 24 hours"`
	Errors    Rate     `json:"errors"`
	Upset     Rate     `json:"upset"`
}

// Overview answers how things are at the end of the query's window, of which From is not used.
func (s *Service) Overview(ctx context.Context, workspaceID string, q Query) (Overview, error) {
	q.From = time.Time{}
	var out Overview
	err := s.o.Store.Read(ctx, func(tx Tx) error {
		p, err := s.check(ctx, tx, workspaceID, q, maxHourWindow)
		if err != nil {
			return err
		}
		out, err = s.overview(ctx, tx, p)
		return err
	})
	return out, err
}

func (s *Service) overview(ctx context.Context, tx Tx, p span) (Overview, error) {
	p.from = p.until.Add(-recently)
	waiting, err := pending(ctx, tx, p.workspaceID)
	if err != nil {
		return Overview{}, err
	}
	out := Overview{About: p.about(waiting), Metrics: []MetricNow{}, Agents: []AgentHealth{}}
	now, err := p.bucket(ctx, tx, p.Series, withSpreads)
	if err != nil {
		return Overview{}, err
	}
	earlier := p
	earlier.from, earlier.until = p.from.Add(-usually), p.from
	before, err := earlier.bucket(ctx, tx, p.Series, withSpreads)
	if err != nil {
		return Overview{}, err
	}
	out.Now, out.Before = summaryOf(now), summaryOf(before)
	if err := s.health(ctx, tx, p, &out); err != nil {
		return Overview{}, err
	}
	if p.Dim == "" {
		out.Agents, err = s.agents(ctx, tx, p)
	}
	return out, err
}

// health fills in what the stored report says.
func (s *Service) health(ctx context.Context, tx Tx, p span, out *Overview) error {
	out.Verdict, out.Sentences = string(trend.Unknown), []string{unknownSentence(p, &out.Now)}
	r, ok, err := tx.ReportOf(ctx, p.workspaceID, p.origin, p.Series)
	if err != nil || !ok || len(r.Found) == 0 {
		return err
	}
	var f found
	if err := json.Unmarshal(r.Found, &f); err != nil {
		return err
	}
	out.Verdict, out.Sentences = verdictAt(&f, p.until)
	if f.Now != nil && !r.Until.After(p.until) {
		out.Metrics = f.Now
	}
	return nil
}

func unknownSentence(p span, now *Summary) string {
	switch {
	case p.origin != string(call.Production):
		return "Simulated calls have no baseline: compare the runs they belong to."
	case p.Dim != "" && p.Dim != DimAgent:
		return "A dimension's value has no baseline kept; the anomalies of one metric can be asked for."
	case now.Calls == 0:
		return "There were no calls in the last 24 hours, and there is too little history to know whether that is usual."
	}
	return "There is too little history to know what is usual."
}

// verdictAt is the verdict and its reasons as they stood at a time.
func verdictAt(f *found, at time.Time) (string, []string) {
	reports := []trend.Report{{Enough: f.Verdict != trend.Unknown, Incidents: nil}}
	for _, in := range f.Incidents {
		if !in.Start.After(at) {
			reports[0].Incidents = append(reports[0].Incidents, in)
		}
	}
	h := trend.Judge(reports, at)
	if len(h.Concerns) == 0 {
		return string(h.Verdict), []string{sentence(h.Reason)}
	}
	var out []string
	for _, c := range h.Concerns {
		out = append(out, Sentence(c.Incident))
	}
	return string(h.Verdict), out
}

func sentence(reason string) string {
	if reason == "" {
		return ""
	}
	return strings.ToUpper(reason[:1]) + reason[1:] + "."
}

// Sentence says in plain words what departed from the usual.
func Sentence(in trend.Incident) string {
	what, unit := plainNames(in.Metric)
	since := "between " + in.Start.UTC().Format("2 Jan 15:04") + " and " + in.End.UTC().Format("2 Jan 15:04") + " UTC"
	if in.Open {
		since = "since " + in.Start.UTC().Format("2 Jan 15:04") + " UTC"
	}
	if in.Form == trend.Drift {
		return fmt.Sprintf("%s has been drifting %s: %s over its last seven days, where %s is usual (%s).",
			what, map[trend.Sign]string{trend.Up: "up", trend.Down: "down"}[in.Sign], plainFigure(in.Seen, unit), plainFigure(in.Expected, unit), since)
	}
	if in.Form == trend.Outage {
		return fmt.Sprintf("Calls stayed away %s: %s came, where about %s are usual.", since, plainFigure(in.Seen, unit), plainFigure(in.Expected, unit))
	}
	return fmt.Sprintf("%s was %s %s, where about %s is usual (%d calls).", what, plainFigure(in.Seen, unit), since, plainFigure(in.Expected, unit), in.N)
}

// plainNames are a metric's name in a sentence and its unit.
func plainNames(metric string) (name, unit string) {
	f, _ := figureOf(metric)
	switch metric {
	case "calls":
		return "The number of calls", f.unit
	case "error_rate":
		return "The share of calls that ended in an error", f.unit
	case "failed_rate":
		return "The share of calls that failed", f.unit
	case "drop_off_rate":
		return "The share of callers who left before their goal", f.unit
	case "upset_rate":
		return "The share of upset callers", f.unit
	case "valence":
		return "The callers' mood (−1 to 1)", f.unit
	case "latency_p50", "latency_p95":
		return "The " + middle(metric) + " turn latency", f.unit
	case "reported_latency_p50", "reported_latency_p95":
		return "The " + middle(metric) + " latency that the platform reports", f.unit
	case "duration_p50":
		return "The median length of calls", f.unit
	case "cost":
		return "The mean cost of a call", f.unit
	}
	return metric, f.unit
}

func middle(metric string) string {
	if strings.HasSuffix(metric, "p95") {
		return "95th percentile"
	}
	return "median"
}

func plainFigure(v float64, unit string) string {
	switch unit {
	case "share":
		return fmt.Sprintf("%.1f %%", 100*v)
	case "s":
		return fmt.Sprintf("%.2f s", v)
	case "usd":
		return fmt.Sprintf("$%.3f", v)
	case "calls":
		return fmt.Sprintf("%.0f", math.Round(v))
	}
	return fmt.Sprintf("%.2f", v)
}

// metricsNow sums the last 24 hours of the history up, with what their baselines let expect.
func metricsNow(history []watchedHour, reports []trend.Report, until time.Time) []MetricNow {
	from := until.Add(-recently)
	var now Bucket
	for i := range history {
		if !history[i].at.Before(from) {
			now.Add(&history[i].b.Counts)
			_ = now.takeSpreads(&history[i].b.Shape) // fails for numbers of calls that nobody has
		}
	}
	out := []MetricNow{}
	for _, r := range reports {
		f, _ := figureOf(r.Metric.Name)
		v, ok := f.seen(&now.Counts, &now.Shape)
		point := f.shown(from, &now.Counts, v, ok)
		m := MetricNow{Metric: f.Name, Unit: f.unit, N: point.N, Seen: point.Value}
		m.expect(&r, from)
		out = append(out, m)
	}
	return out
}

// expect fills in the baseline of the hours from from on.
func (m *MetricNow) expect(r *trend.Report, from time.Time) {
	var sum, low, high, weights float64
	for _, h := range r.Hours {
		if h.At.Before(from) {
			continue
		}
		if !h.Known || !finite(h.Expected, h.Low, h.High) {
			return
		}
		w := float64(h.N)
		if r.Metric.Kind == trend.Count {
			w = 1
		}
		sum, low, high, weights = sum+w*h.Expected, low+w*h.Low, high+w*h.High, weights+w
	}
	if weights == 0 {
		return
	}
	if r.Metric.Kind == trend.Count {
		weights = 1
	}
	sum, low, high = sum/weights, low/weights, high/weights
	m.Expected, m.Low, m.High = &sum, &low, &high
}

// agents are the agents with calls in the window, the worst first.
func (s *Service) agents(ctx context.Context, tx Tx, p span) ([]AgentHealth, error) {
	from, until := p.days()
	rows, err := tx.RollsByValue(ctx, p.workspaceID, p.origin, "", DimAgent, from, until)
	if err != nil {
		return nil, err
	}
	sums := map[string]*Counts{}
	for i := range rows {
		list, err := appendHours(nil, &rows[i], p.from, p.until)
		if err != nil {
			return nil, err
		}
		if sums[rows[i].Value] == nil {
			sums[rows[i].Value] = &Counts{}
		}
		for j := range list {
			sums[rows[i].Value].Add(&list[j].Counts)
		}
	}
	reports, err := tx.Reports(ctx, p.workspaceID, p.origin)
	if err != nil {
		return nil, err
	}
	return agentHealth(sums, reports, p.until)
}

func agentHealth(sums map[string]*Counts, reports []StoredReport, at time.Time) ([]AgentHealth, error) {
	byAgent := map[string]*found{}
	for _, r := range reports {
		if r.Dim != DimAgent || len(r.Found) == 0 {
			continue
		}
		byAgent[r.Value] = &found{}
		if err := json.Unmarshal(r.Found, byAgent[r.Value]); err != nil {
			return nil, err
		}
	}
	out := []AgentHealth{}
	for agent, c := range sums {
		a := AgentHealth{
			AgentID: agent, Verdict: string(trend.Unknown), Sentences: []string{}, Calls: c[Calls],
			Errors: rateOf(c[Errors], c[Calls]-c[Voided]), Upset: rateOf(c[UpsetCalls], c[FeltCalls]),
		}
		if f := byAgent[agent]; f != nil {
			a.Verdict, a.Sentences = verdictAt(f, at)
		}
		if a.Calls > 0 || a.Verdict == string(trend.Bad) {
			out = append(out, a)
		}
	}
	worst := []string{string(trend.Bad), string(trend.Look), string(trend.OK), string(trend.Unknown)}
	slices.SortFunc(out, func(a, b AgentHealth) int {
		return cmp.Or(cmp.Compare(slices.Index(worst, a.Verdict), slices.Index(worst, b.Verdict)), cmp.Compare(b.Calls, a.Calls), cmp.Compare(a.AgentID, b.AgentID))
	})
	return out, nil
}
