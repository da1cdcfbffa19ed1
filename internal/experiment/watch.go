package experiment

import (
	"sync"
	"time"
)

// watch finds attempts whose process has fallen silent without asking what
// time it is: a pulse counts as dead when this process has looked at it again
// and again for long enough and its beat never changed. So no clock that is set,
// and no difference between the clocks of two machines, kills the living or
// keeps the dead.
type watch struct {
	mu   sync.Mutex
	seen map[string]sighting
	last time.Duration
}

// sighting is a beat and when it was first seen, by the steady clock.
type sighting struct {
	beat  int64
	since time.Duration
}

func newWatch() *watch { return &watch{seen: map[string]sighting{}} }

// silent looks at the pulses at the steady time now and returns those that have
// not beaten for after. When nobody has looked for half that time (the database
// was away, this process was stopped) the others may have had no chance to beat
// or to be seen beating: then the watch begins anew.
func (w *watch) silent(now, after time.Duration, open []Pulse) []Pulse {
	w.mu.Lock()
	defer w.mu.Unlock()
	fresh := now-w.last > after/2
	w.last = now
	seen := make(map[string]sighting, len(open))
	var out []Pulse
	for _, p := range open {
		before, known := w.seen[p.ID]
		if !known || fresh || before.beat != p.Beat {
			before = sighting{beat: p.Beat, since: now}
		}
		seen[p.ID] = before
		if now-before.since >= after {
			out = append(out, p)
		}
	}
	w.seen = seen
	return out
}
