// Package postgres is package store's engine for many processes on one
// database. Package store drives it; package queue runs its jobs over the same
// pool (Pool). Its child postgres/pgtest starts a server for tests.
package postgres

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/ringtrue/ringtrue/internal/problem"
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
	config, err := configOf(address)
	if err != nil {
		return nil, err
	}
	if config.ConnConfig.ConnectTimeout == 0 {
		config.ConnConfig.ConnectTimeout = connectTimeout
	}
	if err := migrateAt(ctx, config, tell); err != nil {
		switch {
		case isOfAnotherSession(err):
			return nil, pooledByTransaction(err)
		case stateOf(err) == tooManyConnections:
			return nil, noneLeft(err)
		case isConnecting(err):
			return nil, notReached(config.ConnConfig.Database, err)
		}
		return nil, fmt.Errorf("database %s: %w", config.ConnConfig.Database, err)
	}
	config.AfterConnect, config.ConnConfig.OnNotice = prepare, heed
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("open the database: %w", err)
	}
	return &Engine{pool: pool, patience: usualPatience()}, nil
}

// leastConns is how many connections a process cannot do without: who migrates
// holds one that keeps other processes waiting, and works on a second.
const leastConns = 2

// configOf reads an address. An error repeats nothing of it: where a password
// holds a sign that ends the host's part of an address, a piece of it is taken
// for the port, and pgx would name that.
func configOf(address string) (*pgxpool.Config, error) {
	if _, err := url.Parse(address); err != nil && strings.Contains(address, "://") {
		return nil, problem.Invalid(problem.Field{Path: "--database", Message: "cannot be read as postgres://user:password@host:port/name; " +
			"in user and password write % as %25, # as %23, / as %2F, ? as %3F, [ as %5B, ] as %5D and a blank as %20"})
	}
	config, err := pgxpool.ParseConfig(address)
	if err != nil {
		_, why, _ := strings.Cut(err.Error(), "`: ") // before it stands the address
		return nil, problem.Invalid(problem.Field{Path: "--database", Message: why})
	}
	if config.MaxConns < leastConns {
		return nil, problem.Invalid(problem.Field{Path: "--database", Message: fmt.Sprintf("pool_max_conns must be %d or more", leastConns)})
	}
	// What a role, a database or the address is set to counts less: the server would take the bytes
	// of our texts for those of another encoding, and keep other letters.
	config.ConnConfig.RuntimeParams["client_encoding"] = "UTF8"
	switch config.ConnConfig.DefaultQueryExecMode {
	case pgx.QueryExecModeExec, pgx.QueryExecModeSimpleProtocol: // the values of a column go as bytes of a known type
		return nil, problem.Invalid(problem.Field{Path: "--database", Message: "default_query_exec_mode must be cache_statement (the default), cache_describe or describe_exec"})
	case pgx.QueryExecModeCacheStatement, pgx.QueryExecModeCacheDescribe, pgx.QueryExecModeDescribeExec:
	}
	return config, nil
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

// pingTries is how many connections are asked, one after another, before the server counts as away.
const pingTries = 4

// Ping implements store.Engine. That one connection has broken says nothing of the
// server: another one is asked.
func (e *Engine) Ping(ctx context.Context) error {
	return bounded(ctx, e.patience.begin, func(ctx context.Context) (err error) {
		for range pingTries {
			if err = e.ask(ctx); err == nil || e.Classify(err) != store.Away || isConnecting(err) {
				break
			}
		}
		return err
	})
}

// ask asks the server whether it may be written.
func (e *Engine) ask(ctx context.Context) error {
	var readOnly bool
	err := e.pool.QueryRow(ctx, `SELECT current_setting('transaction_read_only')::boolean`).Scan(&readOnly)
	if err != nil || !readOnly {
		return err
	}
	return takesNoWrites()
}

// NowMicros implements store.Clock.
func (e *Engine) NowMicros() string {
	return "(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000)::BIGINT"
}

// LockClause implements store.Engine.
func (e *Engine) LockClause() string { return " FOR UPDATE" }
