package api

import (
	"strconv"
	"strings"

	"github.com/ringtrue/ringtrue/internal/archive"
	"github.com/ringtrue/ringtrue/internal/problem"
)

// CountedQuery narrows a list to calls that monitoring has counted, so that each of its figures
// leads to the calls behind it. It is exported for the HTTP library, which passes over embedded
// types that are not.
type CountedQuery struct {
	LeftEarly   string `query:"left_early" enum:"true" doc:"true: only answered calls whose caller left before the goal, exactly those that /monitoring/drop-off counts. The other left_ parameters include this one"`
	LeftTurns   string `query:"left_turns" maxLength:"12" doc:"Only calls that were left after so many turns: a place of the funnel turns of /monitoring/drop-off, such as 3 or 60+" example:"3"`
	LeftSeconds string `query:"left_seconds" maxLength:"24" doc:"Only calls that were left in this stretch of seconds: a place of the funnel seconds, such as 10-15 or 3600+" example:"10-15"`
	LeftStage   string `query:"left_stage" maxLength:"256" doc:"Only calls that were left in this stage: a place of the funnel stages"`
	LeftWords   string `query:"left_words" maxLength:"4000" doc:"Only calls that were left after one of these sentences of the agent: the numbers of an element of last_acts, with commas between" example:"4,17"`
	Failing     string `query:"failing" enum:"true" doc:"true: only failing calls, exactly those that /monitoring/failures counts"`
	Alike       string `query:"failing_alike" maxLength:"4000" doc:"Only failing calls of one group: the numbers of an element of groups of /monitoring/failures, with commas between" example:"2,11"`
	Dimension   string `query:"dimension" maxLength:"128" doc:"Only calls with one value of this dimension, which the parameter value names: agent_version, prompt, model, or metadata.KEY for a declared key"`
	Value       string `query:"value" maxLength:"256" doc:"The value of dimension"`
}

// narrow adds what the parameters ask for to a filter.
func (q *CountedQuery) narrow(f *archive.Filter) error {
	var fields []problem.Field
	check := func(ok bool, path, message string) {
		if !ok {
			fields = append(fields, problem.Field{Path: path, Message: message})
		}
	}
	left := &archive.Left{Stage: q.LeftStage}
	var ok bool
	left.Turns, ok = stretchOf(q.LeftTurns, 1)
	check(ok, "left_turns", "must be a number of turns such as 3, or 60+ for so many and more")
	left.Seconds, ok = stretchOf(q.LeftSeconds, 0)
	check(ok, "left_seconds", "must be a stretch of seconds such as 10-15, or 3600+ for so many and more")
	left.Words, ok = numbersOf(q.LeftWords)
	check(ok, "left_words", "must be numbers of last_acts of the drop-off, with commas between")
	f.Alike, ok = numbersOf(q.Alike)
	check(ok, "failing_alike", "must be numbers of a group of failing calls, with commas between")
	check(q.Value == "" || q.Dimension != "", "value", "needs the dimension that it is a value of")
	check(q.Dimension == "" || q.Value != "", "dimension", "needs a value beside it")
	if len(fields) > 0 {
		return problem.Invalid(fields...)
	}
	if q.LeftEarly+q.LeftTurns+q.LeftSeconds+q.LeftStage+q.LeftWords != "" {
		f.Left = left
	}
	f.Failing, f.Dimension, f.Value = q.Failing != "", q.Dimension, q.Value
	return nil
}

// stretchOf parses "5-10", "60+", or "3", which is a range of one number if alone is 1 and invalid
// otherwise; "" is nil.
func stretchOf(text string, alone int) (*archive.Range, bool) {
	if text == "" {
		return nil, true
	}
	low, more := strings.CutSuffix(text, "+")
	low, high, bounded := strings.Cut(low, "-")
	from, ok := place(low)
	switch {
	case !ok || more && bounded:
		return nil, false
	case more:
		return &archive.Range{From: from}, true
	case bounded:
		below, ok := place(high)
		return &archive.Range{From: from, Below: below}, ok && below > from
	}
	return &archive.Range{From: from, Below: from + alone}, alone > 0
}

// maxPlace bounds numbers of turns and seconds.
const maxPlace = 10_000_000

func place(text string) (int, bool) {
	n, err := strconv.Atoi(text)
	return n, err == nil && n >= 0 && n <= maxPlace && strconv.Itoa(n) == text
}

func numbersOf(text string) (out []int, ok bool) {
	if text == "" {
		return nil, true
	}
	for one := range strings.SplitSeq(text, ",") {
		n, ok := place(one)
		if !ok {
			return nil, false
		}
		out = append(out, n)
	}
	return out, true
}
