package queue

import (
	"context"
	"errors"
	"testing"
	"time"
)

// TestNobodyLooksWhileNothingChanges asks as the queues do, in virtual time.
func TestNobodyLooksWhileNothingChanges(t *testing.T) {
	t.Parallel()
	now, version, fails := time.Unix(1_800_000_000, 0), int64(1), error(nil)
	asked := 0
	c := newCalm(func(context.Context) (int64, error) { asked++; return version, fails }, nil, func() time.Time { return now })
	// looks counts how often each of two queues is looked at in a stretch of time.
	looks := func(d time.Duration) (n int) {
		for until := now.Add(d); now.Before(until); now = now.Add(sqlitePoll) {
			for _, queue := range []string{"place", "review"} {
				if !c.nothingNew(t.Context(), queue) {
					n++
				}
			}
		}
		return n
	}
	expect := func(what string, got, least, most int) {
		t.Helper()
		if got < least || got > most {
			t.Errorf("%s: %d looks, want %d to %d", what, got, least, most)
		}
	}
	expect("at first", looks(settle+sqlitePoll), 8, 8)
	expect("in a calm minute", looks(time.Minute), 20, 26) // 600 without
	if asked > 320 {
		t.Errorf("asked %d times for two queues: once for both was enough", asked)
	}
	version++
	expect("after a change", looks(settle+sqlitePoll), 8, 8)
	now = now.Add(-time.Hour)
	expect("after the clock was set back", looks(time.Second), 10, 10)
	now = now.Add(2 * time.Hour)
	looks(time.Minute)
	fails = errors.New("the file is away")
	expect("when nobody can tell", looks(time.Second), 10, 10)
}
