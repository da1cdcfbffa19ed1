package monitor

import (
	"testing"
	"time"
)

func TestPauseAfterALook(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		took   time.Duration
		series int
		want   time.Duration
	}{
		"a quick look at few series":        {time.Millisecond, 3, time.Second},
		"what it takes, a fiftieth of time": {2 * time.Millisecond, 100, 10 * time.Second},
		"never longer than a minute":        {50 * time.Millisecond, 1000, lookPause},
		"no series counted":                 {100 * time.Millisecond, 0, 5 * time.Second},
		"the clock was set back":            {-time.Hour, 3, lookPause},
	} {
		if got := pauseAfter(test.took, test.series); got != test.want {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}
