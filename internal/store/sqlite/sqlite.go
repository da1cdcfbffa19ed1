// Package sqlite is package store's engine for one process: a file in WAL mode
// with one writing connection and a pool of readers, synced to disk at every
// commit. Package store drives it; package queue runs its jobs over the same
// writing connection (DB).
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"net/url"
	"path/filepath"
	"strings"

	driver "modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"github.com/ringtrue/ringtrue/internal/store"
)

// Engine is an open database file.
type Engine struct {
	writer, readers *sql.DB
	// watcher is one connection that does nothing but tell what others have written.
	watcher *sql.DB
	// pages is one connection that goes over the pages of the file.
	pages       *sql.DB
	scrubs      *scrubs
	checkpoints *checkpoints
	gather      *gather
	kept        *memory
	place       place
}

const (
	readerConns = 4
	// waits is how long a connection waits for a lock that another has, in milliseconds.
	waits = "busy_timeout(5000)"
	// cache lets a reader keep the pages of a wide answer (a chart over many
	// series), and the writer the ends of all its indices: 16 MB for each.
	cache = "cache_size(-16000)"
	// unchecked leaves out the CHECKs of River's tables; ours have none. To look a
	// job's state up in their lists SQLite makes tables in memory each time, for
	// several times what the job's row costs; River checks what it writes itself.
	unchecked = "ignore_check_constraints(1)"
)

// aside has what SQLite lays aside, for a statement that changes many pages or a sort of many rows,
// lie beside the file. The places that it would look for may not be there or have no room, as in a
// container that may write nothing but its data, and are read by others. The files have no name, and
// end with the process. The place is one for the process: that of the last file it has opened.
func aside(path string) string {
	return "temp_store_directory('" + strings.ReplaceAll(filepath.Dir(path), "'", "''") + "')"
}

// Open opens the file at path, makes it when there is none, with mode 0600, and migrates it. A
// file that a newer version of the program has written is refused.
func Open(ctx context.Context, path string) (*Engine, error) { return OpenTelling(ctx, path, nil) }

// OpenTelling is Open; tell hears of the steps of a migration.
func OpenTelling(ctx context.Context, path string, tell store.Tell) (*Engine, error) {
	ours.setUp()
	path = BehindLinks(path)
	if err := checkLog(path); err != nil {
		return nil, err
	}
	makePrivate(path)
	log := newGrowth()
	together, err := newGather(log)
	if err != nil {
		return nil, err
	}
	writer := sql.OpenDB(connector{driver: new(driver.Driver), address: address(path, "immediate", "query_only(0)", unchecked, writersCheckpoint, aside(path)), gather: together})
	// One connection: writers queue up in the process instead of in the file.
	writer.SetMaxOpenConns(1)
	if err := upgrade(ctx, writer, path, tell); err != nil {
		defer together.close()
		return nil, errors.Join(unusable(path, err), writer.Close())
	}
	where, err := placeOf(path)
	if err == nil {
		err = where.writable() // nothing need have been written yet
	}
	if err != nil {
		defer together.close()
		return nil, errors.Join(unusable(path, err), writer.Close())
	}
	readers := open(address(path, "deferred", "query_only(1)"))
	readers.SetMaxOpenConns(readerConns)
	readers.SetMaxIdleConns(readerConns)
	watcher := open(address(path, "deferred", "query_only(1)", "cache_size(-100)"))
	watcher.SetMaxOpenConns(1)
	pages := open(address(path, "deferred", "query_only(1)", "cache_size(-100)"))
	pages.SetMaxOpenConns(1)
	e := &Engine{
		writer: writer, readers: readers, watcher: watcher, pages: pages,
		checkpoints: beginCheckpoints(path, log), gather: together, kept: keepMemory(), place: where,
	}
	e.scrubs = newScrubs(e.pass)
	return e, nil
}

func open(address string) *sql.DB {
	return sql.OpenDB(connector{driver: new(driver.Driver), address: address})
}

func address(path, lock string, extra ...string) string {
	q := url.Values{"_txlock": {lock}, "_pragma": append([]string{
		waits, "journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(1)", "secure_delete(1)", cache,
	}, extra...)}
	return (&url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath(), RawQuery: q.Encode()}).String()
}

// DB is the writing connection, for the queue.
func (e *Engine) DB() *sql.DB { return e.writer }

// Watcher is a connection that reads, for short questions that are asked all the time.
func (e *Engine) Watcher() *sql.DB { return e.watcher }

// Version is a number that is another one after every commit, whoever made it.
func (e *Engine) Version(ctx context.Context) (version int64, err error) {
	err = e.watcher.QueryRowContext(ctx, `PRAGMA data_version`).Scan(&version)
	return version, err
}

// Close closes the file.
func (e *Engine) Close() error {
	defer e.kept.free()
	defer e.gather.close()
	e.scrubs.close()
	return errors.Join(e.checkpoints.stop(), e.pages.Close(), e.watcher.Close(), e.readers.Close(), e.writer.Close())
}

// Ping implements store.Engine.
func (e *Engine) Ping(ctx context.Context) error {
	// First: to open an empty file that has come into the place would remove the log beside it.
	if err := e.place.check(); err != nil {
		return err
	}
	if err := e.place.writable(); err != nil {
		return err
	}
	if err := e.place.hasRoom(); err != nil {
		return err
	}
	return e.readers.PingContext(ctx)
}

// LockClause implements store.Engine: a writing transaction has the whole file.
func (e *Engine) LockClause() string { return "" }

// Begin implements store.Engine.
func (e *Engine) Begin(ctx context.Context, write bool) (store.Conn, error) {
	db := e.readers
	if write {
		db = e.writer
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return nil, err
	}
	if write {
		if err := e.place.check(); err != nil {
			return nil, errors.Join(err, tx.Rollback())
		}
	}
	return conn{tx}, nil
}

// Classify implements store.Engine.
func (e *Engine) Classify(err error) store.Failure {
	var failure *driver.Error
	if !errors.As(err, &failure) {
		return store.Final
	}
	switch failure.Code() {
	case lib.SQLITE_CONSTRAINT_UNIQUE, lib.SQLITE_CONSTRAINT_PRIMARYKEY:
		return store.Duplicate
	case lib.SQLITE_IOERR_SHMSIZE:
		return store.Full
	case lib.SQLITE_IOERR_FSYNC, lib.SQLITE_IOERR_DIR_FSYNC:
		// The commit is undone, but it is in the log until another is written over
		// it: a process that ends before has it when it begins again.
		return store.Uncertain
	}
	switch failure.Code() & 0xff {
	case lib.SQLITE_BUSY, lib.SQLITE_LOCKED:
		return store.Transient
	case lib.SQLITE_FULL:
		return store.Full
	case lib.SQLITE_IOERR, lib.SQLITE_CANTOPEN, lib.SQLITE_READONLY, lib.SQLITE_CORRUPT, lib.SQLITE_NOTADB:
		return store.Broken
	}
	return store.Final
}

type conn struct{ tx *sql.Tx }

func (c conn) Exec(ctx context.Context, text string, args ...any) (int64, error) {
	result, err := c.tx.ExecContext(ctx, text, args...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// Insert implements store.Inserter: the statement for one row is prepared once
// and for all, and run for each.
func (c conn) Insert(ctx context.Context, table, columns string, rows [][]any) (bool, error) {
	values, err := manyOf(rows)
	if err != nil {
		return false, err
	}
	marks, values := values.marks()
	_, err = c.tx.ExecContext(ctx, "INSERT INTO "+table+" ("+columns+") VALUES ("+marks+")", values)
	return true, err
}

func (c conn) Query(ctx context.Context, text string, args ...any) (store.Rows, error) {
	rows, err := c.tx.QueryContext(ctx, text, args...) //nolint:rowserrcheck // whoever reads the rows asks for their error
	if err != nil {
		return nil, err
	}
	return rows, nil
}

func (c conn) Commit(context.Context) error { return c.tx.Commit() }
func (c conn) Rollback() error              { return c.tx.Rollback() }
func (c conn) Raw() any                     { return c.tx }
