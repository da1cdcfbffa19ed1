package sqlite

import (
	"context"
	"database/sql"
	"sync"
	"sync/atomic"
	"time"
)

// What is committed lies in the write-ahead log and has to be brought into the
// file some time. Left to itself the writer does that in the middle of a commit,
// every thousand pages. Here another connection does most of it beside the
// writer, and as it waits for more, a page that is written by every commit is
// brought over once for many.
const (
	// worthIt is by how many bytes the log grows from one time to the next. Call logs
	// that arrive as fast as they can write as much in 50 ms: what is left to the
	// writer of 64 MB is little then.
	worthIt = 8 << 20
	// restAfter is how long nothing must have been written after one of these times
	// until the rest is brought over.
	restAfter = 250 * time.Millisecond
	// writersCheckpoint has the writer do the rest when the log has 16000 pages,
	// 64 MB: only when nobody writes to it can it begin from its start again. Everybody
	// who wants to write waits for some milliseconds then.
	writersCheckpoint = "wal_autocheckpoint(16000)"
	// writersPart is where in the log that is: each page lies behind a head of 24
	// bytes. From there on it is left to the writer. Of two at a time one is turned
	// away, and on a disk that takes longer to bring the log over than it does to grow
	// by what is worth it, that would be the writer, at nearly every commit: the log
	// would have no end.
	writersPart = 16000 * (4096 + 24)
)

// growth is what has been added to the write-ahead log.
type growth struct {
	bytes atomic.Int64
	// known is how many of them there were when it was last due.
	known atomic.Int64
	// end is up to where the log was written last.
	end atomic.Int64
	// due holds one word while it is worth to bring the log over.
	due chan struct{}
}

func newGrowth() *growth { return &growth{due: make(chan struct{}, 1)} }

// add counts bytes that were written to the log, up to end.
func (g *growth) add(bytes, end int64) {
	g.end.Store(end)
	all := g.bytes.Add(bytes)
	if all-g.known.Load() < worthIt {
		return
	}
	g.known.Store(all)
	select {
	case g.due <- struct{}{}:
	default: // it is due already
	}
}

// checkpoints bring the write-ahead log into the file, in the background.
type checkpoints struct {
	db   *sql.DB
	log  *growth
	end  context.CancelFunc
	done sync.WaitGroup
}

func beginCheckpoints(path string, log *growth) *checkpoints {
	db := open(address(path, "deferred"))
	db.SetMaxOpenConns(1)
	ctx, end := context.WithCancel(context.Background())
	c := &checkpoints{db: db, log: log, end: end}
	c.done.Go(func() { c.run(ctx) })
	return c
}

func (c *checkpoints) stop() error {
	c.end()
	c.done.Wait()
	return c.db.Close()
}

// run goes on when a checkpoint fails: the writer meets what is wrong with the
// disk itself, and says so.
func (c *checkpoints) run(ctx context.Context) {
	var rest <-chan time.Time
	var before int64
	for {
		select {
		case <-ctx.Done():
			return
		case <-c.log.due:
			rest, before = time.After(restAfter), c.log.bytes.Load()
			if c.log.end.Load() >= writersPart {
				continue
			}
		case <-rest:
			rest = nil
			if now := c.log.bytes.Load(); now != before { // it is not over yet
				rest, before = time.After(restAfter), now
				continue
			}
		}
		_, _ = c.db.ExecContext(ctx, `PRAGMA wal_checkpoint(PASSIVE)`)
	}
}
