package sqlite

import (
	"context"
	"database/sql"
	"os"
	"sync"
	"time"
)

// What is committed lies in the write-ahead log and has to be brought into the
// file some time. Left to itself the writer does that in the middle of a commit,
// every thousand pages. Here another connection does most of it beside the
// writer, and as it waits for more, a page that is written by every commit is
// brought over once for many.
const (
	// checkEvery is how often the length of the log is looked at.
	checkEvery = 250 * time.Millisecond
	// worthIt is how much of the log, in bytes, is brought over at a time.
	worthIt = 8 << 20
	// writersCheckpoint has the writer do the rest when the log has 8000 pages,
	// 32 MB: only when nobody writes to it can it begin from its start again.
	writersCheckpoint = "wal_autocheckpoint(8000)"
)

// checkpoints bring the write-ahead log into the file, in the background.
type checkpoints struct {
	db   *sql.DB
	log  string
	end  context.CancelFunc
	done sync.WaitGroup
}

func beginCheckpoints(path string) *checkpoints {
	db := open(address(path, "deferred"))
	db.SetMaxOpenConns(1)
	ctx, end := context.WithCancel(context.Background())
	c := &checkpoints{db: db, log: path + "-wal", end: end}
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
	ticker := time.NewTicker(checkEvery)
	defer ticker.Stop()
	var seen time.Time
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		info, err := os.Stat(c.log)
		if err != nil || info.Size() < worthIt || info.ModTime().Equal(seen) {
			continue
		}
		seen = info.ModTime()
		_, _ = c.db.ExecContext(ctx, `PRAGMA wal_checkpoint(PASSIVE)`)
	}
}
