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
		run         Handler
		last, lasts bool
		want        Outcome
	}{
		"done":           {func(context.Context, string) error { return nil }, true, false, Done},
		"put off":        {func(context.Context, string) error { return Snooze(time.Hour) }, true, true, PutOff},
		"has to be done": {func(context.Context, string) error { return Again(errors.New("no")) }, true, false, Failed},
		"fails":          {func(context.Context, string) error { return errors.New("no") }, false, false, Failed},
		"fails at last":  {func(context.Context, string) error { return errors.New("no") }, true, false, GivenUp},
		"fails on":       {func(context.Context, string) error { return errors.New("no") }, true, true, Failed},
		"panics":         {func(context.Context, string) error { panic("no") }, false, false, Failed},
		"panics at last": {func(context.Context, string) error { panic("no") }, true, false, GivenUp},
		"panics on":      {func(context.Context, string) error { panic("no") }, true, true, Failed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var told []Worked
			now := time.Unix(0, 0)
			w := &worker{lasts: c.lasts, atWork: newAtWork(), log: slog.New(slog.DiscardHandler), told: func(w Worked) { told = append(told, w) }, now: func() time.Time { return now }}
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
	w := &worker{lasts: true, atWork: newAtWork(), log: slog.New(slog.DiscardHandler), now: time.Now}
	w.run = func(context.Context, string) error { return errors.New("no") }
	for try, on := range map[int]bool{maxAttempts - 1: false, maxAttempts: true, maxAttempts + 3: true} {
		err := w.Work(t.Context(), &river.Job[job]{JobRow: &rivertype.JobRow{Kind: "spread", Attempt: try, MaxAttempts: maxAttempts, CreatedAt: time.Now()}})
		if off := (*river.JobSnoozeError)(nil); errors.As(err, &off) != on {
			t.Errorf("try %d of what lasts: %v", try, err)
		}
	}
	if Again(nil) != nil {
		t.Error("a job that is done is to be tried again")
	}
}
