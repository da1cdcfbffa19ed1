package queue

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

// job is what is stored of a job: its kind and the id of what it is about.
type job struct {
	kind string
	ID   string `json:"id"`
}

// Kind implements river.JobArgs.
func (j job) Kind() string { return j.kind }

// snooze is the error that puts a job off.
type snooze struct{ d time.Duration }

func (s snooze) Error() string { return fmt.Sprintf("put off for %s", s.d) }

// Snooze is returned by a Handler that wants its job run again after d without that counting as a
// failure. Up to 5 s, d is kept to within about 200 ms, above that to within about 5 s.
func Snooze(d time.Duration) error { return snooze{max(0, d)} }

// again is the error of a job that must be done however long it takes.
type again struct{ error }

// Unwrap gives the failure itself.
func (a again) Unwrap() error { return a.error }

// Again is returned by a Handler that failed, for a job that must be done in the end, however long
// what it needs is out of reach. It is logged as a failure and retried without end, after pauses
// that grow from a second to five minutes. Again(nil) is nil.
func Again(err error) error {
	if err == nil {
		return nil
	}
	return again{err}
}

// The pauses before a job of Again is tried again: a share of how old it is.
const (
	shortestPause = time.Second
	longestPause  = 5 * time.Minute
	pauseShare    = 4
)

// worker runs a Handler for River.
type worker struct {
	river.WorkerDefaults[job]
	run    Handler
	lasts  bool
	atWork *atWork
	log    *slog.Logger
	// told is told of every job, nil of none.
	told func(Worked)
	now  func() time.Time
}

// Outcome is what became of a job.
type Outcome string

// The outcomes.
const (
	Done    Outcome = "done"
	PutOff  Outcome = "put_off"
	Failed  Outcome = "failed"   // and will be tried again
	GivenUp Outcome = "given_up" // it failed for the last time
)

// Worked is a job that has been worked.
type Worked struct {
	Kind    string
	Outcome Outcome
	Took    time.Duration
}

// Timeout implements river.Worker.
func (w *worker) Timeout(*river.Job[job]) time.Duration { return noTimeout }

// Work implements river.Worker, and reports the job once it is over.
func (w *worker) Work(ctx context.Context, j *river.Job[job]) error {
	began, outcome := w.now(), Failed // unless it comes back, which it does not when it panics
	if isLast(j) {
		outcome = GivenUp
	}
	defer func() {
		if w.told != nil {
			w.told(Worked{Kind: j.Kind, Outcome: outcome, Took: w.now().Sub(began)})
		}
	}()
	err := w.work(ctx, j)
	var off snooze
	switch {
	case err == nil:
		outcome = Done
	case errors.As(err, &off):
		outcome = PutOff
		return river.JobSnooze(off.d)
	case w.goesOn(j, err):
		outcome = Failed
		errorLog{w.log}.tried(ctx, j.JobRow, err)
		return river.JobSnooze(min(max(w.now().Sub(j.CreatedAt)/pauseShare, shortestPause), longestPause))
	}
	return err
}

// goesOn reports whether a failed job is retried without end.
func (w *worker) goesOn(j *river.Job[job], err error) bool {
	var on again
	return errors.As(err, &on) || w.lasts && isLast(j)
}

// isLast reports whether a job that fails now is given up.
func isLast(j *river.Job[job]) bool { return j.Attempt >= j.MaxAttempts }

// work runs the handler. A job that was told to end because the queue stops is put
// back, not counted as failed.
func (w *worker) work(ctx context.Context, j *river.Job[job]) (err error) {
	w.atWork.begin(j.ID)
	defer w.atWork.end(j.ID)
	if w.lasts && isLast(j) { // River would drop it
		defer func() {
			if cause := recover(); cause != nil {
				errorLog{w.log}.HandlePanic(ctx, j.JobRow, cause, string(debug.Stack()))
				err = errPanicked
			}
		}()
	}
	return putBack(ctx, w.run(ctx, j.Args.ID))
}

// errPanicked is the failure of a job that panicked and is tried on.
var errPanicked = errors.New("the job panicked")

// putBack turns the error of a job that was told to end into a request to run it again.
func putBack(ctx context.Context, err error) error {
	var off snooze
	if err != nil && ctx.Err() != nil && !errors.As(err, &off) {
		return Snooze(0)
	}
	return err
}

// retries spaces the tries of a failing job: 1, 4, 9 and 16 seconds.
type retries struct{ now func() time.Time }

// NextRetry implements river.ClientRetryPolicy.
func (r retries) NextRetry(row *rivertype.JobRow) time.Time {
	tries := len(row.Errors) + 1
	return r.now().Add(time.Duration(tries*tries) * time.Second)
}
