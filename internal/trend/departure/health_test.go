package departure

import (
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/trend"
)

func TestHealthNamesItsReasons(t *testing.T) {
	now := time.Date(2025, 6, 2, 12, 0, 0, 0, time.UTC)
	incident := func(bad, open bool, s Severity, ended time.Duration) Report {
		return Report{Enough: true, Incidents: []Incident{{Metric: "error_rate", Form: Step, Sign: trend.Up, Bad: bad, Open: open, Severity: s,
			Start: now.Add(-ended - time.Hour), End: now.Add(-ended)}}}
	}
	for what, c := range map[string]struct {
		reports  []Report
		verdict  Verdict
		concerns int
	}{
		"nothing known":     {[]Report{{}, {}}, Unknown, 0},
		"nothing at all":    {nil, Unknown, 0},
		"quiet":             {[]Report{{Enough: true}, {}}, OK, 0},
		"open and major":    {[]Report{incident(true, true, Major, 0)}, Bad, 1},
		"open and minor":    {[]Report{incident(true, true, Minor, 0)}, Look, 1},
		"over since lately": {[]Report{incident(true, false, Critical, 5*time.Hour)}, Look, 1},
		"over for long":     {[]Report{incident(true, false, Critical, 50*time.Hour)}, OK, 0},
		"better":            {[]Report{incident(false, true, Critical, 0)}, OK, 0},
		"two, worst first":  {[]Report{incident(true, true, Minor, 0), incident(true, true, Critical, 0)}, Bad, 2},
	} {
		h := Judge(c.reports, now)
		if h.Verdict != c.verdict || len(h.Concerns) != c.concerns || (h.Reason == "") == (c.concerns == 0) {
			t.Errorf("%s: %+v", what, h)
		}
		if len(h.Concerns) > 1 && h.Concerns[0].Incident.Severity != Critical {
			t.Errorf("%s: the worst does not come first", what)
		}
	}
}
