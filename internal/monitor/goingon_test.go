package monitor

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/bucket"
	"github.com/ringtrue/ringtrue/internal/trend"
	"github.com/ringtrue/ringtrue/internal/trend/departure"
)

// kept is a transaction with the reports of a workspace.
type kept struct {
	Tx
	reports []StoredReport
}

func (k kept) Reports(context.Context, string, string) ([]StoredReport, error) { return k.reports, nil }

// An open departure is listed for today, as in the overview, even if its last hours by themselves
// are as usual. One that ended as the window began is not, and neither is an open one of a series
// that has long had no calls.
func TestADepartureThatGoesOnIsOneOfToday(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 5, 12, 40, 0, 0, time.UTC)
	hour := now.Truncate(time.Hour)
	from := hour.Add(-12 * time.Hour)
	for name, c := range map[string]struct {
		open      bool
		end, last time.Time
		listed    bool
		goesOn    bool
	}{
		"goes on":                         {open: true, end: hour.Add(-20 * time.Hour), last: hour, listed: true, goesOn: true},
		"ended before":                    {end: hour.Add(-20 * time.Hour), last: hour},
		"ended when the window begins":    {end: from, last: hour},
		"ended within":                    {end: from.Add(time.Hour), last: hour, listed: true},
		"of a version that was let go":    {open: true, end: hour.AddDate(0, 0, -20), last: hour.AddDate(0, 0, -20)},
		"at the end of a part looked at":  {open: true, end: hour.AddDate(0, 0, -30), last: hour},
		"goes on to where was looked now": {open: true, end: hour, last: hour, listed: true, goesOn: true},
	} {
		in := departure.Incident{Metric: "error_rate", Open: c.open, Start: c.end.Add(-48 * time.Hour), End: c.end}
		text, err := json.Marshal(found{Verdict: departure.OK, Last: c.last, Incidents: []departure.Incident{in}})
		if err != nil {
			t.Fatal(err)
		}
		s := &Service{o: Options{Now: func() time.Time { return now }}}
		out := Anomalies{}
		p := span{from: from, until: hour.Add(time.Hour)}
		if err := s.stored(t.Context(), kept{reports: []StoredReport{{Series: bucket.Series{}, Until: now, Found: text}}}, p, "", &out); err != nil {
			t.Fatal(err)
		}
		if (len(out.Anomalies) == 1) != c.listed || c.listed && out.Anomalies[0].Open != c.goesOn {
			t.Errorf("%s: %+v", name, out.Anomalies)
		}
		// A window that contains it always lists it, with what is known of it today.
		out, p = Anomalies{}, span{from: in.Start, until: in.End}
		if err := s.stored(t.Context(), kept{reports: []StoredReport{{Until: now, Found: text}}}, p, "", &out); err != nil {
			t.Fatal(err)
		}
		if len(out.Anomalies) != 1 || out.Anomalies[0].Open != c.goesOn {
			t.Errorf("%s, then: %+v", name, out.Anomalies)
		}
	}
}

// Who asks for the state at a time of the past, in the middle of a departure, is told of it as it was
// then: it was open.
func TestADepartureWasOpenWhileItWentOn(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 9, 1, 12, 0, 0, 0, time.UTC)
	f := found{Verdict: departure.OK, Last: at.AddDate(0, 0, 3), Incidents: []departure.Incident{{
		Metric: "error_rate", Form: departure.Step, Sign: trend.Up, Bad: true, Severity: departure.Major,
		Start: at.Add(-3 * time.Hour), Told: at.Add(-2 * time.Hour), End: at.Add(3 * time.Hour),
	}}}
	for after, want := range map[time.Duration]string{0: "bad", 2 * time.Hour: "bad", 3 * time.Hour: "watch", 26 * time.Hour: "watch", 28 * time.Hour: "ok", -4 * time.Hour: "ok"} {
		now := at.Add(after)
		verdict, told := verdictAt(&f, &bucket.Series{}, now)
		if verdict != want {
			t.Errorf("%s after: %s, not %s", after, verdict, want)
		}
		for _, d := range told.departures {
			if d.End > now.UnixMilli() || d.Open != (want == "bad") {
				t.Errorf("%s after: %+v", after, d)
			}
		}
	}
}
