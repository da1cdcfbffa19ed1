package monitor

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/ringtrue/ringtrue/internal/bucket"
	"github.com/ringtrue/ringtrue/internal/trend"
	"github.com/ringtrue/ringtrue/internal/trend/departure"
)

const (
	// oneCallerWithin is the longest departure that one caller is looked for in.
	oneCallerWithin = 24 * time.Hour
	// oneCallerCalls is the least number of calls of such a caller, oneCallerDigits the least number of
	// digits that identifies a caller ("anonymous" has none).
	oneCallerCalls, oneCallerDigits = 5, 6
	// withheld is "anonymous" spelled on a telephone's keypad.
	withheld = "266696687"
	// usuallyBefore is how long before a departure a number's usual share of calls is measured. If
	// there were few calls, the measurement also goes back further, up to usuallyTimes as far.
	usuallyBefore, usuallyTimes = 7 * 24 * time.Hour, 4
	// shownFrom is the number of calls from which on a figure is reported; oddOf is the chance below
	// which fewer calls count as well.
	shownFrom, oddOf = 10, 0.01
)

// nameOneCaller marks departures caused by one caller: twenty-five calls of somebody who hangs up
// at once say nothing about the agent. They remain reported, as minor. A number with many calls at
// other times too is no single caller, but a telephone system or the number of an agent that calls
// out. Departures that were over before from keep their earlier result, as do those in known that
// have not changed.
func nameOneCaller(ctx context.Context, tx Tx, due StoredReport, incidents, known []departure.Incident, from time.Time) error {
	for i := range incidents {
		var err error
		in := &incidents[i]
		f, ok := figureOf(in.Metric)
		if !ok || !in.Bad || in.End.Before(from) || f.Kind != trend.Rate && f.Kind != trend.Mean || in.Form == departure.Drift ||
			in.End.Sub(in.Start) > oneCallerWithin || in.N < oneCallerCalls || in.N > factsAtOnce {
			continue
		}
		if at := slices.IndexFunc(known, func(old departure.Incident) bool { return sameCalls(&old, in) }); at >= 0 {
			in.OneCaller = known[at].OneCaller
		} else if in.OneCaller, err = madeByOne(ctx, tx, due, in, &f); err != nil {
			return err
		}
		if in.OneCaller > 0 {
			in.Severity = departure.Minor
		}
	}
	return nil
}

// sameCalls reports whether two departures are the same, with the same calls.
func sameCalls(a, b *departure.Incident) bool {
	return a.Metric == b.Metric && a.Sign == b.Sign && a.Start.Equal(b.Start) && a.End.Equal(b.End) && a.N == b.N && a.Seen == b.Seen
}

// factsOf returns the facts of a series between two times; ok is false if there are too many to
// read.
func factsOf(ctx context.Context, tx Tx, due StoredReport, from, until time.Time) (out []Fact, ok bool, err error) {
	values, err := valuesOf(ctx, tx, due)
	if err != nil {
		return nil, false, err
	}
	read := 0
	for at := from.UTC().Truncate(time.Hour); at.Before(until); at = at.Add(time.Hour) {
		facts, err := tx.FactsBetween(ctx, due.WorkspaceID, due.Origin, at, at.Add(time.Hour))
		if err != nil {
			return nil, false, err
		}
		if read += len(facts); read > factsAtOnce {
			return nil, false, nil
		}
		for i := range facts {
			if belongs(&facts[i], &due.Series, values) {
				out = append(out, facts[i])
			}
		}
	}
	return out, true, nil
}

// valuesOf returns the values of the series' dimension that are counted by themselves, as far as that
// matters: facts have the value itself, also where it is counted as Other.
func valuesOf(ctx context.Context, tx Tx, due StoredReport) (*numbers, error) {
	if !isPart(due.Dim) || due.Value != Other {
		return newNumbers(nil), nil
	}
	values, err := tx.Texts(ctx, due.WorkspaceID, KindDim+due.Dim)
	return newNumbers(values), err
}

// belongs reports whether a call belongs to the series.
func belongs(f *Fact, s *bucket.Series, values *numbers) bool {
	agent := s.Agent
	if s.Dim == DimAgent {
		agent = s.Value
	}
	if agent != "" && agent != f.AgentID && (agent != bucket.NoAgent || f.AgentID != "") {
		return false
	}
	if !isPart(s.Dim) {
		return true
	}
	value, has := f.Dims[s.Dim]
	return has && (value == s.Value || s.Value == Other && values.admit(s.Dim, value) == Other)
}

// madeByOne returns the number of calls by the caller without whom the figure would not be worth
// reporting; 0 if there is no such caller, or this cannot be determined.
func madeByOne(ctx context.Context, tx Tx, due StoredReport, in *departure.Incident, f *figure) (int64, error) {
	var now, before callers
	if ok, err := now.read(ctx, tx, due, in.Start, in.End); err != nil || !ok {
		return 0, err
	}
	numbers := now.without(f, in.Expected)
	if len(numbers) == 0 {
		return 0, nil
	}
	for back := usuallyBefore; back <= usuallyTimes*usuallyBefore && before.all[bucket.Calls] < shownFrom; back += usuallyBefore {
		if ok, err := before.read(ctx, tx, due, in.Start.Add(-back), in.End.Add(-back)); err != nil || !ok {
			return 0, err
		}
	}
	for _, number := range numbers {
		if 2*before.share(number) < now.share(number) { // otherwise it is a line of many people, or the agent's own number
			return now.by[number][bucket.Calls], nil
		}
	}
	return 0, nil
}

// callers counts calls, in total and by the caller's number.
type callers struct {
	all bucket.Counts
	by  map[string]*bucket.Counts
}

// read adds the calls between two times; ok is false if there are too many.
func (c *callers) read(ctx context.Context, tx Tx, due StoredReport, from, until time.Time) (ok bool, err error) {
	facts, ok, err := factsOf(ctx, tx, due, from, until)
	if err != nil || !ok {
		return false, err
	}
	ids := make([]string, len(facts))
	for i := range facts {
		ids[i] = facts[i].CallID
	}
	numbers, err := tx.CallersOf(ctx, ids)
	if err != nil {
		return false, err
	}
	if c.by == nil {
		c.by = map[string]*bucket.Counts{}
	}
	for i := range facts {
		countCall(&c.all, &facts[i])
		number := callerOf(numbers[facts[i].CallID])
		if number == "" {
			continue
		}
		if c.by[number] == nil {
			c.by[number] = &bucket.Counts{}
		}
		countCall(c.by[number], &facts[i])
	}
	return true, nil
}

// without returns the numbers without whose calls the figure would be as usual, the one with the
// most calls first.
func (c *callers) without(f *figure, expected float64) (numbers []string) {
	for caller, theirs := range c.by {
		if theirs[bucket.Calls] < oneCallerCalls {
			continue
		}
		rest := c.all
		for i := range rest {
			rest[i] -= theirs[i]
		}
		if !c.odd(f, &rest, expected) {
			numbers = append(numbers, caller)
		}
	}
	slices.SortFunc(numbers, func(a, b string) int {
		return cmp.Or(cmp.Compare(c.by[b][bucket.Calls], c.by[a][bucket.Calls]), cmp.Compare(a, b))
	})
	return numbers
}

// odd reports whether the figure of some of the calls is worth reporting. If they are few, it must
// also be unlikely by chance: when the few others failed as well, the caller calls again and again
// because nothing works.
func (c *callers) odd(f *figure, some *bucket.Counts, expected float64) bool {
	p := f.point(some, nil)
	seen, ok := f.Value(p)
	if !ok || !f.matters(seen, expected) {
		return false
	}
	if p.N >= shownFrom {
		return true
	}
	if f.Kind == trend.Rate {
		return chanceOfHits(p.Hits, p.N, expected) < oddOf
	}
	all := f.point(&c.all, nil)
	deviation := math.Sqrt(trend.Moments{N: all.N, Sum: all.Sum, Squares: all.Squares}.Variance() / float64(p.N))
	return math.Abs(seen-expected) > deviation*math.Sqrt2*math.Erfinv(1-2*oddOf)
}

// chanceOfHits returns the probability of at least hits successes in n trials of the given
// probability.
func chanceOfHits(hits, n int64, each float64) (chance float64) {
	ways := 1.0
	for k := range n + 1 {
		if k >= hits {
			chance += ways * math.Pow(each, float64(k)) * math.Pow(1-each, float64(n-k))
		}
		ways *= float64(n-k) / float64(k+1)
	}
	return chance
}

// share returns the share of calls from a number.
func (c *callers) share(number string) float64 {
	if c.by[number] == nil {
		return 0
	}
	return float64(c.by[number][bucket.Calls]) / float64(c.all[bucket.Calls])
}

// matters reports whether a figure is worse than expected by enough to be worth reporting.
func (f *figure) matters(seen, expected float64) bool {
	by := (seen - expected) * float64(f.Worse)
	return by >= f.Least && by >= f.LeastRatio*math.Abs(expected)
}

// callerOf returns the digits of a number, "" if it does not identify a caller.
func callerOf(number string) string {
	digits := strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return r
		}
		return -1
	}, number)
	if len(digits) < oneCallerDigits || strings.HasSuffix(digits, withheld) {
		return ""
	}
	return digits
}
