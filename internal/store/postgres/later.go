package postgres

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/ringtrue/ringtrue/internal/store"
)

// Postpone implements store.Postponer: the statement is sent together with the
// next one whose result somebody waits for, at the latest with the commit.
func (c *conn) Postpone(text string, args ...any) {
	if c.later == nil {
		c.later = &pgx.Batch{}
	}
	c.later.Queue(text, args...)
}

// PostponeInsert implements store.Postponer. The values of a column go as one
// array, so that the text is the same however many rows there are.
func (c *conn) PostponeInsert(table, columns string, rows [][]any) error {
	values, args := make([]string, len(rows[0])), make([]any, 0, len(rows[0]))
	room := new(int)
	for k := range values {
		array, kind, ok, err := columnOf(rows, k)
		if err != nil {
			return fmt.Errorf("column %d of %s: %w", k+1, table, err)
		}
		if !ok {
			values[k] = kind
			continue
		}
		*room += len(array)
		args = append(args, column{array, room})
		values[k] = "unnest($" + strconv.Itoa(len(args)) + "::" + kind + ")"
	}
	c.Postpone("INSERT INTO "+table+" ("+columns+") SELECT "+strings.Join(values, ", "), args...)
	return nil
}

// PostponeLocks implements store.Postponer. An advisory lock leaves nothing on
// disk, as holding a row does.
func (c *conn) PostponeLocks(kind int, numbers []int) {
	c.Postpone(`SELECT pg_advisory_xact_lock($1, number) FROM unnest($2::int[]) AS number`, kind, numbers)
}

// together sends what was put off and then one more statement, whose answer is
// left to be read. Whatever fails first is the error.
func (c *conn) together(ctx context.Context, text string, args []any) (pgx.BatchResults, error) {
	batch := c.later
	c.later = nil
	before := batch.Len()
	batch.Queue(text, args...)
	return c.send(ctx, batch, before)
}

// Ask implements store.Asker.
func (c *conn) Ask(ctx context.Context, questions []store.Question) error {
	return bounded(ctx, c.engine.patience.statement, func(ctx context.Context) error {
		batch := c.later
		if c.later = nil; batch == nil {
			batch = &pgx.Batch{}
		}
		before := batch.Len()
		for _, q := range questions {
			batch.Queue(q.Text, q.Args...)
		}
		answers, err := c.send(ctx, batch, before)
		if err != nil {
			return err
		}
		for _, q := range questions {
			found, _ := answers.Query() // its error is the rows', too
			if err = q.Read(answer{found}); err != nil {
				break
			}
			found.Close()
		}
		if failed := answers.Close(); err == nil {
			err = failed
		}
		return err
	})
}

// answer is one of many answers; whoever asked closes them all.
type answer struct{ pgx.Rows }

// Close implements store.Rows.
func (a answer) Close() error {
	a.Rows.Close()
	return nil
}

// send sends a batch and reads the answers of the first so many of its statements.
func (c *conn) send(ctx context.Context, batch *pgx.Batch, first int) (pgx.BatchResults, error) {
	if c.ended {
		return nil, pgx.ErrTxClosed
	}
	c.begun = true
	answers := c.held.SendBatch(ctx, batch)
	for range first {
		if _, err := answers.Exec(); err != nil {
			_ = answers.Close() // it tells the same again
			return nil, err
		}
	}
	return answers, nil
}

// flush sends what was put off, and nothing else.
func (c *conn) flush(ctx context.Context) error {
	if c.later == nil {
		return nil
	}
	batch := c.later
	c.later = nil
	answers, err := c.send(ctx, batch, batch.Len())
	if err != nil {
		return err
	}
	return answers.Close()
}

func (c *conn) exec(ctx context.Context, text string, args ...any) (pgconn.CommandTag, error) {
	if c.later == nil {
		return c.held.Exec(ctx, text, args...)
	}
	answers, err := c.together(ctx, text, args)
	if err != nil {
		return pgconn.CommandTag{}, err
	}
	tag, err := answers.Exec()
	if failed := answers.Close(); err == nil {
		err = failed
	}
	return tag, err
}

// query is a question; end ends what it was sent in, if that is more than itself.
func (c *conn) query(ctx context.Context, text string, args []any) (found pgx.Rows, end func() error, err error) {
	if c.later == nil {
		found, err = c.held.Query(ctx, text, args...)
		return found, func() error { return nil }, err
	}
	answers, err := c.together(ctx, text, args)
	if err != nil {
		return nil, nil, err
	}
	found, err = answers.Query()
	if err != nil {
		_ = answers.Close() // it tells the same again
	}
	return found, answers.Close, err
}
