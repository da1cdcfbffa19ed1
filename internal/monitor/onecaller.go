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
	// oneCallerWithin is the longest departure of which it is asked whether one caller made it.
	oneCallerWithin = 24 * time.Hour
	// oneCallerCalls is how many calls such a caller made at least, oneCallerDigits how many
	// digits a number has that tells callers apart ("anonymous" has none).
	oneCallerCalls, oneCallerDigits = 5, 6
	// withheld is the number that spells "anonymous" on a telephone's keys.
	withheld = "266696687"
	// usuallyBefore is how long before a departure it is looked how much is usual of a number,
	// and once more as long before where there were few calls then: so many times.
	usuallyBefore, usuallyTimes = 7 * 24 * time.Hour, 4
	// shownFrom is how many calls a figure rests on that is told, oddOf the chance below which
	// what fewer show is no chance.
	shownFrom, oddOf = 10, 0.01
)

// nameOneCaller looks for departures that one caller made: twenty-five calls of somebody who hangs
// up at once say nothing of the agent. They stay told, as what they are. A number that many calls come from
// at other times too is no caller: a telephone system has one, and an agent that calls out. Departures that were over
// before from are left as an earlier look told them, and so are those that have not changed since: known.
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

// sameCalls reports whether two departures are one, with the same calls in it.
func sameCalls(a, b *departure.Incident) bool {
	return a.Metric == b.Metric && a.Sign == b.Sign && a.Start.Equal(b.Start) && a.End.Equal(b.End) && a.N == b.N && a.Seen == b.Seen
}

// factsOf are the facts of a series in a stretch of time; ok is false where they are too many to read.
func factsOf(ctx context.Context, tx Tx, due StoredReport, from, until time.Time) (out []Fact, ok bool, err error) {
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
			if belongs(&facts[i], &due.Series) {
				out = append(out, facts[i])
			}
		}
	}
	return out, true, nil
}

// belongs reports whether a call is one of the series.
func belongs(f *Fact, s *bucket.Series) bool {
	agent := s.Agent
	if s.Dim == DimAgent {
		agent = s.Value
	}
	if agent != "" && agent != f.AgentID && (agent != bucket.NoAgent || f.AgentID != "") {
		return false
	}
	return !isPart(s.Dim) || f.Dims[s.Dim] == s.Value
}

// madeByOne is how many of the calls the caller made without whom the figure would not be
// worth telling; 0 where there is no such caller, or where that cannot be known.
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
		if 2*before.share(number) < now.share(number) { // else it is the line of many people, or the one that the agent calls from
			return now.by[number][bucket.Calls], nil
		}
	}
	return 0, nil
}

// callers are the calls of stretches of time, and those that each number made.
type callers struct {
	all bucket.Counts
	by  map[string]*bucket.Counts
}

// read takes in the calls of a stretch of time; ok is false where they are too many.
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

// without are the numbers without whose calls the figure would be as usual, that of most calls first.
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

// odd reports whether what some of the calls show is worth telling. Few of them must be hardly
// chance, too: when all that a few others saw is failures as well, somebody rings again and again because nothing works.
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

// chanceOfHits is the chance of so many hits, or more, of n where each has the given chance.
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

// share is which part of the calls a number made.
func (c *callers) share(number string) float64 {
	if c.by[number] == nil {
		return 0
	}
	return float64(c.by[number][bucket.Calls]) / float64(c.all[bucket.Calls])
}

// matters reports whether a figure is to its worse side by as much as is worth telling.
func (f *figure) matters(seen, expected float64) bool {
	by := (seen - expected) * float64(f.Worse)
	return by >= f.Least && by >= f.LeastRatio*math.Abs(expected)
}

// callerOf is a number by its digits, "" where it tells nobody apart.
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
