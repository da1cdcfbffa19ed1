package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// raw is a transaction as package queue and River see it. Beside what River asks
// of one, it puts statements off. Store begins and ends it.
type raw struct{ conn *conn }

var _ pgx.Tx = raw{}

// errNotHere is what raw says to whatever is the store's to do, or nobody's.
var errNotHere = errors.New("a transaction of the store does not do this")

// Postpone is conn.Postpone.
func (r raw) Postpone(text string, args ...any) { r.conn.Postpone(text, args...) }

func (r raw) Exec(ctx context.Context, text string, args ...any) (pgconn.CommandTag, error) {
	return r.conn.exec(ctx, text, args...)
}

func (r raw) Query(ctx context.Context, text string, args ...any) (pgx.Rows, error) {
	if err := r.conn.flush(ctx); err != nil {
		return nil, err
	}
	return r.conn.held.Query(ctx, text, args...)
}

func (r raw) QueryRow(ctx context.Context, text string, args ...any) pgx.Row {
	if err := r.conn.flush(ctx); err != nil {
		return failedRow{err}
	}
	return r.conn.held.QueryRow(ctx, text, args...)
}

func (r raw) CopyFrom(ctx context.Context, table pgx.Identifier, columns []string, rows pgx.CopyFromSource) (int64, error) {
	if err := r.conn.flush(ctx); err != nil {
		return 0, err
	}
	return r.conn.held.CopyFrom(ctx, table, columns, rows)
}

func (r raw) SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults {
	// A batch that is sent after one that failed fails too: the transaction is spoilt.
	_ = r.conn.flush(ctx)
	return r.conn.held.SendBatch(ctx, b)
}

func (r raw) Conn() *pgx.Conn { return r.conn.held.Conn() }

func (raw) Begin(context.Context) (pgx.Tx, error) { return nil, errNotHere }
func (raw) Commit(context.Context) error          { return errNotHere }
func (raw) Rollback(context.Context) error        { return errNotHere }
func (raw) LargeObjects() pgx.LargeObjects        { return pgx.LargeObjects{} }

func (raw) Prepare(context.Context, string, string) (*pgconn.StatementDescription, error) {
	return nil, errNotHere
}

// failedRow is the row of a question that could not be asked.
type failedRow struct{ err error }

func (r failedRow) Scan(...any) error { return r.err }
