package monitor

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/ringtrue/ringtrue/internal/bucket"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/trend"
)

// Breakdown compares the values of a dimension.
type Breakdown struct {
	About
	By     string `json:"by" doc:"What the calls are told apart by: agent, agent_version, prompt, model or metadata.KEY"`
	Metric string `json:"metric" doc:"Name of the metric by which the values are compared"`
	Unit   string `json:"unit" enum:"calls,share,score,s,usd" doc:"Unit of the figures: calls, share (0 to 1), score, s (seconds) or usd"`
	Parts  []Part `json:"parts" doc:"The values, ordered by the start of each one's first hour with calls in the window"`
	// Without is the number of calls without a value.
	Without int64 `json:"without" doc:"Calls that have no value of the dimension"`
	// Bounded says that values beyond the limit were combined.
	Bounded bool `json:"bounded" doc:"true: the workspace has more than 100 values of this dimension, and the later ones are counted together as other"`
}

// Part is the calls with one value.
type Part struct {
	Value    string      `json:"value" doc:"The value: an agent's id when by is agent (- for calls that no agent is linked to), other for values beyond the first 100"`
	Seen     *float64    `json:"seen" doc:"The metric of these calls; null when there are none to measure, or when it is a share of fewer than 10"`
	N        int64       `json:"n" doc:"How many calls (or values, for a percentile) seen rests on"`
	First    int64       `json:"first" doc:"Start of the first hour with calls in the window, milliseconds since 1970"`
	Last     int64       `json:"last" doc:"End of the last hour with calls in the window, milliseconds since 1970"`
	Summary  Summary     `json:"summary" doc:"All figures of these calls"`
	Rest     *Difference `json:"against_rest" doc:"Comparison with all other values together; null when there are none"`
	Previous *Difference `json:"against_previous" doc:"Comparison with the value that came before it, as one version follows another; null for the first value, and for agents"`
}

// Difference compares one side with another.
type Difference struct {
	Other   string   `json:"other" doc:"What this is compared with: a value, or rest for all others together"`
	Theirs  float64  `json:"theirs" doc:"The figure of the other side"`
	Delta   float64  `json:"delta" doc:"This side's figure minus theirs"`
	Low     *float64 `json:"low" doc:"Lower end of the 95 % interval of delta; null when there is none"`
	High    *float64 `json:"high" doc:"Upper end of the 95 % interval of delta; null when there is none"`
	P       float64  `json:"p" doc:"Chance of a difference at least as large, to either side, when there is really none. It is that of this one comparison: of twenty without any real difference, one has a p below 0.05"`
	Q       float64  `json:"q" doc:"p corrected (Benjamini-Hochberg) for how many values are compared: of all differences with a q below 0.05, at most one in twenty is a false one, on average. outcome follows q"`
	Outcome string   `json:"outcome" enum:"higher,lower,alike,not_enough" doc:"higher; lower; alike: there were enough calls to see a difference that matters, and there is none; not_enough: too few calls to tell"`
	Better  *bool    `json:"better" doc:"true: the difference is to the good side; null when outcome is neither higher nor lower, and for metrics without a good side"`
	Reason  string   `json:"reason" doc:"Why outcome is what it is, for people"`
}

// maxBreakdown is the longest window of a breakdown: its cost grows with the number of
// values and days.
const maxBreakdown = 93 * bucket.DayLength

// Breakdown returns how the values of a dimension differ in a metric.
func (s *Service) Breakdown(ctx context.Context, workspaceID string, q Query, by, metric string) (Breakdown, error) {
	f, ok := figureOf(cmp.Or(metric, "failed_rate"))
	if !ok {
		_, err := pick([]string{metric})
		return Breakdown{}, renamed(err, "metric")
	}
	if q.Dimension != "" {
		return Breakdown{}, problem.Invalid(problem.Field{Path: "dimension", Message: "cannot narrow a breakdown, which takes one dimension: by"})
	}
	return ask(ctx, s, workspaceID, q, maxBreakdown, func(tx Tx, p span) (Breakdown, error) {
		known, err := s.knownDims(ctx, tx, workspaceID)
		if err != nil {
			return Breakdown{}, err
		}
		if by != DimAgent && !slices.Contains(known, by) {
			return Breakdown{}, problem.Invalid(unknownDim("by", append([]string{DimAgent}, known...)))
		}
		if by == DimAgent && q.AgentID != "" {
			return Breakdown{}, problem.Invalid(problem.Field{Path: "agent_id", Message: "leaves only one agent to tell apart"})
		}
		p.zone = time.UTC
		p.widen()
		return s.breakdown(ctx, tx, p, by, &f)
	})
}

func renamed(err error, path string) error {
	p := problem.As(err)
	if p == nil || len(p.Fields) == 0 {
		return err
	}
	return problem.Invalid(problem.Field{Path: path, Message: p.Fields[0].Message})
}

// part is a value of the dimension while its weeks are collected.
type part struct {
	value       string
	b           bucket.Bucket
	first, last time.Time
	days        []trend.Day
}

func (s *Service) breakdown(ctx context.Context, tx Tx, p span, by string, f *figure) (Breakdown, error) {
	parts, err := p.parts(ctx, tx, by, f)
	if err != nil {
		return Breakdown{}, err
	}
	calls, err := p.calls(ctx, tx)
	if err != nil {
		return Breakdown{}, err
	}
	out := Breakdown{About: p.about(), By: by, Metric: f.Name, Unit: f.unit, Parts: []Part{}, Without: calls}
	compared := make([]trend.Part, len(parts))
	for i := range parts {
		compared[i] = trend.Part{
			Name: parts[i].value, Point: f.point(&parts[i].b.Counts, &parts[i].b.Shape), Days: parts[i].days,
		}
	}
	against, previous := trend.Breakdown(f.Metric, compared), againstPrevious(parts, f)
	for i := range parts {
		shown := partOf(&parts[i], f)
		if len(parts) > 1 {
			shown.Rest = differenceOf(against[i].Against, "rest", f)
		}
		if i > 0 && by != DimAgent {
			shown.Previous = differenceOf(previous[i-1], parts[i-1].value, f)
		}
		out.Parts = append(out.Parts, shown)
		out.Without -= shown.Summary.Calls
	}
	out.Bounded, err = p.bounded(ctx, tx, by, parts)
	return out, err
}

// bounded reports whether one of the parts stands for values beyond the limit. A real
// value may have the same name.
func (p *span) bounded(ctx context.Context, tx Tx, by string, parts []part) (bool, error) {
	if !slices.ContainsFunc(parts, func(x part) bool { return x.value == Other }) {
		return false, nil
	}
	values, err := tx.Texts(ctx, p.workspaceID, KindDim+by)
	return full(values), err
}

// againstPrevious compares each value but the first with the one before it.
func againstPrevious(parts []part, f *figure) []trend.Difference {
	out := make([]trend.Difference, max(len(parts)-1, 0))
	all := make([]*trend.Difference, len(out))
	for i := range out {
		out[i], all[i] = trend.CompareDays(f.Metric, parts[i].stretch(f), parts[i+1].stretch(f)), &out[i]
	}
	trend.TellApart(all)
	return out
}

// parts returns the values with calls in the window, the earliest first.
func (p *span) parts(ctx context.Context, tx Tx, by string, f *figure) ([]part, error) {
	from, until := p.wholeDays()
	c := collection{f: f, from: from, until: until, g: bucket.Gather(bucket.WithSpreads)}
	window := WeekWindow{WorkspaceID: p.workspaceID, Origin: p.origin, Agent: p.agent, Dim: by, From: from, Until: until}
	if err := tx.EachWeekByValue(ctx, window, c.add); err != nil {
		return nil, err
	}
	c.end()
	out := slices.DeleteFunc(c.parts, func(x part) bool { return x.b.Counts[bucket.Calls] == 0 })
	slices.SortStableFunc(out, func(x, y part) int { return x.first.Compare(y.first) })
	return out, nil
}

// collection collects the weeks of one value after another.
type collection struct {
	f           *figure
	from, until int
	// g collects the buckets of the last part.
	g     *bucket.Gathering
	parts []part
}

// add adds a week; weeks of the same value follow one another.
func (c *collection) add(w *bucket.Week) error {
	if n := len(c.parts); n == 0 || c.parts[n-1].value != w.Value {
		c.end()
		c.parts = append(c.parts, part{value: w.Value, days: make([]trend.Day, 0, c.until-c.from)})
	}
	whole, err := bucket.OpenWeek(w.Whole)
	if err != nil {
		return err
	}
	if err := c.g.Opened(w, &whole, c.from, c.until); err != nil {
		return err
	}
	x := &c.parts[len(c.parts)-1]
	for i := range bucket.DaysPerWeek {
		day := bucket.FirstDay(w.Week) + i
		if day < c.from || day >= c.until {
			continue
		}
		s, err := whole.Day(i)
		if err != nil {
			return err
		}
		x.add(day, &s, c.f)
	}
	return nil
}

// end completes the last part.
func (c *collection) end() {
	if n := len(c.parts); n > 0 {
		c.parts[n-1].b = *c.g.Take()
	}
}

// add adds a day.
func (x *part) add(day int, s *bucket.Short, f *figure) {
	if s.Empty() {
		return
	}
	if x.first.IsZero() {
		x.first = s.First(day)
	}
	x.last = s.Last(day)
	if v, ok := f.quickly(&s.Slot); ok {
		x.days = append(x.days, trend.Day{Day: day, Value: v, N: f.point(&s.Counts, nil).N})
	}
}

func (x *part) stretch(f *figure) trend.Stretch {
	return trend.Stretch{Whole: f.point(&x.b.Counts, &x.b.Shape), Days: x.days}
}

// calls returns the number of calls of the whole series.
func (p *span) calls(ctx context.Context, tx Tx) (int64, error) {
	b, err := p.bucket(ctx, tx, p.Series, bucket.CountsAlone)
	if err != nil {
		return 0, err
	}
	return b.Counts[bucket.Calls], nil
}

func partOf(x *part, f *figure) Part {
	v, ok := f.seen(&x.b.Counts, &x.b.Shape)
	point := f.shown(x.first, &x.b.Counts, v, ok)
	return Part{
		Value: x.value, Seen: point.Value, N: point.N, First: millis(x.first), Last: millis(x.last.Add(time.Hour)), Summary: summaryOf(&x.b),
	}
}

func differenceOf(d trend.Difference, other string, f *figure) *Difference {
	out := &Difference{
		Other: other, Theirs: d.A, Delta: d.Delta, P: d.P, Q: d.Q,
		Outcome: string(d.Outcome), Reason: d.Reason,
	}
	if finite(d.Interval.Low, d.Interval.High) {
		out.Low, out.High = &d.Interval.Low, &d.Interval.High
	}
	if up := d.Outcome == trend.Higher; (up || d.Outcome == trend.Lower) && f.Worse != trend.Level {
		better := up != (f.Worse == trend.Up)
		out.Better = &better
	}
	return out
}
