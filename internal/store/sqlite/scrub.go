package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/ringtrue/ringtrue/internal/problem"
)

// Where a row is deleted or changed SQLite overwrites it with zeros at once
// (secure_delete), and a page that is let go of, whole. But when it moves rows
// to another page, so that all have room, it copies them and forgets the old
// place, which then is part of the unused middle of the page. Nobody copies what
// lies there, so that one look at each page after an erasure finds all that was
// left of it.
//
// The pages are read and written by way of SQLite's own sqlite_dbpage: its
// transactions, its log and its locks, as with any row.

const (
	// piece is how many pages are looked at in one go, batch how many are overwritten
	// in one transaction: fewer than that of a group of call logs writes.
	piece = 1024
	batch = 32
	// rests is how many times as long as a piece took the next one is waited for.
	rests = 3
	// readersPatience is how long everybody who wants to write waits for somebody who
	// reads what the log has, and readersRest until that is tried again, for readersTries times.
	readersPatience = "50"
	readersRest     = 250 * time.Millisecond
	readersTries    = 40

	lookAt = `WITH RECURSIVE n (i) AS (SELECT $1 UNION ALL SELECT i + 1 FROM n WHERE i < $2)
		SELECT p.pgno, p.data FROM n CROSS JOIN sqlite_dbpage p WHERE p.pgno = n.i`
	onePage   = `SELECT data FROM sqlite_dbpage WHERE pgno = $1`
	writePage = `UPDATE sqlite_dbpage SET data = $1 WHERE pgno = $2`
)

// errReaders is the failure of a Scrub that somebody's reading held up.
var errReaders = errors.New("the write-ahead log is being read")

// Scrub implements store.Scrubber. It overwrites what erased rows have left in
// the unused middle of pages, and empties the write-ahead log, which has the
// pages as they were. Those who ask while it is being done wait for a next time,
// and share it.
func (e *Engine) Scrub(ctx context.Context) error {
	t := e.scrubs.join()
	select {
	case <-t.over:
		return t.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// scrubs are the times that the pages are gone over, one after the other.
type scrubs struct {
	ctx  context.Context //nolint:containedctx // that of all of them, which nobody's own ends
	stop context.CancelFunc
	pass func(ctx context.Context) error
	done sync.WaitGroup

	mu   sync.Mutex
	next *scrub
	busy bool
}

// scrub is one time. err is read when it is over.
type scrub struct {
	over chan struct{}
	err  error
}

func newScrubs(pass func(ctx context.Context) error) *scrubs {
	ctx, stop := context.WithCancel(context.Background())
	return &scrubs{ctx: ctx, stop: stop, pass: pass}
}

// join is the time that has not begun yet.
func (s *scrubs) join() *scrub {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.next == nil {
		s.next = &scrub{over: make(chan struct{})}
	}
	if !s.busy {
		s.busy = true
		s.done.Go(s.run)
	}
	return s.next
}

// run goes over the pages until nobody asks for it any more.
func (s *scrubs) run() {
	for {
		s.mu.Lock()
		t := s.next
		s.next, s.busy = nil, t != nil
		s.mu.Unlock()
		if t == nil {
			return
		}
		t.err = s.pass(s.ctx)
		close(t.over)
	}
}

func (s *scrubs) close() {
	s.stop()
	s.done.Wait()
}

// pass goes over all pages there are. What is added meanwhile holds nothing
// that was erased before.
func (e *Engine) pass(ctx context.Context) error {
	if err := e.emptyLog(ctx); err != nil && !errors.Is(err, errReaders) { // at once, for the rest may take a while
		return err
	}
	form, err := e.form(ctx)
	if err != nil {
		return err
	}
	for first := int64(2); first <= form.pages; first += piece { // 1 lists the tables, and holds nobody's words
		var found []int64
		if err := slowly(ctx, func() (err error) {
			found, err = e.look(ctx, form, first, min(first+piece-1, form.pages))
			return err
		}); err != nil {
			return err
		}
		for some := range slices.Chunk(found, batch) {
			if err := slowly(ctx, func() error { return e.overwrite(ctx, form, some) }); err != nil {
				return err
			}
		}
	}
	return e.emptyLog(ctx)
}

// slowly leaves time to others afterwards.
func slowly(ctx context.Context, do func() error) error {
	began := time.Now()
	if err := do(); err != nil {
		return err
	}
	return rest(ctx, rests*time.Since(began))
}

// form is how the file is laid out.
type form struct {
	pages  int64
	usable int
}

// form refuses a file whose pages cannot be told from each other by their first byte.
func (e *Engine) form(ctx context.Context) (form, error) {
	var f form
	var vacuum int
	if err := e.pages.QueryRowContext(ctx, `PRAGMA page_count`).Scan(&f.pages); err != nil {
		return f, err
	}
	if err := e.pages.QueryRowContext(ctx, `PRAGMA auto_vacuum`).Scan(&vacuum); err != nil {
		return f, err
	}
	if vacuum != 0 || f.pages >= treesAreTold {
		return f, problem.New(problem.Conflict, "what erased rows left in the unused parts of the database's pages stays: the file is set to auto_vacuum, or has more than %d pages", treesAreTold).
			WithHint("VACUUM removes it, run by the sqlite3 program while the service is stopped")
	}
	var first []byte
	if err := e.pages.QueryRowContext(ctx, onePage, 1).Scan(&first); err != nil {
		return f, err
	}
	const reserved = 20 // where the head of the file says how much of the end of each page is not SQLite's
	f.usable = len(first) - int(first[reserved])
	return f, nil
}

// look finds pages from first to last with something in their unused part.
func (e *Engine) look(ctx context.Context, f form, first, last int64) (found []int64, err error) {
	rows, err := e.pages.QueryContext(ctx, lookAt, first, last)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var number int64
		var page sql.RawBytes
		if err := rows.Scan(&number, &page); err != nil {
			return nil, err
		}
		if holds(unused(page, f.usable)) {
			found = append(found, number)
		}
	}
	return found, rows.Err()
}

// overwrite has the unused parts of some pages hold nothing. It looks at them
// once more: they may have become other pages since.
func (e *Engine) overwrite(ctx context.Context, f form, pages []int64) (err error) {
	conn, err := e.Begin(ctx, true)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Rollback() }()
	tx, ok := conn.Raw().(*sql.Tx)
	if !ok {
		return fmt.Errorf("a transaction is a %T", conn.Raw())
	}
	for _, number := range pages {
		var page []byte
		if err := tx.QueryRowContext(ctx, onePage, number).Scan(&page); err != nil {
			return fmt.Errorf("page %d: %w", number, err)
		}
		part := unused(page, f.usable)
		if !holds(part) {
			continue
		}
		clear(part)
		if n, err := conn.Exec(ctx, writePage, page, number); err != nil || n != 1 {
			return errors.Join(fmt.Errorf("page %d: %d were written", number, n), err)
		}
	}
	return conn.Commit(ctx)
}

// emptyLog brings the write-ahead log into the file and cuts it off. Most of it is brought
// over beside those who write; they wait for the rest, and for those who read
// the log, for a short while each time that it is tried.
func (e *Engine) emptyLog(ctx context.Context) error {
	for range readersTries {
		if _, err := e.pages.ExecContext(ctx, `PRAGMA wal_checkpoint(PASSIVE)`); err != nil {
			return err
		}
		if err := e.cutLog(ctx); !errors.Is(err, errReaders) {
			return err
		}
		if err := rest(ctx, readersRest); err != nil {
			return err
		}
	}
	return errReaders
}

// cutLog is done by the connection that writes, so that nobody asks in vain for the lock.
func (e *Engine) cutLog(ctx context.Context) (err error) {
	writer, err := e.writer.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, writer.Close()) }()
	if _, err := writer.ExecContext(ctx, `PRAGMA busy_timeout(`+readersPatience+`)`); err != nil {
		return err
	}
	defer func() {
		_, again := writer.ExecContext(context.WithoutCancel(ctx), `PRAGMA `+waits)
		err = errors.Join(err, again)
	}()
	var busy, pages, moved int
	if err := writer.QueryRowContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`).Scan(&busy, &pages, &moved); err != nil {
		return err
	}
	if busy != 0 {
		return errReaders
	}
	return nil
}

func rest(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
