package monitor

import (
	"context"
	"encoding/json"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/ringtrue/ringtrue/internal/bucket"
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/trend/departure"
)

// recently is the time that an overview covers; usually is the time before it that it compares
// with.
const (
	recently = 24 * time.Hour
	usually  = 28 * bucket.DayLength
)

// Overview is the current state.
type Overview struct {
	About
	Verdict    string        `json:"verdict" enum:"ok,watch,bad,unknown" doc:"bad: a major or critical departure to the worse side is open; watch: a minor one is open, one ended within the last day, or an agent or a value of a dimension is not ok; ok: none of these; unknown: too little history"`
	Sentences  []string      `json:"sentences" doc:"What there is to say, the worst first"`
	Departures []Anomaly     `json:"departures" doc:"The departures that the sentences tell of, in the same order; empty when there are none"`
	Now        Summary       `json:"now" doc:"The 24 hours before until"`
	Before     Summary       `json:"before" doc:"The 28 days before those"`
	Metrics    []MetricNow   `json:"metrics" doc:"The last 24 complete hours compared with what is usual"`
	Agents     []AgentHealth `json:"agents" doc:"Agents with calls in the last 24 hours, and agents whose calls stay away, the worst first; empty when the question was narrowed"`
	Values     []ValueHealth `json:"values" doc:"Values of dimensions, such as a version or a customer, whose calls are not as usual, the worst first; empty when the question was narrowed"`
}

// Overview returns the state at the end of the query's window; From is ignored.
func (s *Service) Overview(ctx context.Context, workspaceID string, q Query) (Overview, error) {
	q.From = time.Time{}
	return ask(ctx, s, workspaceID, q, maxHourWindow, func(tx Tx, p span) (Overview, error) {
		return s.overview(ctx, tx, p)
	})
}

func (s *Service) overview(ctx context.Context, tx Tx, p span) (Overview, error) {
	p.from = p.until.Add(-recently)
	out := Overview{About: p.about(), Metrics: []MetricNow{}, Agents: []AgentHealth{}, Values: []ValueHealth{}}
	now, err := p.bucket(ctx, tx, p.Series, bucket.WithSpreads)
	if err != nil {
		return Overview{}, err
	}
	earlier := p
	earlier.from, earlier.until = p.from.Add(-usually), p.from
	before, err := earlier.bucket(ctx, tx, p.Series, bucket.WithSpreads)
	if err != nil {
		return Overview{}, err
	}
	out.Now, out.Before = summaryOf(now), summaryOf(before)
	if !p.from.Before(s.o.Now()) {
		// What is known today says nothing about a day to come.
		out.Verdict, out.Sentences, out.Departures = string(departure.Unknown), []string{"These 24 hours have not begun yet."}, []Anomaly{}
		return out, nil
	}
	if err := s.health(ctx, tx, p, &out); err != nil {
		return Overview{}, err
	}
	if p.Dim == "" {
		err = s.parts(ctx, tx, p, &out)
	}
	return out, err
}

// maxPartsTold limits how many agents and values the sentences about all calls mention.
const maxPartsTold = 10

// parts fills in the state of each agent, and the values of dimensions that are not as usual: a
// problem of few calls hardly shows in the total.
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
		if notUsual(a.Verdict) {
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
		out.Verdict, out.Sentences, out.Departures = string(departure.Look), []string{}, []Anomaly{}
	}
	out.Sentences = append(out.Sentences, told.sentences[:min(len(told.sentences), maxPartsTold)]...)
	out.Departures = append(out.Departures, told.departures[:min(len(told.departures), maxPartsTold)]...)
	return nil
}

// spoken returns a dimension's name for the beginning of a sentence.
func spoken(dimension string) string {
	return strings.ReplaceAll(capital(strings.TrimPrefix(dimension, DimKey)), "_", " ")
}

// health fills in the stored report.
func (s *Service) health(ctx context.Context, tx Tx, p span, out *Overview) error {
	out.Verdict, out.Sentences, out.Departures = string(departure.Unknown), []string{unknownSentence(p, &out.Now)}, []Anomaly{}
	r, ok, err := tx.ReportOf(ctx, p.workspaceID, p.origin, p.Series)
	if err != nil || !ok || len(r.Found) == 0 {
		return err
	}
	var f found
	if err := json.Unmarshal(r.Found, &f); err != nil {
		return err
	}
	verdict, told := verdictAt(&f, &p.Series, p.until)
	if verdict == string(departure.OK) && p.until.Before(r.Until) {
		rows, err := tx.Rolls(ctx, p.daysOf(p.Series, p.firstLooked(), bucket.DayOf(p.from)), Light)
		if err != nil || !enoughSince(rows, p.until) {
			return err // the defaults set above stand
		}
	}
	out.Verdict, out.Sentences, out.Departures = verdict, told.sentences, told.departures
	if f.Now != nil && !r.Until.After(p.until) {
		out.Metrics = f.Now
	}
	return nil
}

// firstLooked returns the first day that a look at the end of the span would read.
func (p *span) firstLooked() int { return bucket.DayOf(p.until.Add(-watchWindow - watchHistory)) }

// leastKnown is how long there must have been calls before anything is known.
const leastKnown = 14 * bucket.DayLength

// enoughSince reports whether the first of a series' days is long enough ago for anything to be
// known at the time. What is known today says nothing about the time before the series' calls
// began.
func enoughSince(days []bucket.Roll, at time.Time) bool {
	return len(days) > 0 && at.Sub(bucket.DayStart(days[0].Day)) >= leastKnown
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

func sentence(reason string) string {
	if reason == "" {
		return ""
	}
	return capital(reason) + "."
}

// capital returns words with a capital first letter.
func capital(words string) string {
	first, size := utf8.DecodeRuneInString(words)
	if size == 0 {
		return ""
	}
	return string(unicode.ToUpper(first)) + words[size:]
}
