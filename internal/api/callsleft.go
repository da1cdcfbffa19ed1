package api

import (
	"strconv"
	"strings"

	"github.com/ringtrue/ringtrue/internal/archive"
	"github.com/ringtrue/ringtrue/internal/problem"
)

// LeftQuery narrows a list of calls to a place of the drop-off. It is exported for
// the HTTP library, which passes over embedded types that are not.
type LeftQuery struct {
	LeftEarly   string `query:"left_early" enum:"true" doc:"Only answered calls whose caller left before the goal, exactly those that /monitoring/drop-off counts; the other left_ parameters include it"`
	LeftTurns   string `query:"left_turns" maxLength:"12" doc:"Only those left after so many turns: a place of the funnel turns" example:"3"`
	LeftSeconds string `query:"left_seconds" maxLength:"24" doc:"Only those left in this stretch: a place of the funnel seconds" example:"10-15"`
	LeftStage   string `query:"left_stage" maxLength:"256" doc:"Only those left in this stage: a place of the funnel stages"`
	LeftWords   string `query:"left_words" maxLength:"4000" doc:"Only those left after these sentences of the agent: numbers of a last act, with commas between" example:"4,17"`
	Dimension   string `query:"dimension" maxLength:"128" doc:"With a left_ parameter: only calls with a value of this dimension, as monitoring knows it"`
	Value       string `query:"value" maxLength:"256" doc:"Which value of the dimension"`
}

// left is what the parameters ask for, nil when they ask for nothing.
func (q *LeftQuery) left() (*archive.Left, error) {
	if *q == (LeftQuery{}) {
		return nil, nil
	}
	l := &archive.Left{Stage: q.LeftStage, Dimension: q.Dimension, Value: q.Value}
	var fields []problem.Field
	wrong := func(path, message string) { fields = append(fields, problem.Field{Path: path, Message: message}) }
	var ok bool
	if l.Turns, ok = stretchOf(q.LeftTurns, 1); !ok {
		wrong("left_turns", "must be a number of turns such as 3, or 60+ for so many and more")
	}
	if l.Seconds, ok = stretchOf(q.LeftSeconds, 0); !ok {
		wrong("left_seconds", "must be a stretch of seconds such as 10-15, or 3600+ for so many and more")
	}
	if l.Words, ok = numbersOf(q.LeftWords); !ok {
		wrong("left_words", "must be numbers of last_acts of the drop-off, with commas between")
	}
	switch asked := q.LeftEarly + q.LeftTurns + q.LeftSeconds + q.LeftStage + q.LeftWords; {
	case q.Value != "" && q.Dimension == "":
		wrong("value", "needs the dimension that it is a value of")
	case q.Dimension != "" && q.Value == "":
		wrong("dimension", "needs a value beside it")
	case asked == "":
		wrong("dimension", "needs left_early or another left_ parameter; metadata narrow with metadata.KEY=VALUE")
	}
	if len(fields) > 0 {
		return nil, problem.Invalid(fields...)
	}
	return l, nil
}

// stretchOf reads "5-10", "60+", or "3", which is so many alone when alone is 1 and nothing else; nil of "".
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
