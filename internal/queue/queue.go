// Package queue hands work out: jobs are inserted inside a transaction of
// package store (Enqueuer), become real with its commit, and are worked here.
// It wraps River, whose tables lie in the same database. What the jobs do is
// handed in by package app.
package queue

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver"

	"github.com/ringtrue/ringtrue/internal/store"
	"github.com/ringtrue/ringtrue/internal/store/postgres"
	"github.com/ringtrue/ringtrue/internal/store/sqlite"
)

// Handler does one job. It must bear being run again for the same id: after a
// crash it is. ctx ends only when the queue is being stopped for good (Worker.Resumes: at once).
//
// nil finishes the job, Snooze puts it off, Again has it tried until it is done, any
// other error has it tried again with growing pauses, five times in all (Worker.Lasts: without end).
type Handler func(ctx context.Context, id string) error

// Worker says who works a kind of job.
type Worker struct {
	Run Handler
	// Max is how many jobs of the kind run at a time in this process; 0 means 1.
	Max int
	// Resumes says that a job may be long and goes on where it was: it is told to end, and
	// put back, as soon as the queue stops.
	Resumes bool
	// Lasts says that nothing else would take up what a job is about: where it has failed
	// as often as any may, it is not given up but tried on, as with Again.
	Lasts bool
}

// Periodic is something to do again and again. It runs in every process, the
// first time right after Start, and must bear running in two at once: a leader
// would have to be elected first, and waited for after every crash.
type Periodic struct {
	Name  string
	Every time.Duration
	Run   func(ctx context.Context) error
}

// Options are what a Queue is made of.
type Options struct {
	// Engine is *sqlite.Engine or *postgres.Engine.
	Engine store.Engine
	// Workers are by kind of job ("place").
	Workers  map[string]Worker
	Periodic []Periodic
	Log      *slog.Logger
	// Now must not jump while the process runs; the same goes to NewEnqueuer. On
	// PostgreSQL it is set by the database's clock, which all processes share.
	Now func() time.Time
	// Beat is how often this process says that it lives (default 5 s), SilentAfter
	// how long another may be silent before its jobs are taken from it (default
	// 30 s). On SQLite they say how often and how
	// patiently jobs are looked for that nobody works any more.
	Beat, SilentAfter time.Duration
	// Worked is told of every job once it has been worked; nil tells nobody.
	Worked func(Worked)
}

// Queue works jobs.
type Queue struct {
	client   client
	recover  recovery
	periodic []Periodic
	log      *slog.Logger
	// tickers run the periodic work, alive that of the queue itself.
	tickers, alive tickers
	backlog        *backlog
	// stop ends stopping, the context of the jobs that are not waited for.
	stop context.CancelFunc
}

// client is River's client, whatever the transaction type.
type client interface {
	Start(ctx context.Context) error
	Stop(ctx context.Context) error
	StopAndCancel(ctx context.Context) error
	ID() string
}

const (
	// maxAttempts bounds how often a job that fails is tried.
	maxAttempts = 5
	// cooldown is the least time between two fetches of jobs.
	cooldown = 20 * time.Millisecond
	// postgresNext is that on PostgreSQL, where taking jobs holds nobody up. A queue
	// with few places and short jobs would stand still most of the time otherwise:
	// two places came to a hundred calls' reviews a second, with the machine half idle.
	// How often the others are told of a new job stays with cooldown.
	postgresNext = 4 * time.Millisecond
	// sqlitePoll is how often jobs are looked for on SQLite, which cannot tell
	// that one has come; postgresPoll is for those that were put off, of which
	// nobody tells either.
	sqlitePoll   = 200 * time.Millisecond
	postgresPoll = 200 * time.Millisecond
	// noTimeout lets a job run as long as it needs; a call may take an hour.
	noTimeout = -1
)

// New returns a queue that works the jobs once it is started.
func New(o Options) (*Queue, error) {
	if o.Beat == 0 {
		o.Beat = 5 * time.Second
	}
	if o.SilentAfter == 0 {
		o.SilentAfter = 30 * time.Second
	}
	stopping, stop := context.WithCancel(context.Background())
	q := &Queue{periodic: o.Periodic, log: o.Log, stop: stop}
	atWork := newAtWork()
	clock := &clock{now: o.Now}
	o.Now = clock.Now
	config := o.config(stopping, atWork)
	config.Test.Time = clock
	var err error
	switch engine := o.Engine.(type) {
	case *sqlite.Engine:
		clock.own = true
		config.PollOnly, config.FetchPollInterval = true, sqlitePoll
		q.client, err = newClient(newCalmDriver(engine.DB(), newCalm(engine.Version, waiting(engine.Watcher()), clock.Now)), config)
		q.recover = &loneProcess{
			db: engine.DB(), watcher: engine.Watcher(), now: clock.Now, atWork: atWork, every: o.Beat, patience: lonePatience * o.SilentAfter,
		}
		q.backlog = newBacklog(o.kinds(), sqliteSeconds, clock.Now, askSQLite(engine.Watcher()))
	case *postgres.Engine:
		config.FetchPollInterval = postgresPoll
		for kind, places := range config.Queues {
			places.FetchCooldown = postgresNext
			config.Queues[kind] = places
		}
		q.client, err = newClient(newOvertakenDriver(engine.Pool()), config)
		q.recover = &manyProcesses{
			pool: engine.Pool(), clock: clock, atWork: atWork, every: o.Beat, patience: o.SilentAfter,
			seen: map[string]sighting{},
		}
		q.backlog = newBacklog(o.kinds(), postgresSeconds, clock.Now, askPostgres(engine.Pool()))
	default:
		return nil, fmt.Errorf("the queue does not run on a %T", o.Engine)
	}
	if err != nil {
		return nil, fmt.Errorf("queue: %w", err)
	}
	return q, nil
}

// Backlog tells of every kind of job how much of it waits. The database is asked at
// most once in a few seconds, however often and by however many this is called.
func (q *Queue) Backlog(ctx context.Context) ([]Waiting, error) { return q.backlog.look(ctx) }

// kinds are the kinds of jobs, in order.
func (o Options) kinds() []string { return slices.Sorted(maps.Keys(o.Workers)) }

func newClient[T any](driver riverdriver.Driver[T], config *river.Config) (client, error) {
	return river.NewClient(driver, config)
}

func (o Options) config(stopping context.Context, atWork *atWork) *river.Config {
	workers, queues := river.NewWorkers(), map[string]river.QueueConfig{}
	for kind, w := range o.Workers {
		river.AddWorkerArgs(workers, job{kind: kind}, &worker{run: w.resuming(stopping), lasts: w.Lasts, atWork: atWork, log: o.Log, told: o.Worked, now: o.Now})
		queues[kind] = river.QueueConfig{MaxWorkers: max(1, w.Max)}
	}
	return &river.Config{
		Workers: workers, Queues: queues,
		FetchCooldown: cooldown,
		JobTimeout:    noTimeout,
		MaxAttempts:   maxAttempts,
		RetryPolicy:   retries{o.Now},
		ErrorHandler:  errorLog{o.Log},
		Logger:        slog.New(newLoud(o.Log.Handler())),
	}
}

// resuming is the handler, whose context also ends with stopping where the job goes on later.
func (w Worker) resuming(stopping context.Context) Handler {
	if !w.Resumes {
		return w.Run
	}
	return func(ctx context.Context, id string) error {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(stopping, cancel)()
		return putBack(ctx, w.Run(ctx, id))
	}
}

// Start takes up the jobs a crash left behind and begins to work. The queue
// runs until Stop, whatever becomes of ctx.
func (q *Queue) Start(ctx context.Context) error {
	if err := q.recover.begin(ctx, q.client.ID()); err != nil {
		return fmt.Errorf("take up the jobs of a crash: %w", err)
	}
	ctx = context.WithoutCancel(ctx)
	if err := q.client.Start(ctx); err != nil {
		return fmt.Errorf("start the queue: %w", err)
	}
	q.alive.start(ctx, q.log, q.recover.periodic(q.client.ID()))
	q.tickers.start(ctx, q.log, q.periodic)
	return nil
}

// grace is how long a job that was told to end may take over it.
const grace = 10 * time.Second

// Stop takes no more jobs and waits for those that run; those that go on later
// (Worker.Resumes) are told to end. When ctx ends first
// they are told to end, and are put back for another process or the next
// start without counting as a failure. Stopping twice does nothing.
func (q *Queue) Stop(ctx context.Context) error {
	q.stop()
	q.tickers.stop()
	defer q.alive.stop() // until the last job has ended: another process would take what a silent one works
	err := q.client.Stop(ctx)
	if err == nil || ctx.Err() == nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer cancel()
	if err := q.client.StopAndCancel(ctx); err != nil && !errors.Is(err, context.Canceled) {
		return fmt.Errorf("jobs that would not end: %w", err)
	}
	return nil
}
