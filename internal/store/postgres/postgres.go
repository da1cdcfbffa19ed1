// Package postgres is package store's engine for many processes on one
// database. Package store drives it; package queue runs its jobs over the same
// pool (Pool). Its child postgres/pgtest starts a server for tests.
package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/ringtrue/ringtrue/internal/store"
)

// Engine is an open database.
type Engine struct{ pool *pgxpool.Pool }

// Open connects to the database at address (a postgres:// URL; pool_max_conns
// and the like may be part of it) and migrates it. Processes that open it at
// the same time wait for each other. A database that a newer version of the
// program has written is refused.
func Open(ctx context.Context, address string) (*Engine, error) {
	config, err := pgxpool.ParseConfig(address)
	if err != nil {
		// The error of pgx names the address with its password masked.
		return nil, fmt.Errorf("database address: %w", err)
	}
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("open the database: %w", err)
	}
	if err := migrate(ctx, pool); err != nil {
		pool.Close()
		return nil, fmt.Errorf("database %s: %w", config.ConnConfig.Database, err)
	}
	return &Engine{pool: pool}, nil
}

// Pool is the pool of connections, for the queue.
func (e *Engine) Pool() *pgxpool.Pool { return e.pool }

// Close closes all connections once they are given back.
func (e *Engine) Close() error {
	e.pool.Close()
	return nil
}

// Ping implements store.Engine.
func (e *Engine) Ping(ctx context.Context) error { return e.pool.Ping(ctx) }

// LockClause implements store.Engine.
func (e *Engine) LockClause() string { return " FOR UPDATE" }

// Begin implements store.Engine. Writers run at READ COMMITTED and lock what
// they decide upon; readers see one snapshot.
func (e *Engine) Begin(ctx context.Context, write bool) (store.Conn, error) {
	options := pgx.TxOptions{IsoLevel: pgx.ReadCommitted}
	if !write {
		options = pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}
	}
	tx, err := e.pool.BeginTx(ctx, options)
	if err != nil {
		return nil, err
	}
	return conn{tx}, nil
}

// The SQLSTATEs that say something about the transaction as a whole.
const (
	uniqueViolation      = "23505"
	serializationFailure = "40001"
	deadlockDetected     = "40P01"
	notInRepertoire      = "22021"
)

// Classify implements store.Engine.
func (e *Engine) Classify(err error) store.Failure {
	var failure *pgconn.PgError
	if !errors.As(err, &failure) {
		return store.Final
	}
	switch failure.Code {
	case uniqueViolation:
		return store.Duplicate
	case serializationFailure, deadlockDetected:
		return store.Transient
	case notInRepertoire:
		return store.Unfit
	}
	return store.Final
}

type conn struct{ tx pgx.Tx }

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

func (c conn) Commit(ctx context.Context) error { return c.tx.Commit(ctx) }

// Rollback goes through even when the transaction's context has ended, so that
// the connection can be used again.
func (c conn) Rollback() error { return c.tx.Rollback(context.Background()) }
func (c conn) Raw() any        { return c.tx }

type rows struct{ pgx.Rows }

func (r rows) Close() error {
	r.Rows.Close()
	return nil
}
