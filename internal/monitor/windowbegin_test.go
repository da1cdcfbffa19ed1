package monitor

import (
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/trend"
	"github.com/ringtrue/ringtrue/internal/trend/departure"
)

// The window of each look begins an hour later than that of an hour ago, and so begins at some time
// where a departure ended: no look finds that one any more, and it stays known. By figures that have
// changed it may go on, and is then one departure.
func TestADepartureStaysKnownWhereTheWindowBeginsAtItsEnd(t *testing.T) {
	t.Parallel()
	from := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	lasting := func(begin, end int) departure.Incident {
		return departure.Incident{
			Metric: "error_rate", Form: departure.Step, Sign: trend.Up,
			Start: from.Add(time.Duration(begin) * time.Hour), End: from.Add(time.Duration(end) * time.Hour),
		}
	}
	other := lasting(-2, 2)
	other.Metric = "upset_rate"
	for name, c := range map[string]struct {
		end   int
		found []departure.Incident
		want  []departure.Incident
	}{
		"ended before the window":             {end: -1, want: []departure.Incident{lasting(-3, -1)}},
		"ended where the window begins":       {end: 0, want: []departure.Incident{lasting(-3, 0)}},
		"beside one of another metric":        {end: 0, found: []departure.Incident{other}, want: []departure.Incident{lasting(-3, 0), other}},
		"goes on by the figures of today":     {end: 0, found: []departure.Incident{lasting(-2, 2)}, want: []departure.Incident{lasting(-3, 2)}},
		"goes on from where it ended":         {end: 0, found: []departure.Incident{lasting(0, 2)}, want: []departure.Incident{lasting(-3, 2)}},
		"joined with one that began later":    {end: -1, found: []departure.Incident{lasting(-3, 2)}, want: []departure.Incident{lasting(-3, 2)}},
		"another one begins within":           {end: 0, found: []departure.Incident{lasting(5, 7)}, want: []departure.Incident{lasting(-3, 0), lasting(5, 7)}},
		"under way, and not found any more":   {end: 1},
		"under way, and found with less time": {end: 2, found: []departure.Incident{lasting(-1, 1)}, want: []departure.Incident{lasting(-3, 1)}},
	} {
		got := joinIncidents([]departure.Incident{lasting(-3, c.end)}, []departure.Report{{Incidents: c.found}}, from, from.Add(watchWindow))
		if len(got) != len(c.want) {
			t.Errorf("%s: %+v", name, got)
			continue
		}
		for i, in := range got {
			if w := c.want[i]; in.Metric != w.Metric || !in.Start.Equal(w.Start) || !in.End.Equal(w.End) {
				t.Errorf("%s: %s from %s to %s, want %s from %s to %s", name, in.Metric, in.Start, in.End, w.Metric, w.Start, w.End)
			}
		}
	}
}
