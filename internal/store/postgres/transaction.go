package postgres

import (
	"context"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/ringtrue/ringtrue/internal/store"
)

// The statements that begin a transaction. Writers run at READ COMMITTED and lock
// what they decide upon; readers see one snapshot.
const (
	beginWrite = "begin isolation level read committed"
	beginRead  = "begin isolation level repeatable read read only"
)

// Begin implements store.Engine. The server hears of the transaction with its
// first statement.
func (e *Engine) Begin(ctx context.Context, write bool) (store.Conn, error) {
	var held *pgxpool.Conn
	err := bounded(ctx, e.patience.begin, func(ctx context.Context) (err error) {
		held, err = e.pool.Acquire(ctx)
		return err
	})
	if err != nil {
		return nil, err
	}
	c := &conn{engine: e, held: held}
	if write {
		c.Postpone(beginWrite)
	} else {
		c.Postpone(beginRead)
	}
	return c, nil
}

// conn is a transaction. It holds its connection until it has ended.
type conn struct {
	engine *Engine
	held   *pgxpool.Conn
	// begun says that something has been sent, ended that the connection is given back.
	begun, ended bool
	// later is what was put off, nil for nothing.
	later *pgx.Batch
}

func (c *conn) Exec(ctx context.Context, text string, args ...any) (n int64, err error) {
	err = bounded(ctx, c.engine.patience.statement, func(ctx context.Context) error {
		tag, err := c.exec(ctx, text, args...)
		n = tag.RowsAffected()
		return err
	})
	return n, err
}

// fewRows are inserted by a statement: a COPY takes two more exchanges with the server.
const fewRows = 8

// Insert implements store.Inserter.
func (c *conn) Insert(ctx context.Context, table, columns string, rows [][]any) (bool, error) {
	if len(rows) < fewRows {
		return false, nil
	}
	return true, bounded(ctx, c.engine.patience.statement, func(ctx context.Context) error {
		if err := c.flush(ctx); err != nil {
			return err
		}
		_, err := c.held.CopyFrom(ctx, pgx.Identifier{table}, strings.Split(columns, ", "), pgx.CopyFromRows(rows))
		return err
	})
}

func (c *conn) Query(ctx context.Context, text string, args ...any) (store.Rows, error) {
	patient, cancel := context.WithTimeout(ctx, c.engine.patience.statement)
	found, end, err := c.query(patient, text, args)
	if err != nil {
		err = hungOr(ctx, patient, err)
		cancel()
		return nil, err
	}
	return rows{found, patient, ctx, cancel, end}, nil
}

// Commit implements store.Conn. A transaction leaves a row with a name of its
// own. Should the connection break during the commit, that row tells on another
// connection whether it came to pass: an error of Commit means that it did not,
// unless it is errUncertain.
func (c *conn) Commit(ctx context.Context) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), c.engine.patience.commit)
	defer cancel()
	name := drawName()
	c.Postpone(`INSERT INTO commits (name) VALUES ($1)`, name)
	tag, err := c.exec(ctx, "commit")
	if err == nil && tag.String() == "ROLLBACK" {
		err = pgx.ErrTxCommitRollback
	}
	switch {
	case err == nil && !tookAlone(c.held):
		c.release()
		return nil
	case err == nil:
		err = errAlone
	case isReadOnly(err): // a server that writes nothing has not written this: there is nothing to find out
		return err
	case !broken(err) && c.engine.Classify(err) != store.Away && ctx.Err() == nil:
		return err
	}
	c.release() // who finds out needs a connection too
	return c.engine.fate(ctx, name, err)
}

// Rollback goes through even when the transaction's context has ended, so that
// the connection can be used again. One that is not answered gives the
// connection up, and the server rolls back by itself.
func (c *conn) Rollback() error {
	if c.ended {
		return nil
	}
	defer c.release()
	if !c.begun {
		return nil
	}
	return bounded(context.Background(), c.engine.patience.begin, func(ctx context.Context) error {
		_, err := c.held.Exec(ctx, "rollback")
		return err
	})
}

// release gives the connection back. The pool closes one that is still in a
// transaction. One that began while the database was read only is not used again,
// and none that the pool has beside it: others use it too.
func (c *conn) release() {
	c.ended, c.later = true, nil
	if beganReadOnly(c.held.Conn()) {
		c.engine.pool.Reset()
	}
	c.held.Release()
}

func (c *conn) Raw() any { return raw{c} }

// rows are bounded by the patience of the statement that finds them.
type rows struct {
	pgx.Rows
	patient, outer context.Context //nolint:containedctx // they live as long as the query
	cancel         context.CancelFunc
	// end ends what else was sent with the question.
	end func() error
}

func (r rows) Err() error { return hungOr(r.outer, r.patient, r.Rows.Err()) }

func (r rows) Close() error {
	r.Rows.Close()
	err := r.end()
	r.cancel()
	return err
}
