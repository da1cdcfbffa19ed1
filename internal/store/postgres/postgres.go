// Package postgres is package store's engine for many processes on one
// database. Package store drives it; package queue runs its jobs over the same
// pool (Pool). Its child postgres/pgtest starts a server for tests.
package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/ringtrue/ringtrue/internal/store"
)

// connectTimeout bounds the making of a connection unless the address says otherwise.
const connectTimeout = 5 * time.Second

// closePatience is how long Close waits for connections to be given back.
const closePatience = 5 * time.Second

// Engine is an open database.
type Engine struct {
	pool     *pgxpool.Pool
	patience patience
}

// Open connects to the database at address (a postgres:// URL; pool_max_conns
// and the like may be part of it) and migrates it. Processes that open it at
// the same time wait for each other. A database that a newer version of the
// program has written is refused.
func Open(ctx context.Context, address string) (*Engine, error) {
	return OpenTelling(ctx, address, nil)
}

// OpenTelling is Open; tell hears of the steps of a migration.
func OpenTelling(ctx context.Context, address string, tell store.Tell) (*Engine, error) {
	config, err := pgxpool.ParseConfig(address)
	if err != nil {
		// The error of pgx names the address with its password masked.
		return nil, fmt.Errorf("database address: %w", err)
	}
	if config.ConnConfig.ConnectTimeout == 0 {
		config.ConnConfig.ConnectTimeout = connectTimeout
	}
	config.AfterConnect = prepare
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("open the database: %w", err)
	}
	if err := migrate(ctx, pool, tell); err != nil {
		pool.Close()
		return nil, fmt.Errorf("database %s: %w", config.ConnConfig.Database, err)
	}
	return &Engine{pool: pool, patience: usualPatience()}, nil
}

// Pool is the pool of connections, for the queue.
func (e *Engine) Pool() *pgxpool.Pool { return e.pool }

// Close closes all connections once they are given back. What has not been
// given back after a few seconds is left to the end of the process.
func (e *Engine) Close() error {
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		e.pool.Close()
	}()
	patience := time.NewTimer(closePatience)
	defer patience.Stop()
	select {
	case <-closed:
		return nil
	case <-patience.C:
		return errors.New("some connections to the database are still in use")
	}
}

// Ping implements store.Engine.
func (e *Engine) Ping(ctx context.Context) error {
	return bounded(ctx, e.patience.begin, e.pool.Ping)
}

// NowMicros implements store.Clock.
func (e *Engine) NowMicros() string {
	return "(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000)::BIGINT"
}

// LockClause implements store.Engine.
func (e *Engine) LockClause() string { return " FOR UPDATE" }
