package queue

import (
	"context"
	"errors"
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
		"fails":          {func(context.Context, string) error { return errors.New("no") }, false, Failed},
		"fails at last":  {func(context.Context, string) error { return errors.New("no") }, true, GivenUp},
		"panics":         {func(context.Context, string) error { panic("no") }, false, Failed},
		"panics at last": {func(context.Context, string) error { panic("no") }, true, GivenUp},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var told []Worked
			now := time.Unix(0, 0)
			w := &worker{atWork: newAtWork(), told: func(w Worked) { told = append(told, w) }, now: func() time.Time { return now }}
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
