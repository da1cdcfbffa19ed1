package timing

import (
	"slices"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
)

// passedOn returns when somebody to whom the call was transferred spoke on the agent's side: from
// their first word until the agent itself speaks again, or to the end. What either side says in
// that time does not concern the agent. between is the rest of the call.
func passedOn(turns []call.Turn) (passed, between []call.Segment) {
	var own []time.Duration
	for _, t := range turns {
		if t.Own(call.Agent) && t.End > t.Start {
			own = append(own, t.Start)
		}
	}
	slices.Sort(own)
	for _, t := range turns {
		if t.Speaker == call.Agent && t.By != "" && t.Start >= 0 {
			back, _ := slices.BinarySearch(own, t.Start+1)
			passed = append(passed, call.Segment{Start: t.Start, End: append(own[back:len(own):len(own)], longest)[0]})
		}
	}
	passed = tidy(passed)
	from := time.Duration(0)
	for _, p := range passed {
		between = append(between, call.Segment{Start: from, End: p.Start})
		from = p.End
	}
	return passed, tidy(append(between, call.Segment{Start: from, End: longest}))
}

// within returns the agent's and the caller's turns, cut to the given stretches.
func within(turns []call.Turn, stretches []call.Segment) []call.Turn {
	var out []call.Turn
	for _, t := range turns {
		if t.Segments = shared(tidy(parts(t)), stretches); t.By == "" && len(t.Segments) > 0 {
			t.Start, t.End = t.Segments[0].Start, t.Segments[len(t.Segments)-1].End
			out = append(out, t)
		}
	}
	return out
}

// isPassedOn reports whether somebody else took the call over between two moments.
func (v *view) isPassedOn(from, to time.Duration) bool {
	return slices.ContainsFunc(v.passed, func(p call.Segment) bool { return p.Start >= from && p.Start < to })
}
