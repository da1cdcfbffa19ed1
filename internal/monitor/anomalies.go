package monitor

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/ringtrue/ringtrue/internal/bucket"
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/trend/departure"
)

// Anomalies are departures of series from their own baselines.
type Anomalies struct {
	About
	Anomalies []Anomaly `json:"anomalies" doc:"The departures in the window, latest start first"`
	// Checked is the number of series looked at.
	Checked int `json:"checked_series" doc:"How many series were looked at: all calls together, each agent, and each value of a dimension"`
	Known   int `json:"known_series" doc:"How many of them have enough history to tell what is usual"`
	// CheckedUntil is not named Until, because it would hide the field of the embedded About.
	CheckedUntil *int64 `json:"checked_until" doc:"Up to when all of them have been looked at, milliseconds since 1970; null when none has been"`
	Reason       string `json:"reason" doc:"Why there are no anomalies, in a sentence; empty when there are some"`
}

// Anomaly is one departure.
type Anomaly struct {
	AgentID *string `json:"agent_id" doc:"The agent whose calls departed; null for the calls of all agents"`
	// Dimension and Value are null unless the series is that of a dimension's value.
	Dimension *string `json:"dimension" doc:"The dimension by whose value the calls are told apart; null for calls of any value"`
	Value     *string `json:"value" doc:"The value of dimension whose calls departed; null when dimension is"`
	Metric    string  `json:"metric" doc:"Name of the metric that departed, such as error_rate"`
	Unit      string  `json:"unit" enum:"calls,share,score,s,usd" doc:"Unit of seen, expected, low and high: calls, share (0 to 1), score, s (seconds) or usd"`
	Form      string  `json:"form" enum:"outage,step,drift" doc:"outage: calls stay away; step: the figure jumped; drift: it moved little by little"`
	Severity  string  `json:"severity" enum:"minor,major,critical" doc:"How far it departed: minor, major or critical"`
	Worse     bool    `json:"worse" doc:"true: it departed to the bad side"`
	Start     int64   `json:"start" doc:"Start of the departure, milliseconds since 1970"`
	End       int64   `json:"end" doc:"End of the departure, milliseconds since 1970. While open is true, it may still go on after this: it is then listed for later windows too"`
	Open      bool    `json:"open" doc:"true: it had not ended when it was last looked at; in an overview, by the end of the window"`
	ToldAt    int64   `json:"told_at" doc:"When there was enough to report it, milliseconds since 1970"`
	N         int64   `json:"n" doc:"How many calls it rests on"`
	Seen      float64 `json:"seen" doc:"The value that was measured: of the whole departure, of its worst part when it was merged, of the last seven days for a drift. For the metric calls a number of calls, of a drift calls an hour"`
	Expected  float64 `json:"expected" doc:"What would have been usual in place of seen"`
	Low       float64 `json:"low" doc:"Lower end of the range that 19 of 20 usual stretches lie in"`
	High      float64 `json:"high" doc:"Upper end of that range"`
	Score     float64 `json:"score" doc:"How far it departed, in standard deviations of usual hours; negative below what is expected"`
	Sure      float64 `json:"sure" doc:"How sure it is that this is no chance, up to 1: 1 minus the chance of anything like it in any watched series in a quiet week. Departures are reported from 0.995 on"`
	// LikeDay and OneCaller name explanations that are no fault of the agent.
	LikeDay   *string  `json:"like_day" enum:"Sunday,Monday,Tuesday,Wednesday,Thursday,Friday,Saturday" doc:"Day of the week, such as Sunday, that the days with missing calls resemble from beginning to end, as on public holidays; null when there is none. Such a departure is minor"`
	OneCaller int64    `json:"one_caller" doc:"How many of the n calls came from a single caller without whom nothing would have departed; 0 when there is no such caller. Such a departure is minor"`
	Text      string   `json:"text" doc:"The departure in a sentence for people"`
	Peak      PeakHour `json:"peak" doc:"The hour that departed furthest; of a drift, the day"`
}

// PeakHour is the worst hour of an anomaly, or the worst day of a drift.
type PeakHour struct {
	At       int64   `json:"at" doc:"Start of the hour or day, milliseconds since 1970"`
	Seen     float64 `json:"seen" doc:"The value that was measured then"`
	Expected float64 `json:"expected" doc:"What would have been usual then"`
}

// Anomalies returns what departed from the usual. Nothing is stored for the calls of one agent that
// have one value of a dimension: a query with both needs a metric, and that series is looked at on
// the spot.
func (s *Service) Anomalies(ctx context.Context, workspaceID string, q Query, metric string) (Anomalies, error) {
	if f, ok := figureOf(metric); metric != "" && (!ok || !f.watched()) {
		return Anomalies{}, problem.Invalid(problem.Field{Path: "metric", Message: "is not a metric that is watched"})
	}
	if q.Origin == call.Simulated {
		return Anomalies{}, problem.Invalid(problem.Field{Path: "origin", Message: "must be production: simulated calls have no baseline, compare their runs"})
	}
	narrow := q.Dimension != "" && q.AgentID != ""
	return ask(ctx, s, workspaceID, q, maxZoneWindow, func(tx Tx, p span) (Anomalies, error) {
		if narrow && metric == "" {
			return Anomalies{}, problem.Invalid(problem.Field{Path: "metric", Message: "is needed with both an agent and a dimension: that series is looked at on the spot"})
		}
		out := Anomalies{About: p.about(), Anomalies: []Anomaly{}}
		look := s.stored
		if narrow {
			look = s.spot
		}
		if err := look(ctx, tx, p, metric, &out); err != nil {
			return Anomalies{}, err
		}
		slices.SortStableFunc(out.Anomalies, func(a, b Anomaly) int { return int(b.Start/1000 - a.Start/1000) })
		var err error
		if len(out.Anomalies) == 0 {
			out.Reason, err = s.whyNothing(ctx, tx, p, &out)
		}
		return out, err
	})
}

// stored lists what the stored reports have found.
func (s *Service) stored(ctx context.Context, tx Tx, p span, metric string, out *Anomalies) error {
	reports, err := tx.Reports(ctx, p.workspaceID, p.origin)
	if err != nil {
		return err
	}
	var until, ended time.Time
	for _, r := range reports {
		if p.Dim != "" && r.Series != p.Series || len(r.Found) == 0 {
			continue
		}
		var f found
		if err := json.Unmarshal(r.Found, &f); err != nil {
			return err
		}
		out.Checked++
		if f.Verdict != departure.Unknown {
			out.Known++
		}
		switch at := firstOf(r.Until, r.Redo); {
		case r.Redo.IsZero() && (f.Last.IsZero() || f.over(s.o.Now())):
			// It has had no calls for long, or none any more, because they were moved to another agent or
			// value, or erased. Nobody looks at it, so it must not hold back CheckedUntil.
			ended = later(ended, at)
		default:
			until = firstOf(until, at)
		}
		for i := range f.Incidents {
			f.Incidents[i].Open = f.goesOn(&f.Incidents[i], s.o.Now())
		}
		out.add(&r.Series, f.Incidents, r.Until, p, metric)
	}
	if until.IsZero() {
		until = ended
	}
	if !until.IsZero() {
		at := until.UnixMilli()
		out.CheckedUntil = &at
	}
	return nil
}

// over reports whether a series has had no calls for so long that it is no longer looked at.
func (f *found) over(now time.Time) bool {
	return !f.Last.IsZero() && bucket.DayOf(f.Last) < bucket.DayOf(now.UTC().Truncate(lookEvery).Add(-watchWindow))
}

// goesOn reports whether a departure is open at a time. The last departures of a version or agent
// that is no longer in use will never be ended by a call; and one that is open only because the
// part of the history looked at so far ends there is long past.
func (f *found) goesOn(in *departure.Incident, at time.Time) bool {
	return in.Open && !f.over(at) && at.Sub(in.End) <= watchWindow
}

// add adds the incidents of a series that fall in the window. An open one lasts until the series
// was looked at, even if its latest hours by themselves are as usual.
func (out *Anomalies) add(series *bucket.Series, incidents []departure.Incident, looked time.Time, p span, metric string) {
	for _, in := range incidents {
		last := in.End
		if in.Open {
			last = later(last, looked)
		}
		if metric != "" && in.Metric != metric || !last.After(p.from) || !in.Start.Before(p.until) {
			continue
		}
		out.Anomalies = append(out.Anomalies, anomalyOf(in, series))
	}
}

func anomalyOf(in departure.Incident, series *bucket.Series) Anomaly {
	_, unit := plainNames(in.Metric)
	a := Anomaly{
		Metric: in.Metric, Unit: unit, Form: string(in.Form), Severity: string(in.Severity), Worse: in.Bad, Start: millis(in.Start), End: millis(in.End),
		Open: in.Open, ToldAt: millis(in.Told), N: in.N, Seen: in.Seen, Expected: in.Expected, Low: in.Low, High: in.High,
		Score: in.Score, Sure: in.Sure, OneCaller: in.OneCaller, Text: incidentSentence(in), Peak: PeakHour{millis(in.Peak), in.PeakSeen, in.PeakExpected},
	}
	if in.LikeDay != "" {
		a.LikeDay = &in.LikeDay
	}
	agent, dimension, value := series.Agent, series.Dim, series.Value
	if dimension == DimAgent {
		agent, dimension = value, ""
	}
	if agent != "" {
		a.AgentID = &agent
	}
	if dimension != "" {
		a.Dimension, a.Value = &dimension, &value
	}
	return a
}

// whyNothing says why there are no anomalies. What is known now says nothing about hours that are
// still to come or to be looked at, nor about the time before there was enough history.
func (s *Service) whyNothing(ctx context.Context, tx Tx, p span, out *Anomalies) (string, error) {
	const tooLittle = "there is too little history to know what is usual"
	now := s.o.Now()
	switch {
	case !p.from.Before(now):
		return "these hours have not begun yet", nil
	case out.Checked == 0:
		return "no calls have been looked at yet", nil
	case out.CheckedUntil != nil && p.from.UnixMilli() >= *out.CheckedUntil:
		return "these hours have not been looked at yet", nil
	case out.Known == 0:
		return tooLittle, nil
	}
	if now.Before(p.until) {
		p.until = now
	}
	rows, err := tx.Rolls(ctx, p.daysOf(p.Series, min(p.firstLooked(), bucket.DayOf(p.from)), bucket.DayOf(p.until)+1), Light)
	if err != nil {
		return "", err
	}
	if !enoughSince(rows, p.until) {
		return tooLittle, nil
	}
	return "nothing departed from what is usual", nil
}

// spot looks at one metric of one series now.
func (s *Service) spot(ctx context.Context, tx Tx, p span, metric string, out *Anomalies) error {
	f, _ := figureOf(metric)
	until := p.until
	if now := s.o.Now().UTC().Truncate(time.Hour); now.Before(until) {
		until = now
	}
	at := until.UnixMilli()
	out.Checked, out.CheckedUntil = 1, &at
	if !p.from.Before(until) {
		return nil
	}
	l := look{series: p.Series, from: p.from, at: until, hour: until}
	due := StoredReport{WorkspaceID: p.workspaceID, Origin: p.origin, Series: p.Series}
	if err := l.read(ctx, tx, due); err != nil {
		return err
	}
	r := l.report(&f, 1)
	if r.Enough {
		out.Known = 1
	}
	for i := range r.Incidents {
		r.Incidents[i] = plainIncident(r.Incidents[i])
	}
	if err := nameOneCaller(ctx, tx, due, r.Incidents, nil, l.from); err != nil {
		return err
	}
	out.add(&p.Series, r.Incidents, until, p, metric)
	return nil
}
