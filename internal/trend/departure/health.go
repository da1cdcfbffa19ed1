package departure

import (
	"cmp"
	"slices"
	"time"
)

// Verdict is a judgement of a series' state.
type Verdict string

// The verdicts.
const (
	OK      Verdict = "ok"
	Look    Verdict = "watch"
	Bad     Verdict = "bad"
	Unknown Verdict = "unknown"
)

// Concern is a reason for a verdict that is not OK.
type Concern struct {
	Verdict  Verdict
	Incident Incident
}

// Health is the state of an agent compared with its own baseline.
type Health struct {
	Verdict Verdict
	// Concerns are the reasons, the worst first. If there are none, Reason says why.
	Concerns []Concern
	Reason   string
}

// recent is how long an incident remains a concern after its end.
const recent = 24 * time.Hour

// Judge returns the health at the time now from reports that reach up to it. An open
// departure to the worse side is Bad if it is major or critical; a minor one, or one
// that ended within the last day, is Look. Departures to the better side do not count.
// Without enough history for any of the reports, the verdict is Unknown.
func Judge(reports []Report, now time.Time) Health {
	h := Health{Verdict: Unknown, Reason: "there is too little history to know what is usual"}
	for _, r := range reports {
		if r.Enough && h.Verdict == Unknown {
			h = Health{Verdict: OK, Reason: "nothing departs from what is usual"}
		}
		for _, in := range r.Incidents {
			if !in.Bad || now.Sub(in.End) > recent && !in.Open {
				continue
			}
			v := Look
			if in.Open && in.Severity.Rank() >= Major.Rank() {
				v = Bad
			}
			h.Concerns = append(h.Concerns, Concern{Verdict: v, Incident: in})
		}
	}
	slices.SortStableFunc(h.Concerns, func(a, b Concern) int {
		return cmp.Or(cmp.Compare(b.Verdict.rank(), a.Verdict.rank()), cmp.Compare(b.Incident.Severity.Rank(), a.Incident.Severity.Rank()))
	})
	if len(h.Concerns) > 0 {
		h.Verdict, h.Reason = h.Concerns[0].Verdict, ""
	}
	return h
}

func (v Verdict) rank() int {
	switch v {
	case Look:
		return 1
	case Bad:
		return 2
	default:
		return 0
	}
}
