package queue

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

// job is what is kept of a job: its kind and the id of what it is about.
type job struct {
	kind string
	ID   string `json:"id"`
}

// Kind implements river.JobArgs.
func (j job) Kind() string { return j.kind }

// snooze is the error that puts a job off.
type snooze struct{ d time.Duration }

func (s snooze) Error() string { return fmt.Sprintf("put off for %s", s.d) }

// Snooze is returned by a Handler that wants its job tried again after d,
// without that counting as a failure. Up to 5 s it is kept to about 200 ms,
// beyond to about 5 s.
func Snooze(d time.Duration) error { return snooze{max(0, d)} }

// again is the error of a job that has to be done, however long that takes.
type again struct{ error }

// Unwrap gives the failure itself.
func (a again) Unwrap() error { return a.error }

// Again is returned by a Handler that failed and whose job must be done in the end, however
// long what it needs is out of reach: it is told of as a failure, and tried again without end, with
// pauses that grow from a second to five minutes. It is nil where err is.
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

// Work implements river.Worker, and tells of the job once it is over.
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

// goesOn reports whether a job that has failed is to be tried again however often it has.
func (w *worker) goesOn(j *river.Job[job], err error) bool {
	var on again
	return errors.As(err, &on) || w.lasts && isLast(j)
}

// isLast reports whether a job that fails now is given up.
func isLast(j *river.Job[job]) bool { return j.Attempt >= j.MaxAttempts }

// work runs the handler. A job that was told to end because the queue stops is put
// back, not counted as failed.
func (w *worker) work(ctx context.Context, j *river.Job[job]) error {
	w.atWork.begin(j.ID)
	defer w.atWork.end(j.ID)
	return putBack(ctx, w.run(ctx, j.Args.ID))
}

// putBack makes the error of a job that was told to end a wish to be run again.
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
