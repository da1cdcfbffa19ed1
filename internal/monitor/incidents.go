package monitor

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/ringtrue/ringtrue/internal/trend/departure"
)

// keepIncidents limits the incidents stored per series; the oldest are dropped.
const keepIncidents = 1000

// found is the content of a stored report, without bands.
type found struct {
	Incidents []departure.Incident `json:"incidents"`
	// Verdict is that of the last hour, with its reason.
	Verdict departure.Verdict `json:"verdict"`
	Reason  string            `json:"reason"`
	// Last is the last hour with calls.
	Last time.Time `json:"last"`
	// Now is what each metric showed in the last 24 hours against its baseline, nil while a
	// history is being read from its beginning.
	Now []MetricNow `json:"now"`
	// Present is up to when the present was last looked at, zero if never.
	Present time.Time `json:"present"`
}

// known reports whether anything is known about the present.
func (f *found) known() bool { return f.Verdict != "" && f.Verdict != departure.Unknown }

// foundBefore returns what earlier looks found, and the time before which that is final: the
// time of the last look, or of a later change of figures, whichever is earlier. It is zero if
// there was no look. Changes made before due was taken are included in due.
func foundBefore(ctx context.Context, tx Tx, due *StoredReport) (before found, settled time.Time, err error) {
	old, ok, err := tx.ReportOf(ctx, due.WorkspaceID, due.Origin, due.Series)
	if err != nil || !ok {
		return before, settled, err
	}
	due.Until, due.Redo = old.Until, old.Redo
	if len(old.Found) == 0 {
		return before, settled, err
	}
	if settled = old.Until; !due.Redo.IsZero() {
		settled = sooner(settled, due.Redo)
	}
	err = json.Unmarshal(old.Found, &before)
	return before, settled, err
}

// upTo returns what was found about the time before at: nothing is known about hours to come.
func (f *found) upTo(at time.Time) found {
	out := *f
	out.Incidents = slices.DeleteFunc(slices.Clone(f.Incidents), func(in departure.Incident) bool { return !in.Start.Before(at) })
	for i := range out.Incidents {
		in := &out.Incidents[i]
		in.End, in.Told = sooner(in.End, at), sooner(in.Told, at)
	}
	out.Present = time.Time{}
	return out
}

// notInHindsight removes departures that should have been reported before settled but were
// not: a history that begins an hour later changes the expectation slightly, and nobody
// should be told about an ordinary evening two weeks later.
func notInHindsight(found, before []departure.Incident, settled time.Time) []departure.Incident {
	return slices.DeleteFunc(slices.Clone(found), func(in departure.Incident) bool {
		return in.Told.Before(settled) && !slices.ContainsFunc(before, func(old departure.Incident) bool {
			return old.Metric == in.Metric && old.Sign == in.Sign && !in.Start.After(old.End) && !old.Start.After(in.End)
		})
	})
}

// joinIncidents combines what was found outside the window with what was found in it. An
// incident under way when the window began keeps its beginning. Those of the window end with
// it, since the current hour is not over; others may lie after it if a history is read from
// its beginning.
func joinIncidents(before []departure.Incident, reports []departure.Report, from, until time.Time) []departure.Incident {
	out := []departure.Incident{}
	var underWay, now []departure.Incident
	for _, in := range before {
		if !in.End.After(from) || !in.Start.Before(until) {
			out = append(out, in)
		}
		if in.Start.Before(from) && !in.End.Before(from) {
			underWay = append(underWay, in)
		}
	}
	for _, r := range reports {
		for _, in := range r.Incidents {
			for _, old := range underWay {
				if old.Metric == in.Metric && old.Form == in.Form && old.Sign == in.Sign && !in.Start.After(old.End) {
					in.Start, in.Told = old.Start, old.Told
				}
			}
			in.End, in.Told = sooner(in.End, until), sooner(in.Told, until)
			now = append(now, plainIncident(in))
		}
	}
	// What was over when the window began may go on in it by the figures of today.
	out = slices.DeleteFunc(out, func(old departure.Incident) bool {
		return slices.ContainsFunc(now, func(in departure.Incident) bool { return overlap(&old, &in) })
	})
	out = append(out, now...)
	return out[max(0, len(out)-keepIncidents):]
}

// overlap reports whether two departures are to the same side at the same time.
func overlap(a, b *departure.Incident) bool {
	return a.Metric == b.Metric && a.Sign == b.Sign && a.Start.Before(b.End) && b.Start.Before(a.End)
}

// plainIncident replaces figures that JSON cannot represent.
func plainIncident(in departure.Incident) departure.Incident {
	for _, v := range []*float64{&in.Seen, &in.Expected, &in.Low, &in.High, &in.PeakSeen, &in.PeakExpected, &in.Score, &in.Sure} {
		if !finite(*v) {
			*v = 0
		}
	}
	return in
}
