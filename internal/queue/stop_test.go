package queue_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/queue"
	"github.com/ringtrue/ringtrue/internal/store"
	"github.com/ringtrue/ringtrue/internal/store/postgres"
)

func TestStopPutsBackWhatWillNotEnd(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, open func() store.Engine) {
		e := open()
		running, told, ids := make(chan string, 1), make(chan struct{}), make(chan string, 1)
		q := started(t, queue.Options{Engine: e, Workers: map[string]queue.Worker{"place": {Run: func(ctx context.Context, id string) error {
			running <- id
			<-ctx.Done()
			close(told)
			return ctx.Err()
		}}}})
		enqueue(t, over(t, e), "place", "one", 0)
		next(t, running)
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		if err := q.Stop(ctx); err != nil {
			t.Fatal(err)
		}
		<-told
		started(t, queue.Options{Engine: e, Workers: map[string]queue.Worker{"place": {Run: into(ids)}}})
		if id := next(t, ids); id != "one" {
			t.Errorf("got %s", id)
		}
	})
}

// A job that goes on where it was holds up no stop.
func TestStopDoesNotWaitForWhatResumes(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, open func() store.Engine) {
		e := open()
		running, ids := make(chan string, 1), make(chan string, 1)
		q := started(t, queue.Options{Engine: e, Workers: map[string]queue.Worker{"replay": {Resumes: true, Run: func(ctx context.Context, id string) error {
			running <- id
			<-ctx.Done()
			return ctx.Err()
		}}}})
		enqueue(t, over(t, e), "replay", "one", 0)
		next(t, running)
		if err := q.Stop(t.Context()); err != nil { // which has no end of its own
			t.Fatal(err)
		}
		started(t, queue.Options{Engine: e, Workers: map[string]queue.Worker{"replay": {Run: into(ids)}}})
		if id := next(t, ids); id != "one" {
			t.Errorf("got %s", id)
		}
	})
}

func TestStopWaitsForRunningJobs(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, open func() store.Engine) {
		e := open()
		running, finish := make(chan string, 1), make(chan struct{})
		var done atomic.Bool
		q := started(t, queue.Options{Engine: e, Workers: map[string]queue.Worker{"place": {Run: func(ctx context.Context, id string) error {
			running <- id
			<-finish
			done.Store(ctx.Err() == nil)
			return nil
		}}}})
		enqueue(t, over(t, e), "place", "one", 0)
		next(t, running)
		time.AfterFunc(100*time.Millisecond, func() { close(finish) })
		if err := q.Stop(t.Context()); err != nil || !done.Load() {
			t.Errorf("stopped with %v; job done in peace: %v", err, done.Load())
		}
	})
}

// A process that waits for its jobs before it stops still lives: others would take them from it.
func TestStopBeatsUntilTheLastJobHasEnded(t *testing.T) {
	t.Parallel()
	e := engines["postgres"](t)().(*postgres.Engine)
	running, finish, stopped := make(chan string, 1), make(chan struct{}), make(chan error, 1)
	q := started(t, queue.Options{Engine: e, Beat: 20 * time.Millisecond, Workers: map[string]queue.Worker{
		"place": {Run: func(_ context.Context, id string) error {
			running <- id
			<-finish
			return nil
		}},
		"replay": {Resumes: true, Run: func(ctx context.Context, id string) error {
			running <- id
			<-ctx.Done() // which tells that the stop has begun
			running <- "told to end"
			return ctx.Err()
		}},
	}})
	enqueue(t, over(t, e), "place", "one", 0)
	next(t, running)
	enqueue(t, over(t, e), "replay", "two", 0)
	next(t, running)
	go func() { stopped <- q.Stop(t.Context()) }()
	next(t, running)
	beat := func() (at time.Time) {
		if err := e.Pool().QueryRow(t.Context(), `SELECT beat_at FROM queue_processes`).Scan(&at); err != nil {
			t.Fatal(err)
		}
		return at
	}
	begun := time.Now()
	for last, changes := beat(), 0; changes < 3; { // one may have been under way
		if now := beat(); !now.Equal(last) {
			last, changes = now, changes+1
		}
		if time.Since(begun) > patience {
			t.Fatal("a process that waits for its jobs has fallen silent")
		}
	}
	close(finish)
	if err := <-stopped; err != nil {
		t.Error(err)
	}
}

func TestPeriodicWork(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, open func() store.Engine) {
		e := open()
		beats, ids := make(chan string), make(chan string, 1)
		q := started(t, queue.Options{
			Engine: e, Workers: map[string]queue.Worker{"place": {Run: into(ids)}},
			Periodic: []queue.Periodic{{Name: "beat", Every: time.Millisecond, Run: func(ctx context.Context) error {
				select {
				case beats <- "beat":
				case <-ctx.Done():
				}
				return errors.New("does not stop it")
			}}},
		})
		for range 3 {
			next(t, beats)
		}
		if err := q.Stop(t.Context()); err != nil {
			t.Error(err)
		}
		select {
		case <-beats:
			t.Error("a beat after Stop")
		default:
		}
	})
}
