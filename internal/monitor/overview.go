package monitor

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

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
	Verdict    string        `json:"verdict" doc:"ok, watch, bad or unknown; at least watch while an agent or a value of a dimension is not ok"`
	Sentences  []string      `json:"sentences" doc:"What there is to say, the worst first"`
	Departures []Anomaly     `json:"departures" doc:"What the sentences tell of, one each and in their order; empty when they tell of no departure"`
	Now        Summary       `json:"now" doc:"The last 24 hours of the window"`
	Before     Summary       `json:"before" doc:"The 28 days before them"`
	Metrics    []MetricNow   `json:"metrics" doc:"The last 24 complete hours against the series' own baseline"`
	Agents     []AgentHealth `json:"agents" doc:"Each agent with calls in the last 24 hours, the worst first; left empty when the question is narrowed"`
	Values     []ValueHealth `json:"values" doc:"Values of dimensions (a version, a customer) whose calls are not as usual, the worst first; left empty when the question is narrowed"`
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
	AgentID    string    `json:"agent_id" doc:"'-' stands for calls that no agent is linked to"`
	Verdict    string    `json:"verdict"`
	Sentences  []string  `json:"sentences"`
	Departures []Anomaly `json:"departures" doc:"What the sentences tell of, one each and in their order; empty when they tell of no departure"`
	Calls      int64     `json:"calls" doc:"In the last 24 hours"`
	Errors     Rate      `json:"errors"`
	Upset      Rate      `json:"upset"`
}

// ValueHealth is how the calls with one value of a dimension are.
type ValueHealth struct {
	Dimension  string    `json:"dimension"`
	Value      string    `json:"value"`
	Verdict    string    `json:"verdict" doc:"bad or watch"`
	Sentences  []string  `json:"sentences"`
	Departures []Anomaly `json:"departures" doc:"What the sentences tell of, one each and in their order"`
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
	out := Overview{About: p.about(waiting), Metrics: []MetricNow{}, Agents: []AgentHealth{}, Values: []ValueHealth{}}
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
		err = s.parts(ctx, tx, p, &out)
	}
	return out, err
}

// maxPartsTold is of how many agents and values the sentences of all calls speak.
const maxPartsTold = 10

// parts fills in how each agent is, and which values of dimensions are not as
// usual: what few calls have hardly shows in all of them together.
func (s *Service) parts(ctx context.Context, tx Tx, p span, out *Overview) error {
	reports, err := tx.Reports(ctx, p.workspaceID, p.origin)
	if err != nil {
		return err
	}
	if out.Agents, err = s.agents(ctx, tx, p, reports); err != nil {
		return err
	}
	if out.Values, err = valuesNotUsual(reports, p.until); err != nil {
		return err
	}
	var told said
	for _, a := range out.Agents {
		if notUsual(a.Verdict) && len(a.Departures) > 0 {
			told.add("Agent "+a.AgentID, a.Sentences[0], a.Departures[0])
		}
	}
	for _, v := range out.Values {
		told.add(spoken(v.Dimension)+" "+v.Value, v.Sentences[0], v.Departures[0])
	}
	if len(told.sentences) == 0 {
		return nil
	}
	if !notUsual(out.Verdict) {
		out.Verdict, out.Sentences, out.Departures = string(trend.Look), []string{}, []Anomaly{}
	}
	out.Sentences = append(out.Sentences, told.sentences[:min(len(told.sentences), maxPartsTold)]...)
	out.Departures = append(out.Departures, told.departures[:min(len(told.departures), maxPartsTold)]...)
	return nil
}

// said is what there is to say: a sentence for each departure.
type said struct {
	sentences  []string
	departures []Anomaly
}

func (s *said) add(of, sentence string, departure Anomaly) {
	s.sentences = append(s.sentences, of+": "+sentence)
	s.departures = append(s.departures, departure)
}

// spoken is a dimension's name at the beginning of a sentence.
func spoken(dimension string) string {
	return strings.ReplaceAll(capital(strings.TrimPrefix(dimension, DimKey)), "_", " ")
}

func notUsual(verdict string) bool {
	return verdict == string(trend.Bad) || verdict == string(trend.Look)
}

// valuesNotUsual are the values of dimensions whose calls are not as usual, the worst first.
func valuesNotUsual(reports []StoredReport, at time.Time) ([]ValueHealth, error) {
	out := []ValueHealth{}
	for _, r := range reports {
		if !isPart(r.Dim) || len(r.Found) == 0 {
			continue
		}
		var f found
		if err := json.Unmarshal(r.Found, &f); err != nil {
			return nil, err
		}
		verdict, told := verdictAt(&f, &r.Series, at)
		if notUsual(verdict) {
			out = append(out, ValueHealth{Dimension: r.Dim, Value: r.Value, Verdict: verdict, Sentences: told.sentences, Departures: told.departures})
		}
	}
	slices.SortStableFunc(out, func(a, b ValueHealth) int { return worse(a.Verdict, b.Verdict) })
	return out, nil
}

// worse orders verdicts, the worst first.
func worse(a, b string) int {
	order := []string{string(trend.Bad), string(trend.Look), string(trend.OK), string(trend.Unknown)}
	return cmp.Compare(slices.Index(order, a), slices.Index(order, b))
}

// health fills in what the stored report says.
func (s *Service) health(ctx context.Context, tx Tx, p span, out *Overview) error {
	out.Verdict, out.Sentences, out.Departures = string(trend.Unknown), []string{unknownSentence(p, &out.Now)}, []Anomaly{}
	r, ok, err := tx.ReportOf(ctx, p.workspaceID, p.origin, p.Series)
	if err != nil || !ok || len(r.Found) == 0 {
		return err
	}
	var f found
	if err := json.Unmarshal(r.Found, &f); err != nil {
		return err
	}
	verdict, told := verdictAt(&f, &p.Series, p.until)
	out.Verdict, out.Sentences, out.Departures = verdict, told.sentences, told.departures
	if f.Now != nil && !r.Until.After(p.until) {
		out.Metrics = f.Now
	}
	return nil
}

func unknownSentence(p span, now *Summary) string {
	switch {
	case p.origin != string(call.Production):
		return "Simulated calls have no baseline: compare the runs they belong to."
	case p.Dim != "" && p.Agent != "":
		return "One agent's calls with a value have no baseline kept; the anomalies of one metric can be asked for."
	case now.Calls == 0:
		return "There were no calls in the last 24 hours, and there is too little history to know whether that is usual."
	}
	return "There is too little history to know what is usual."
}

// verdictAt is the verdict on a series and its reasons as they stood at a time.
func verdictAt(f *found, series *Series, at time.Time) (string, said) {
	reports := []trend.Report{{Enough: f.Verdict != trend.Unknown, Incidents: nil}}
	for _, in := range f.Incidents {
		if !in.Start.After(at) {
			reports[0].Incidents = append(reports[0].Incidents, in)
		}
	}
	h := trend.Judge(reports, at)
	if len(h.Concerns) == 0 {
		return string(h.Verdict), said{[]string{sentence(h.Reason)}, []Anomaly{}}
	}
	var out said
	for _, c := range h.Concerns {
		out.sentences = append(out.sentences, Sentence(c.Incident))
		out.departures = append(out.departures, anomalyOf(c.Incident, series))
	}
	return string(h.Verdict), out
}

func sentence(reason string) string {
	if reason == "" {
		return ""
	}
	return capital(reason) + "."
}

// capital begins a sentence.
func capital(words string) string {
	first, size := utf8.DecodeRuneInString(words)
	if size == 0 {
		return ""
	}
	return string(unicode.ToUpper(first)) + words[size:]
}

// metricsNow sums the last 24 hours of the history up, with what their baselines let expect.
func metricsNow(history []watchedHour, reports []trend.Report, until time.Time) []MetricNow {
	from := until.Add(-recently)
	var now Bucket
	for i := range history {
		if at := history[i].at; !at.Before(from) && at.Before(until) {
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
		m.expect(&r, from, until)
		out = append(out, m)
	}
	return out
}

// expect fills in the baseline of the hours between the two.
func (m *MetricNow) expect(r *trend.Report, from, until time.Time) {
	var sum, low, high, weights float64
	for _, h := range r.Hours {
		if h.At.Before(from) || !h.At.Before(until) {
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
func (s *Service) agents(ctx context.Context, tx Tx, p span, reports []StoredReport) ([]AgentHealth, error) {
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
			Departures: []Anomaly{},
			Errors:     rateOf(c[Errors], c[Calls]-c[Voided]), Upset: rateOf(c[UpsetCalls], c[FeltCalls]),
		}
		if f := byAgent[agent]; f != nil {
			verdict, told := verdictAt(f, &Series{Dim: DimAgent, Value: agent}, at)
			a.Verdict, a.Sentences, a.Departures = verdict, told.sentences, told.departures
		}
		if a.Calls > 0 || a.Verdict == string(trend.Bad) {
			out = append(out, a)
		}
	}
	slices.SortFunc(out, func(a, b AgentHealth) int {
		return cmp.Or(worse(a.Verdict, b.Verdict), cmp.Compare(b.Calls, a.Calls), cmp.Compare(a.AgentID, b.AgentID))
	})
	return out, nil
}
