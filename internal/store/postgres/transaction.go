package postgres

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/ringtrue/ringtrue/internal/store"
)

const (
	// beginPatience is how long a transaction waits for a connection.
	beginPatience = 10 * time.Second
	// commitPatience bounds a commit; it does not end with the request, for
	// then nobody would know what became of it.
	commitPatience = 30 * time.Second
	// fatePatience is how long we try to find out what became of a commit whose
	// connection broke, fatePause the time between two tries.
	fatePatience = 20 * time.Second
	fatePause    = 200 * time.Millisecond
)

// Begin implements store.Engine. Writers run at READ COMMITTED and lock what
// they decide upon; readers see one snapshot.
func (e *Engine) Begin(ctx context.Context, write bool) (store.Conn, error) {
	options := pgx.TxOptions{IsoLevel: pgx.ReadCommitted}
	if !write {
		options = pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}
	}
	patient, cancel := context.WithTimeout(ctx, beginPatience)
	defer cancel()
	tx, err := e.pool.BeginTx(patient, options)
	if err != nil && patient.Err() != nil && ctx.Err() == nil {
		err = errors.Join(errAway, err)
	}
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
	tag, err := c.tx.Exec(ctx, text, args...)
	return tag.RowsAffected(), err
}

func (c conn) Query(ctx context.Context, text string, args ...any) (store.Rows, error) {
	found, err := c.tx.Query(ctx, text, args...)
	if err != nil {
		return nil, err
	}
	return rows{found}, nil
}

// Commit implements store.Conn. A transaction leaves a row with a name of its
// own. Should the connection break during the commit, that row tells on another
// connection whether it came to pass: an error of Commit means that it did not,
// unless it is errUncertain.
func (c conn) Commit(ctx context.Context) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), commitPatience)
	defer cancel()
	name := drawName()
	if _, err := c.tx.Exec(ctx, `INSERT INTO commits (name) VALUES ($1)`, name); err != nil {
		return err
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
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), fatePatience)
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
// the connection can be used again.
func (c conn) Rollback() error { return c.tx.Rollback(context.Background()) }
func (c conn) Raw() any        { return c.tx }

type rows struct{ pgx.Rows }

func (r rows) Close() error {
	r.Rows.Close()
	return nil
}
