package review

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

// A platform may hand out a whole file with only a part of the call on it. The figures then cover
// that part, and a note says so.
func TestARecordingMuchShorterThanItsCall(t *testing.T) {
	t.Parallel()
	for lasted, noted := range map[time.Duration]bool{45 * time.Second: false, 46 * time.Second: true, time.Hour: true} {
		p := produce(t)
		c := p.store.rows.Calls[id]
		c.EndedAt = answered.Add(lasted)
		p.store.rows.Calls[id] = c
		_, r := p.work(t)
		planted(t, r)
		var want []string
		if noted {
			want = []string{fmt.Sprintf("The recording is 15.0 s long, but the call lasted %.1f s. What the recording lacks is not measured.", lasted.Seconds())}
		}
		if !slices.Equal(r.Notes, want) {
			t.Errorf("%s: notes %q, want %q", lasted, r.Notes, want)
		}
	}
}
