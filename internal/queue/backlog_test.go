package queue_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/queue"
	"github.com/ringtrue/ringtrue/internal/store"
)

func TestBacklogTellsWhatWaits(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, open func() store.Engine) {
		e := open()
		s := over(t, e)
		now := time.Now()
		q, err := queue.New(queue.Options{
			Engine: e, Log: slog.New(slog.DiscardHandler), Now: func() time.Time { return now },
			Workers: map[string]queue.Worker{"place": {}, "review": {}},
		})
		if err != nil {
			t.Fatal(err)
		}
		enqueue(t, s, "place", "one", 0)
		enqueue(t, s, "place", "two", 0)
		enqueue(t, s, "review", "later", time.Hour)
		now = now.Add(time.Minute)
		got, err := q.Backlog(t.Context())
		if err != nil || len(got) != 2 {
			t.Fatalf("%+v %v", got, err)
		}
		place, review := got[0], got[1]
		if place.Kind != "place" || place.Due != 2 || place.Later != 0 || place.Oldest < 50*time.Second || place.Oldest > 61*time.Second {
			t.Errorf("%+v", place)
		}
		if review != (queue.Waiting{Kind: "review", Later: 1}) {
			t.Errorf("%+v", review)
		}
		enqueue(t, s, "place", "three", 0)
		if again, err := q.Backlog(t.Context()); err != nil || again[0] != place {
			t.Errorf("the database was asked again at once: %+v %v", again, err)
		}
		now = now.Add(6 * time.Second)
		gone, leave := context.WithCancel(t.Context())
		leave()
		_, _ = q.Backlog(gone) // who asks first may have gone
		if again, err := q.Backlog(t.Context()); err != nil || again[0].Due != 3 {
			t.Errorf("the database is not asked any more: %+v %v", again, err)
		}
	})
}
