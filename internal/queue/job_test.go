package queue

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

func TestJobsAreToldOf(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		run  Handler
		last bool
		want Outcome
	}{
		"done":           {func(context.Context, string) error { return nil }, true, Done},
		"put off":        {func(context.Context, string) error { return Snooze(time.Hour) }, true, PutOff},
		"has to be done": {func(context.Context, string) error { return Again(errors.New("no")) }, false, Failed},
		"fails":          {func(context.Context, string) error { return errors.New("no") }, false, Failed},
		"fails at last":  {func(context.Context, string) error { return errors.New("no") }, true, GivenUp},
		"panics":         {func(context.Context, string) error { panic("no") }, false, Failed},
		"panics at last": {func(context.Context, string) error { panic("no") }, true, GivenUp},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var told []Worked
			now := time.Unix(0, 0)
			w := &worker{atWork: newAtWork(), log: slog.New(slog.DiscardHandler), told: func(w Worked) { told = append(told, w) }, now: func() time.Time { return now }}
			w.run = func(ctx context.Context, id string) error {
				now = now.Add(3 * time.Second)
				return c.run(ctx, id)
			}
			row := &rivertype.JobRow{Kind: "place", Attempt: 2, MaxAttempts: maxAttempts}
			if c.last {
				row.Attempt = maxAttempts
			}
			func() {
				defer func() { _ = recover() }()
				_ = w.Work(t.Context(), &river.Job[job]{JobRow: row})
			}()
			if want := (Worked{Kind: "place", Outcome: c.want, Took: 3 * time.Second}); len(told) != 1 || told[0] != want {
				t.Errorf("%+v, want %+v", told, want)
			}
		})
	}
}

// A job that has to be done is no try the less after each failure, and waits the longer the older it is.
func TestWhatHasToBeDoneIsPutOffByItsAge(t *testing.T) {
	t.Parallel()
	for age, want := range map[time.Duration]time.Duration{
		0: shortestPause, -time.Hour: shortestPause, 40 * time.Second: 10 * time.Second, 24 * time.Hour: longestPause,
	} {
		now := time.Unix(1e9, 0)
		w := &worker{atWork: newAtWork(), log: slog.New(slog.DiscardHandler), now: func() time.Time { return now }}
		w.run = func(context.Context, string) error { return Again(errors.New("no")) }
		err := w.Work(t.Context(), &river.Job[job]{JobRow: &rivertype.JobRow{Kind: "erase", Attempt: 1, MaxAttempts: maxAttempts, CreatedAt: now.Add(-age)}})
		var off *river.JobSnoozeError
		if !errors.As(err, &off) || off.Duration != want {
			t.Errorf("%s old: %v, want %s", age, err, want)
		}
	}
	if Again(nil) != nil {
		t.Error("a job that is done is to be tried again")
	}
}
