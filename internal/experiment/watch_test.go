package experiment

import (
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
)

// TestWatch looks at pulses every 5 s, with 30 s as the longest silence; each
// story says how the beat of one attempt goes on and when it counts as dead.
func TestWatch(t *testing.T) {
	t.Parallel()
	const every, after = 5 * time.Second, 30 * time.Second
	regular := func(n int) []time.Duration {
		at := make([]time.Duration, n)
		for i := range at {
			at[i] = time.Duration(i) * every
		}
		return at
	}
	still := func(time.Duration) int64 { return 7 }
	for _, c := range []struct {
		name  string
		looks []time.Duration
		beat  func(time.Duration) int64
		dead  time.Duration // 0 for never
	}{
		{"a beat that stands still", regular(20), still, after},
		{"a beat that goes on", regular(20), func(at time.Duration) int64 { return int64(at) }, 0},
		{"a beat that goes back", regular(20), func(at time.Duration) int64 { return -int64(at) }, 0},
		{"a beat that stops", regular(20), func(at time.Duration) int64 { return int64(min(at, 20*time.Second)) }, 50 * time.Second},
		{"a beat once in 25 s", regular(20), func(at time.Duration) int64 { return int64(at / (25 * time.Second)) }, 0},
		{"nobody looked for a minute", []time.Duration{0, every, time.Minute, 65 * time.Second, 70 * time.Second, 80 * time.Second, 90 * time.Second}, still, 90 * time.Second},
		{"nobody looks often enough", []time.Duration{0, 20 * time.Second, 40 * time.Second, 60 * time.Second, 80 * time.Second}, still, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w, dead := newWatch(), time.Duration(0)
			for _, at := range c.looks {
				found := w.silent(at, after, []Pulse{{Attempt: call.Attempt{ID: "att_1"}, Beat: c.beat(at)}})
				if len(found) > 0 && dead == 0 {
					dead = at
				}
			}
			if dead != c.dead {
				t.Errorf("dead at %s, want %s", dead, c.dead)
			}
		})
	}
}

func TestWatchForgetsWhatHasEnded(t *testing.T) {
	t.Parallel()
	w := newWatch()
	for i := range 100 {
		w.silent(time.Duration(i)*time.Second, time.Minute, []Pulse{{Attempt: call.Attempt{ID: string(rune('a' + i%26))}, Beat: 1}})
	}
	if len(w.seen) != 1 {
		t.Errorf("%d attempts are remembered, one is open", len(w.seen))
	}
	if got := w.silent(time.Hour, time.Minute, nil); len(got) != 0 || len(w.seen) != 0 {
		t.Errorf("%v, %v", got, w.seen)
	}
}

func TestOutcomesLieAsFarApartAsTheyDid(t *testing.T) {
	t.Parallel()
	line := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	began := line.Add(-24 * time.Hour) // the wall clock was set back meanwhile
	got := dated(call.Attempt{StartedAt: line, AnsweredAt: line.Add(2 * time.Second), EndedAt: line.Add(9 * time.Second)}, began)
	if !got.StartedAt.Equal(began) || !got.RingingAt.IsZero() || got.AnsweredAt.Sub(began) != 2*time.Second || got.EndedAt.Sub(began) != 9*time.Second {
		t.Errorf("%+v", got)
	}
	if !dated(call.Attempt{}, began).EndedAt.IsZero() {
		t.Error("an outcome without times got some")
	}
}
