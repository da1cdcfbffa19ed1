package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/ringtrue/ringtrue/internal/problem"
)

// isOfAnotherSession reports whether a connection has met what another one has prepared, or missed what itself had.
func isOfAnotherSession(err error) bool {
	state := stateOf(err)
	return state == statementThere || state == statementMissing
}

func pooledByTransaction(err error) *problem.Error {
	return problem.New(problem.Unavailable, "a pooler stands before the database that gives each transaction another session").
		WithHint("have it pool by session (pool_mode = session in PgBouncer), or connect to the database itself").Because(err)
}

// errSessionChanged is a connection whose session is another one than a moment before.
var errSessionChanged = errors.New("a connection changed its session while another one was in a transaction")

// keepsSession makes sure that held has its session to itself, which a pooler by
// transaction shows in nothing else when it keeps prepared statements for its clients:
// while another connection is in a transaction, it would be given another one.
func keepsSession(ctx context.Context, pool *pgxpool.Pool, held *pgxpool.Conn) error {
	return bounded(ctx, 2*connectTimeout, func(ctx context.Context) error {
		before, err := sessionOf(ctx, held)
		if err != nil {
			return err
		}
		tx, err := pool.BeginTx(ctx, pgx.TxOptions{AccessMode: pgx.ReadOnly})
		if err != nil {
			return fmt.Errorf("begin beside another connection: %w", err)
		}
		defer func() { _ = tx.Rollback(ctx) }()
		if _, err = sessionOf(ctx, tx); err != nil {
			return err
		}
		after, err := sessionOf(ctx, held)
		if err == nil && after != before {
			err = pooledByTransaction(errSessionChanged)
		}
		return err
	})
}

// sessionOf is the number of the server's process that answers.
func sessionOf(ctx context.Context, c interface {
	QueryRow(ctx context.Context, text string, args ...any) pgx.Row
}) (number int, err error) {
	if err = c.QueryRow(ctx, `SELECT pg_backend_pid()`).Scan(&number); err != nil {
		err = fmt.Errorf("ask for the session: %w", err)
	}
	return number, err
}
