package monitor

import (
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/trend"
	"github.com/ringtrue/ringtrue/internal/trend/departure"
)

func TestNothingIsToldInHindsight(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	at := func(hours int) time.Time { return start.Add(time.Duration(hours) * time.Hour) }
	told := func(metric string, from, end, told int) departure.Incident {
		return departure.Incident{Metric: metric, Sign: trend.Up, Start: at(from), End: at(end), Told: at(told)}
	}
	known := []departure.Incident{told("error_rate", 0, 4, 2)}
	found := []departure.Incident{
		told("error_rate", 1, 5, 2),   // known
		told("valence", 0, 3, 2),      // new, and long past
		told("latency_p50", 6, 9, 30), // reported since
	}
	names := func(settled time.Time) (out []string) {
		for _, in := range notInHindsight(found, known, settled) {
			out = append(out, in.Metric)
		}
		return out
	}
	if got := names(at(24)); len(got) != 2 || got[0] != "error_rate" || got[1] != "latency_p50" {
		t.Errorf("a day later: %v", got)
	}
	if got := names(time.Time{}); len(got) != 3 {
		t.Errorf("at the first look: %v", got)
	}
	if got := names(at(1)); len(got) != 3 { // figures of the second hour have changed
		t.Errorf("after a change: %v", got)
	}
}
