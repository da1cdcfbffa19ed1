// Package compare sums up what an experiment found out, scenario by scenario,
// scorer by scorer and metric by metric, and compares two experiments. It is
// arithmetic over the results that its parent package experiment has collected,
// with package trend's tests and intervals; package api shows what comes out.
//
// Scenarios are the pairs of a comparison: what makes one scenario harder than
// another is no chance, and an agent that now fails one of them has changed.
package compare

import (
	"cmp"
	"math"
	"slices"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/experiment"
	"github.com/ringtrue/ringtrue/internal/trend"
)

// Shift is a difference: the later experiment minus the base.
type Shift struct {
	Value   *float64 `json:"value" doc:"Value of with minus value of base; null when one side has none"`
	Low     *float64 `json:"low" doc:"Lower end of the 95 % interval of value; null when there is none"`
	High    *float64 `json:"high" doc:"Upper end of the 95 % interval of value; null when there is none"`
	P       float64  `json:"p" doc:"Chance of a difference at least as large when there is really none"`
	Q       float64  `json:"q" doc:"p corrected (Benjamini-Hochberg) for how many differences were looked at; outcome follows it"`
	Outcome string   `json:"outcome" enum:"higher,lower,alike,not_enough" doc:"higher; lower; alike: there were enough calls to see a difference that matters, and there is none; not_enough: too few calls to tell"`
	Reason  string   `json:"reason" doc:"Why outcome is what it is, for people"`
}

// RateCompared is a pass rate of both experiments.
type RateCompared struct {
	Base       PassRate `json:"base" doc:"The rate in base"`
	With       PassRate `json:"with" doc:"The rate in with"`
	Difference Shift    `json:"difference" doc:"The difference over the scenarios that both have, scenario by scenario"`
	Change     string   `json:"change" enum:"better,worse,same,unclear" doc:"unclear: the difference may be chance"`
	// Both is nil where Base and With are these very rates.
	Both *RatesOfBoth `json:"both,omitempty" doc:"The two rates over the scenarios that have a verdict in both; left out when these are all scenarios of base and with"`
}

// RatesOfBoth are the pass rates of two experiments over the scenarios that have a verdict in both.
type RatesOfBoth struct {
	Scenarios int      `json:"scenarios" doc:"How many scenarios have a verdict in both"`
	Base      PassRate `json:"base" doc:"Their rate in base"`
	With      PassRate `json:"with" doc:"Their rate in with"`
}

// ScenarioCompared is one scenario in both experiments.
type ScenarioCompared struct {
	BaseItemID *string       `json:"base_item_id" doc:"Id of the item in base; null when the scenario was added"`
	WithItemID *string       `json:"with_item_id" doc:"Id of the item in with; null when the scenario was removed"`
	Key        string        `json:"key" doc:"Your own name for the item; empty when it has none"`
	Title      string        `json:"title" doc:"The key, goal or first line of the scenario, whichever there is"`
	Matched    *string       `json:"matched" enum:"id,key,content" doc:"How the two items were found to be the same scenario: by id, by key or by content; null when only one side has it"`
	Edited     bool          `json:"edited" doc:"true: the scenario itself has changed in between"`
	Base       VerdictCounts `json:"base" doc:"Its calls in base by verdict"`
	With       VerdictCounts `json:"with" doc:"Its calls in with by verdict"`
	BaseCalls  []string      `json:"base_call_ids" doc:"Ids of its calls in base"`
	WithCalls  []string      `json:"with_call_ids" doc:"Ids of its calls in with"`
	Difference Shift         `json:"difference" doc:"Difference of its pass rates"`
	Change     string        `json:"change" enum:"better,worse,same,unclear,added,removed" doc:"What the figures show, be it by chance: difference tells how sure it is. unclear: one side has nothing evaluated; added, removed: only one side has the scenario"`
}

// ScorerCompared is one scorer in both experiments, matched by name.
type ScorerCompared struct {
	Name        string `json:"name" doc:"Name of the scorer"`
	BaseVersion *int   `json:"base_version" doc:"Version in base; null when base did not use it"`
	WithVersion *int   `json:"with_version" doc:"Version in with; null when with did not use it"`
	RateCompared
}

// VerdictChange is a call whose verdict is another than that of the same
// scenario and repetition before.
type VerdictChange struct {
	DatasetItemID string `json:"dataset_item_id" doc:"Id of the item in with"`
	Title         string `json:"title" doc:"The key, goal or first line of the scenario, whichever there is"`
	Repetition    int    `json:"repetition" doc:"Which repetition of the item, counted from 1"`
	BaseCallID    string `json:"base_call_id" doc:"The call in base"`
	WithCallID    string `json:"with_call_id" doc:"The call in with"`
	From          string `json:"from" enum:"passed,failed,void,not_evaluated" doc:"Verdict in base"`
	To            string `json:"to" enum:"passed,failed,void,not_evaluated" doc:"Verdict in with"`
	Change        string `json:"change" enum:"better,worse,other" doc:"better: from failed to passed; worse: from passed to failed; other: anything else"`
}

// Comparison is what changed from one experiment to another.
type Comparison struct {
	PassRate  RateCompared
	Scenarios []ScenarioCompared
	Scorers   []ScorerCompared
	Metrics   []MetricCompared
	// BaseVoid and WithVoid are the calls that are no evidence.
	BaseVoid, WithVoid []VoidReason
	Changed            []VerdictChange
	// Notes say, in sentences, what makes the two hard to compare.
	Notes []string
}

// Compare compares an experiment with the one before it.
func Compare(base, with experiment.Results) Comparison {
	pairs := match(rowsOf(base.Calls), rowsOf(with.Calls))
	out := Comparison{
		PassRate: rates(pairs, func(r experiment.Result) call.Verdict { return r.Call.Verdict }),
		Scorers:  scorers(pairs, base.Calls, with.Calls), Metrics: metrics(pairs, base.Calls, with.Calls),
		BaseVoid: voidOf(base.Calls), WithVoid: voidOf(with.Calls), Changed: changes(pairs),
		Scenarios: []ScenarioCompared{},
	}
	out.Notes = notes(base, with, pairs, out.Metrics)
	for _, p := range pairs {
		out.Scenarios = append(out.Scenarios, p.compared())
	}
	adjust(len(out.Scenarios), func(i int) *Shift { return &out.Scenarios[i].Difference })
	if chosenByFailing(base.Experiment, with.Experiment, pairs) {
		out.tellNone()
	}
	slices.SortStableFunc(out.Scenarios, func(a, b ScenarioCompared) int { return cmp.Compare(rank(a.Change), rank(b.Change)) })
	return out
}

// tellNone takes back what was told of verdicts: tests that take them for drawn by lot say
// nothing of scenarios that were chosen by theirs.
func (c *Comparison) tellNone() {
	const reason = "only calls that had not passed were repeated, and some of those pass by chance"
	rates := []*RateCompared{&c.PassRate}
	for i := range c.Scorers {
		rates = append(rates, &c.Scorers[i].RateCompared)
	}
	for _, r := range rates {
		r.Difference.tellNone(reason)
		r.Change = changeOf(r.Difference, "higher")
	}
	for i := range c.Scenarios {
		c.Scenarios[i].Difference.tellNone(reason)
	}
}

func (s *Shift) tellNone(reason string) {
	if s.Outcome == string(trend.Higher) || s.Outcome == string(trend.Lower) {
		s.P, s.Q, s.Outcome, s.Reason = 1, 1, string(trend.TooFew), reason
	}
}

// rank puts first what people look for first.
func rank(change string) int {
	return slices.Index([]string{"worse", "better", "unclear", "added", "removed", "same", "other"}, change)
}

// rates compares the share that passed, pair by pair; verdict "" leaves a call out.
func rates(pairs []pair, verdict func(experiment.Result) call.Verdict) RateCompared {
	var base, with, baseOfBoth, withOfBoth VerdictCounts
	both := 0
	strata := make([]trend.SharePair, 0, len(pairs))
	for _, p := range pairs {
		b, w := countOf(p.base, verdict), countOf(p.with, verdict)
		base.count(b)
		with.count(w)
		if b.Passed+b.Failed > 0 && w.Passed+w.Failed > 0 {
			both++
			baseOfBoth.count(b)
			withOfBoth.count(w)
		}
		strata = append(strata, trend.SharePair{A: b.share(), B: w.share()})
	}
	d := trend.CompareSharePairs(strata, leastShare)
	out := RateCompared{Base: base.rate(), With: with.rate(), Difference: shiftOf(d)}
	out.Change = changeOf(out.Difference, "higher")
	if both > 0 && (baseOfBoth != base || withOfBoth != with) {
		out.Both = &RatesOfBoth{Scenarios: both, Base: baseOfBoth.rate(), With: withOfBoth.rate()}
	}
	return out
}

// count adds calls that are evidence.
func (n *VerdictCounts) count(more VerdictCounts) {
	n.Passed, n.Failed = n.Passed+more.Passed, n.Failed+more.Failed
}

// leastShare is the difference of a pass rate that matters.
const leastShare = 0.05

func countOf(r *row, verdict func(experiment.Result) call.Verdict) (n VerdictCounts) {
	if r == nil {
		return n
	}
	for _, c := range r.calls {
		n.add(verdict(c))
	}
	return n
}

func shiftOf(d trend.Difference) Shift {
	s := Shift{P: d.P, Q: d.P, Outcome: string(d.Outcome), Reason: d.Reason}
	if d.NA > 0 && d.NB > 0 {
		s.Value = &d.Delta
		if !math.IsInf(d.Interval.Low, 0) && !math.IsInf(d.Interval.High, 0) {
			s.Low, s.High = &d.Interval.Low, &d.Interval.High
		}
	}
	return s
}

// adjust corrects n differences for their number: those that only chance among so
// many makes stand out are not called differences any more.
func adjust(n int, at func(int) *Shift) {
	var looked []*Shift
	var ps []float64
	for i := range n {
		if s := at(i); s.Value != nil {
			looked, ps = append(looked, s), append(ps, s.P)
		}
	}
	for i, q := range trend.BenjaminiHochberg(ps) {
		s := looked[i]
		s.Q = q
		if q >= 1-trend.Confidence && (s.Outcome == string(trend.Higher) || s.Outcome == string(trend.Lower)) {
			s.Outcome, s.Reason = string(trend.TooFew), "among so many differences, one like this can appear by chance"
		}
	}
}

// changeOf says what a difference means where the given way is better, "" when none is.
func changeOf(s Shift, better string) string {
	switch {
	case s.Outcome == string(trend.Alike):
		return "same"
	case s.Outcome == string(trend.TooFew) && s.Value != nil && *s.Value == 0:
		return "same"
	case s.Outcome == string(trend.TooFew):
		return "unclear"
	case better == "":
		return "changed"
	case s.Outcome == better:
		return "better"
	}
	return "worse"
}

// scorers compares every scorer that either experiment has.
func scorers(pairs []pair, base, with []experiment.Result) []ScorerCompared {
	b, w := columnsOf(base), columnsOf(with)
	versions := func(c columns, calls []experiment.Result) map[string]int {
		out := map[string]int{}
		for _, s := range c.results(calls) {
			out[s.Name] = s.Version
		}
		return out
	}
	inBase, inWith := versions(b, base), versions(w, with)
	names := slices.Clone(b.names)
	for _, name := range w.names {
		if _, ok := inBase[name]; !ok {
			names = append(names, name)
		}
	}
	out := make([]ScorerCompared, 0, len(names))
	for _, name := range names {
		s := ScorerCompared{Name: name, RateCompared: rates(pairs, func(r experiment.Result) call.Verdict { return scoreOf(r, name) })}
		if v, ok := inBase[name]; ok {
			s.BaseVersion = &v
		}
		if v, ok := inWith[name]; ok {
			s.WithVersion = &v
		}
		out = append(out, s)
	}
	adjust(len(out), func(i int) *Shift { return &out[i].Difference })
	for i := range out {
		out[i].Change = changeOf(out[i].Difference, "higher")
	}
	return out
}

// scoreOf is what the named scorer said of a call that is evidence.
func scoreOf(r experiment.Result, name string) call.Verdict {
	if r.Found == nil || r.Call.Verdict == call.Void {
		return ""
	}
	for i, n := range scoreNames(r.Found.Scores) {
		if n == name {
			return r.Found.Scores[i].Verdict
		}
	}
	return ""
}
