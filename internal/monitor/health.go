package monitor

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/ringtrue/ringtrue/internal/bucket"
	"github.com/ringtrue/ringtrue/internal/trend/departure"
)

// AgentHealth is the state of one agent.
type AgentHealth struct {
	AgentID    string    `json:"agent_id" doc:"Id of the agent; - stands for calls that no agent is linked to"`
	Verdict    string    `json:"verdict" enum:"ok,watch,bad,unknown" doc:"ok, watch, bad or unknown, as in the overview's own verdict"`
	Sentences  []string  `json:"sentences" doc:"What there is to say about the agent, the worst first"`
	Departures []Anomaly `json:"departures" doc:"The departures that the sentences tell of, in the same order"`
	Calls      int64     `json:"calls" doc:"Calls in the last 24 hours"`
	Errors     Rate      `json:"errors" doc:"Calls that ended because something did not work, in the last 24 hours"`
	Upset      Rate      `json:"upset" doc:"Calls with an upset caller, in the last 24 hours"`
}

// ValueHealth is the state of the calls with one value of a dimension.
type ValueHealth struct {
	Dimension  string    `json:"dimension" doc:"The dimension, such as agent_version"`
	Value      string    `json:"value" doc:"The value whose calls are not as usual"`
	Verdict    string    `json:"verdict" enum:"watch,bad" doc:"bad or watch, as in the overview's own verdict"`
	Sentences  []string  `json:"sentences" doc:"What there is to say about these calls, the worst first"`
	Departures []Anomaly `json:"departures" doc:"The departures that the sentences tell of, in the same order"`
}

// said holds sentences with the departures they are about.
type said struct {
	sentences  []string
	departures []Anomaly
}

func (s *said) add(of, sentence string, departure Anomaly) {
	s.sentences = append(s.sentences, of+": "+sentence)
	s.departures = append(s.departures, departure)
}

// notUsual reports whether a verdict calls for attention.
func notUsual(verdict string) bool {
	return verdict == string(departure.Bad) || verdict == string(departure.Look)
}

// valuesNotUsual returns the values of dimensions whose calls are not as usual, the worst first.
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
	order := []string{string(departure.Bad), string(departure.Look), string(departure.OK), string(departure.Unknown)}
	return cmp.Compare(slices.Index(order, a), slices.Index(order, b))
}

// verdictAt returns the verdict on a series at a time, with its reasons. A departure that ended after
// that was open then.
func verdictAt(f *found, series *bucket.Series, at time.Time) (string, said) {
	reports := []departure.Report{{Enough: f.Verdict != departure.Unknown, Incidents: nil}}
	for _, in := range f.Incidents {
		if !in.Start.After(at) {
			in.Open = in.End.After(at) || f.goesOn(&in, at)
			in.End = sooner(in.End, at)
			reports[0].Incidents = append(reports[0].Incidents, in)
		}
	}
	h := departure.Judge(reports, at)
	if len(h.Concerns) == 0 {
		if h.Verdict == departure.Unknown {
			h.Reason = cmp.Or(f.Reason, h.Reason)
		}
		return string(h.Verdict), said{[]string{sentence(h.Reason)}, []Anomaly{}}
	}
	var out said
	for _, c := range h.Concerns {
		out.sentences = append(out.sentences, incidentSentence(c.Incident))
		out.departures = append(out.departures, anomalyOf(c.Incident, series))
	}
	return string(h.Verdict), out
}

// agents returns the agents with calls in the window, and those whose calls stay away, the worst
// first.
func (s *Service) agents(ctx context.Context, tx Tx, p span, reports []StoredReport) ([]AgentHealth, error) {
	from, until := p.days()
	past := slices.ContainsFunc(reports, func(r StoredReport) bool { return r.Dim == DimAgent && p.until.Before(r.Until) })
	if past {
		from = p.firstLooked()
	}
	rows, err := tx.RollsByValue(ctx, p.daysOf(bucket.Series{Dim: DimAgent}, from, until))
	if err != nil {
		return nil, err
	}
	if past {
		reports = notBefore(reports, rows, p.until)
	}
	sums := map[string]*bucket.Counts{}
	for i := range rows {
		if rows[i].Day < bucket.DayOf(p.from) {
			continue
		}
		list, err := rows[i].AppendHours(nil, p.from, p.until)
		if err != nil {
			return nil, err
		}
		if sums[rows[i].Value] == nil {
			sums[rows[i].Value] = &bucket.Counts{}
		}
		for j := range list {
			sums[rows[i].Value].Add(&list[j].Counts)
		}
	}
	return agentHealth(sums, reports, p.until)
}

// notBefore removes the reports of agents about which nothing was known yet at the time. rows are
// the agents' rows, sorted by agent and day.
func notBefore(reports []StoredReport, rows []bucket.Roll, at time.Time) []StoredReport {
	byAgent := map[string][]bucket.Roll{}
	for i := range rows {
		byAgent[rows[i].Value] = append(byAgent[rows[i].Value], bucket.Roll{Day: rows[i].Day})
	}
	return slices.DeleteFunc(slices.Clone(reports), func(r StoredReport) bool {
		return r.Dim == DimAgent && at.Before(r.Until) && !enoughSince(byAgent[r.Value], at)
	})
}

// agentHealth combines the agents' counts with what was found.
func agentHealth(sums map[string]*bucket.Counts, reports []StoredReport, at time.Time) ([]AgentHealth, error) {
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
	for agent := range byAgent {
		if sums[agent] == nil { // having no calls at all may be the problem
			sums[agent] = &bucket.Counts{}
		}
	}
	out := []AgentHealth{}
	for agent, c := range sums {
		a := AgentHealth{
			AgentID: agent, Verdict: string(departure.Unknown), Sentences: []string{}, Calls: c[bucket.Calls],
			Departures: []Anomaly{},
			Errors:     rateOf(c[bucket.Errors], c[bucket.Calls]-c[bucket.Voided]), Upset: rateOf(c[bucket.UpsetCalls], c[bucket.FeltCalls]),
		}
		if f := byAgent[agent]; f != nil {
			verdict, told := verdictAt(f, &bucket.Series{Dim: DimAgent, Value: agent}, at)
			a.Verdict, a.Sentences, a.Departures = verdict, told.sentences, told.departures
		}
		if a.Calls > 0 || a.Verdict == string(departure.Bad) {
			out = append(out, a)
		}
	}
	slices.SortFunc(out, func(a, b AgentHealth) int {
		return cmp.Or(worse(a.Verdict, b.Verdict), cmp.Compare(b.Calls, a.Calls), cmp.Compare(a.AgentID, b.AgentID))
	})
	return out, nil
}
