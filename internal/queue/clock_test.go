package queue

import (
	"testing"
	"time"
)

func TestTheDatabaseSetsTheClock(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	c := &clock{now: func() time.Time { return now }}
	answer := func(took, ahead time.Duration) time.Duration {
		c.set(now, now.Add(took), now.Add(took/2+ahead))
		return c.Now().Sub(now)
	}
	const hour = time.Hour
	for _, step := range []struct {
		what              string
		took, ahead, want time.Duration
	}{
		{"the first answer", 4 * time.Millisecond, hour, hour},
		{"a slow one that fits", 2 * time.Second, hour + 500*time.Millisecond, hour},
		{"a faster one", 2 * time.Millisecond, hour + time.Millisecond, hour + time.Millisecond},
		{"a slow one that cannot be: it was set", time.Second, 0, 0},
	} {
		if got := answer(step.took, step.ahead); got != step.want {
			t.Errorf("%s: %s ahead, want %s", step.what, got, step.want)
		}
	}
	if c.NowOrNil() != nil {
		t.Error("a database with a clock of its own is told the time")
	}
	c.own = true
	if got := c.NowOrNil(); got == nil || !got.Equal(c.Now()) {
		t.Errorf("a database without a clock is told %v", got)
	}
}
