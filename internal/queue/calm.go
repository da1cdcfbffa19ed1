package queue

import (
	"context"
	"database/sql"
	"sync"
	"time"

	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	"github.com/riverqueue/river/rivertype"
)

const (
	// settle is how long after a change of the file jobs are looked for: what was
	// written may be due a moment later, and each queue looks every sqlitePoll.
	settle = 3 * sqlitePoll
	// longestCalm is the longest time without a look for jobs.
	longestCalm = 5 * time.Second
	// askEvery is how often the file is asked whether it has changed.
	askEvery = sqlitePoll / 2
)

// calm spares SQLite the search for jobs while nobody has written to the file. Some ten queues
// search five times a second each, over the one connection that writes; asking whether anything has
// changed costs a fiftieth of that.
type calm struct {
	// version is a number that differs after every change of the file.
	version func(ctx context.Context) (int64, error)
	// waits reports whether a queue has jobs that may be taken.
	waits func(ctx context.Context, queue string) (bool, error)
	now   func() time.Time

	mu             sync.Mutex
	last           int64
	asked, changed time.Time
	looked         map[string]time.Time // by queue
}

func newCalm(version func(ctx context.Context) (int64, error), waits func(ctx context.Context, queue string) (bool, error), now func() time.Time) *calm {
	return &calm{version: version, waits: waits, now: now, last: -1, looked: map[string]time.Time{}}
}

// waiting reports over a reading connection whether a queue has jobs. An attempt to take some costs
// many times as much even when there are none, and holds up all writing.
func waiting(db *sql.DB) func(ctx context.Context, queue string) (bool, error) {
	return func(ctx context.Context, queue string) (waits bool, err error) {
		err = db.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM river_job WHERE state = 'available' AND queue = $1)`, queue).Scan(&waits)
		return waits, err
	}
}

// nothingNew reports that a queue need not be searched. In doubt, as after a clock was set back, it
// is.
func (c *calm) nothingNew(ctx context.Context, queue string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.now()
	if now.Sub(c.asked).Abs() >= askEvery {
		version, err := c.version(ctx)
		if err != nil || version != c.last {
			c.last, c.changed = version, now
		}
		c.asked = now
	}
	if now.Sub(c.changed) > settle && now.Sub(c.looked[queue]).Abs() < longestCalm {
		return true
	}
	c.looked[queue] = now
	return false
}

// calmDriver is River's driver for SQLite without those searches.
type calmDriver struct {
	riverdriver.Driver[*sql.Tx]
	calm *calm
}

func newCalmDriver(db *sql.DB, c *calm) calmDriver { return calmDriver{riversqlite.New(db), c} }

// GetExecutor implements riverdriver.Driver.
func (d calmDriver) GetExecutor() riverdriver.Executor {
	return calmExecutor{d.Driver.GetExecutor(), d.calm}
}

type calmExecutor struct {
	riverdriver.Executor
	calm *calm
}

// JobGetAvailable implements riverdriver.Executor.
func (e calmExecutor) JobGetAvailable(ctx context.Context, params *riverdriver.JobGetAvailableParams) ([]*rivertype.JobRow, error) {
	if e.calm.nothingNew(ctx, params.Queue) {
		return nil, nil
	}
	if waits, err := e.calm.waits(ctx, params.Queue); err == nil && !waits {
		return nil, nil
	}
	return e.Executor.JobGetAvailable(ctx, params)
}
