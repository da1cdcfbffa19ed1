package score_test

import (
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/score"
	"github.com/ringtrue/ringtrue/internal/score/timing"
)

// The metrics that scorers can name must be those measured, with the same units
// and the same statistics.
func TestMetricsAreThoseThatAreMeasured(t *testing.T) {
	t.Parallel()
	known := map[string]score.MetricInfo{}
	for _, m := range score.Metrics() {
		known[m.Name] = m
	}
	catalog := timing.Catalog()
	if len(catalog) != len(known) {
		t.Errorf("%d metrics are measured, %d can be named", len(catalog), len(known))
	}
	for _, c := range catalog {
		if m, ok := known[c.Name]; !ok || m.Unit != c.Unit {
			t.Errorf("%s in %s is known as %+v", c.Name, c.Unit, m)
		}
	}
	turns := []call.Segment{{Start: time.Second, End: 2 * time.Second}, {Start: 4 * time.Second, End: 6 * time.Second}}
	answers := []call.Segment{{Start: 2500 * time.Millisecond, End: 4500 * time.Millisecond}, {Start: 7 * time.Second, End: 8 * time.Second}}
	heard := call.Heard{Caller: turns, Agent: answers, Length: 10 * time.Second, Turns: timing.Turns(turns, answers, func(s call.Segment) call.Manner {
		if s.Start > 2*time.Second {
			return call.MannerInterrupt
		}
		return call.MannerPlain
	})}
	for _, m := range timing.Measure(timing.Input{Heard: heard}) {
		if m.Spread != nil && !known[m.Name].Spread {
			t.Errorf("%s has statistics that cannot be named", m.Name)
		}
	}
}
