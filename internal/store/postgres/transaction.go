package postgres

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/ringtrue/ringtrue/internal/store"
)

// fatePause is the time between two tries to find out what became of a commit.
const fatePause = 200 * time.Millisecond

// Begin implements store.Engine. Writers run at READ COMMITTED and lock what
// they decide upon; readers see one snapshot.
func (e *Engine) Begin(ctx context.Context, write bool) (store.Conn, error) {
	options := pgx.TxOptions{IsoLevel: pgx.ReadCommitted}
	if !write {
		options = pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}
	}
	var tx pgx.Tx
	err := bounded(ctx, e.patience.begin, func(ctx context.Context) (err error) {
		tx, err = e.pool.BeginTx(ctx, options)
		return err
	})
	if err != nil {
		return nil, err
	}
	return conn{e, tx}, nil
}

type conn struct {
	engine *Engine
	tx     pgx.Tx
}

func (c conn) Exec(ctx context.Context, text string, args ...any) (int64, error) {
	var tag pgconn.CommandTag
	err := bounded(ctx, c.engine.patience.statement, func(ctx context.Context) (err error) {
		tag, err = c.tx.Exec(ctx, text, args...)
		return err
	})
	return tag.RowsAffected(), err
}

// fewRows are inserted by a statement: a COPY takes two more exchanges with the server.
const fewRows = 8

// Insert implements store.Inserter.
func (c conn) Insert(ctx context.Context, table, columns string, rows [][]any) (bool, error) {
	if len(rows) < fewRows {
		return false, nil
	}
	return true, bounded(ctx, c.engine.patience.statement, func(ctx context.Context) error {
		_, err := c.tx.CopyFrom(ctx, pgx.Identifier{table}, strings.Split(columns, ", "), pgx.CopyFromRows(rows))
		return err
	})
}

func (c conn) Query(ctx context.Context, text string, args ...any) (store.Rows, error) {
	patient, cancel := context.WithTimeout(ctx, c.engine.patience.statement)
	found, err := c.tx.Query(patient, text, args...)
	if err != nil {
		err = hungOr(ctx, patient, err)
		cancel()
		return nil, err
	}
	return rows{found, patient, ctx, cancel}, nil
}

// Commit implements store.Conn. A transaction leaves a row with a name of its
// own. Should the connection break during the commit, that row tells on another
// connection whether it came to pass: an error of Commit means that it did not,
// unless it is errUncertain.
func (c conn) Commit(ctx context.Context) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), c.engine.patience.commit)
	defer cancel()
	name := drawName()
	if _, err := c.tx.Exec(ctx, `INSERT INTO commits (name) VALUES ($1)`, name); err != nil {
		return hungOr(context.Background(), ctx, err)
	}
	err := c.tx.Commit(ctx)
	if err == nil || !broken(err) && c.engine.Classify(err) != store.Away && ctx.Err() == nil {
		return err
	}
	return c.engine.fate(ctx, name, err)
}

// fate finds out what became of the commit that failed with cause, waiting for
// the database if need be. Whoever inserts the row of the transaction waits for
// the transaction's end, and then either finds the row there or has made sure
// that it never will be.
func (e *Engine) fate(ctx context.Context, name [16]byte, cause error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), e.patience.fate)
	defer cancel()
	pause := time.NewTicker(fatePause)
	defer pause.Stop()
	for {
		tag, err := e.pool.Exec(ctx, `INSERT INTO commits (name) VALUES ($1) ON CONFLICT DO NOTHING`, name)
		switch {
		case err == nil && tag.RowsAffected() == 0:
			return nil
		case err == nil:
			return fmt.Errorf("not committed: %w", errors.Join(errAway, cause))
		}
		select {
		case <-pause.C:
		case <-ctx.Done():
			return errors.Join(errUncertain, cause)
		}
	}
}

// drawName draws the name of a transaction.
func drawName() (name [16]byte) {
	_, _ = rand.Read(name[:]) // it never fails
	return name
}

// Trim implements store.Trimmer: it forgets commits that nobody asks about any more.
func (e *Engine) Trim(ctx context.Context) error {
	_, err := e.pool.Exec(ctx, `DELETE FROM commits WHERE at < now() - interval '1 hour'`)
	return err
}

// Rollback goes through even when the transaction's context has ended, so that
// the connection can be used again. One that is not answered gives the
// connection up, and the server rolls back by itself.
func (c conn) Rollback() error {
	return bounded(context.Background(), c.engine.patience.begin, c.tx.Rollback)
}

func (c conn) Raw() any { return c.tx }

// rows are bounded by the patience of the statement that finds them.
type rows struct {
	pgx.Rows
	patient, outer context.Context //nolint:containedctx // they live as long as the query
	cancel         context.CancelFunc
}

func (r rows) Err() error { return hungOr(r.outer, r.patient, r.Rows.Err()) }

func (r rows) Close() error {
	r.Rows.Close()
	r.cancel()
	return nil
}
