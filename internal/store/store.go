// Package store keeps everything on SQLite or PostgreSQL with one SQL text for
// both. Its children store/sqlite and store/postgres are the two engines,
// store/blob keeps the recordings, store/storetest is the suite that both
// engines pass.
//
// A *Tx is what packages experiment, calllog, review, catalog, archive, monitor,
// credential, savedview, price, workspace and workspace/people ask for in their
// ports; As hands a Store to each of them. Package queue lends it the Enqueuer, so
// that a job is part of the transaction.
//
// Identifiers are TypeIDs: they sort by the time they were made, so every list
// that runs "newest first" is ordered by id alone and its cursor is an id.
// Times are kept in whole microseconds UTC, 0 for the zero time.
package store

import (
	"context"
	"fmt"
	"time"

	"github.com/ringtrue/ringtrue/internal/audit"
	"github.com/ringtrue/ringtrue/internal/calllog"
	"github.com/ringtrue/ringtrue/internal/problem"
)

// Failure is what an engine makes of a database error.
type Failure int

// The kinds of database errors.
const (
	// Final errors stay when the transaction is tried again.
	Final Failure = iota
	// Transient errors (serialisation failure, deadlock, SQLITE_BUSY) go away.
	Transient
	// Duplicate says that a unique key is taken.
	Duplicate
	// Unfit says that a text holds what the engine cannot keep (NUL).
	Unfit
	// Away says that the database does not answer; the transaction did not happen.
	Away
	// Hung is Away after so long a wait that trying again would only double it.
	Hung
	// Full says that there is no room left to write; the transaction did not happen.
	Full
	// Broken says that the files of the database, or their disk, cannot be worked
	// with; the transaction did not happen.
	Broken
	// Uncertain says that the database failed during a commit, and it could
	// not be found out what became of it.
	Uncertain
)

// Engine is a database. Conns of a write transaction see the rows they lock
// as the last commit left them.
type Engine interface {
	// Begin opens a transaction; write false promises that nothing is changed.
	Begin(ctx context.Context, write bool) (Conn, error)
	// LockClause follows a SELECT that holds its rows until the end of the transaction.
	LockClause() string
	Classify(err error) Failure
	// Ping reports whether the database answers.
	Ping(ctx context.Context) error
	Close() error
}

// Clock is an Engine with a clock that all processes on the database share.
type Clock interface {
	// NowMicros is the SQL expression of the time, in microseconds since 1970.
	NowMicros() string
}

// Explainer is an Engine that may know more of a failure than its kind.
type Explainer interface {
	// Explain says what it knows of a failure, nil for nothing.
	Explain(err error) *problem.Error
}

// Trimmer is an Engine that keeps things of its own for a while.
type Trimmer interface {
	// Trim removes those that have outlived their time.
	Trim(ctx context.Context) error
}

// Scrubber is an Engine that can clear away what deleted rows have left behind.
type Scrubber interface {
	Scrub(ctx context.Context) error
}

// Conn is one open transaction of an engine.
type Conn interface {
	// Exec returns the number of rows it changed.
	Exec(ctx context.Context, text string, args ...any) (int64, error)
	Query(ctx context.Context, text string, args ...any) (Rows, error)
	// Commit makes the changes last. After an error they are not there, unless the
	// engine calls it Uncertain.
	Commit(ctx context.Context) error
	// Rollback may follow a Commit, and then does nothing.
	Rollback() error
	// Raw is the *sql.Tx or pgx.Tx underneath.
	Raw() any
}

// Rows is the result of a query.
type Rows interface {
	Next() bool
	Scan(into ...any) error
	Err() error
	Close() error
}

// Enqueuer inserts a job inside a transaction, raw being Conn.Raw.
type Enqueuer interface {
	Enqueue(ctx context.Context, raw any, kind, id string, after time.Duration) error
	// EnqueueAll inserts one job per id, all to run at once; those of a smaller urgency (1 to 4) go first, and
	// Enqueue's have an urgency of 1.
	EnqueueAll(ctx context.Context, raw any, kind string, urgency int, ids []string) error
}

// Store gives transactions over an Engine.
type Store struct {
	engine   Engine
	enqueuer Enqueuer
	now      func() time.Time
	codec    codec
	tell     Telling
	// readBody is what ReadBodies was given.
	readBody func(provider string, body []byte) (calllog.Record, error)
}

// New returns a store over the engine. enqueuer may be nil for programs that
// start no work; now dates events and idempotency keys. The caller keeps the
// engine and closes it.
func New(engine Engine, enqueuer Enqueuer, now func() time.Time) *Store {
	return &Store{engine: engine, enqueuer: enqueuer, now: now, codec: newCodec()}
}

// Telling says who is told how the database fares; nil tells nobody.
type Telling struct {
	// Committed is told how long the commit of a transaction took that changed something.
	Committed func(took time.Duration)
	// Failed is told of every try that did not come through for a reason of the database's
	// own: none that is Final, Duplicate or Unfit.
	Failed func(Failure)
}

// Tell has somebody told how the database fares. It may be called before the store is used.
func (s *Store) Tell(t Telling) { s.tell = t }

// Ping reports whether the database answers.
func (s *Store) Ping(ctx context.Context) error { return s.told(s.engine.Ping(ctx)) }

// Scrub clears away what deleted and changed rows have left behind, as far as
// the engine can. An error means that it is worth another try.
func (s *Store) Scrub(ctx context.Context) error {
	engine, ok := s.engine.(Scrubber)
	if !ok {
		return nil
	}
	return s.told(engine.Scrub(ctx))
}

func (s *Store) once(ctx context.Context, write bool, f func(*Tx) error) error {
	conn, err := s.engine.Begin(ctx, write)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	defer func() { _ = conn.Rollback() }()
	tx := &Tx{store: s, conn: conn, writes: write}
	if err := f(tx); err != nil {
		return err
	}
	if !write {
		return nil
	}
	if err := tx.useKey(ctx); err != nil {
		return err
	}
	audited, err := tx.keepAudit(ctx)
	if err != nil {
		return err
	}
	if err := tx.flushEvents(ctx); err != nil {
		return err
	}
	if err := s.commit(ctx, tx); err != nil {
		return err
	}
	keyCommitted(ctx, tx)
	if audited {
		audit.Kept(ctx)
	}
	return nil
}

// commit makes the changes of the transaction last.
func (s *Store) commit(ctx context.Context, tx *Tx) error {
	if s.tell.Committed == nil || tx.changed == 0 {
		return tx.commit(ctx)
	}
	began := s.now()
	err := tx.commit(ctx)
	if err == nil {
		s.tell.Committed(s.now().Sub(began))
	}
	return err
}

func (tx *Tx) commit(ctx context.Context) error {
	if err := tx.conn.Commit(ctx); err != nil {
		return fmt.Errorf("commit: %w", tx.explain(err))
	}
	return nil
}
