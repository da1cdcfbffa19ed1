package monitor

import (
	"strings"
	"testing"

	"github.com/ringtrue/ringtrue/internal/trend"
	"github.com/ringtrue/ringtrue/internal/trend/departure"
)

// A drift in calls is reported in calls per hour, not as the total of seven
// days.
func TestADriftOfCallsIsToldByTheHour(t *testing.T) {
	t.Parallel()
	told := incidentSentence(departure.Incident{Metric: "calls", Form: departure.Drift, Sign: trend.Down, Seen: 1.84, Expected: 3.06})
	if want := "1.84 an hour over its last seven days, where 3.06 an hour is usual"; !strings.Contains(told, want) {
		t.Errorf("%q does not say %q", told, want)
	}
}
