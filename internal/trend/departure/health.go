package departure

import (
	"cmp"
	"slices"
	"time"
)

// Verdict is how things are.
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

// Health is how an agent is now against its own baseline.
type Health struct {
	Verdict Verdict
	// Concerns are the reasons, the worst first; Reason says why there are none.
	Concerns []Concern
	Reason   string
}

// recent is how long an incident that is over is still worth a look.
const recent = 24 * time.Hour

// Judge tells the health at the time now from reports that reach up to it. An open
// departure to the worse side that is major or critical is bad; a minor one, and
// one that ended within the last day, is worth a look; departures to the better
// side are none of it. Without enough history for any of the reports nothing is known.
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
