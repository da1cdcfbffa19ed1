package postgres

import (
	"context"
	"database/sql/driver"
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
	for k := range values {
		list, kind, err := columnOf(rows, k)
		if err != nil {
			return fmt.Errorf("column %d of %s: %w", k+1, table, err)
		}
		if list == nil {
			values[k] = kind
			continue
		}
		args = append(args, list)
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

// columnOf is a column of the rows as an array, with the array's type. When it is
// empty in all rows, as a third is in those of production calls, list is nil and
// kind is what stands for it in the statement.
func columnOf(rows [][]any, k int) (list any, kind string, err error) {
	first, err := valueOf(rows[0][k])
	if err != nil {
		return nil, "", err
	}
	switch first.(type) {
	case string:
		texts, empty, err := gathered[string](rows, k)
		if empty && len(rows) > 1 {
			return nil, "''", err
		}
		return texts, "text[]", err
	case int64:
		numbers, empty, err := gathered[int64](rows, k)
		if empty && len(rows) > 1 {
			return nil, "0", err
		}
		return numbers, "bigint[]", err
	case []byte:
		bodies := make([][]byte, len(rows))
		for i, row := range rows {
			bodies[i], _ = row[k].([]byte)
		}
		return bodies, "bytea[]", nil
	}
	return nil, "", fmt.Errorf("a %T is not written later", first)
}

// gathered are the values of a column; empty says that all are the zero value.
func gathered[T comparable](rows [][]any, k int) (list []T, empty bool, err error) {
	list, empty = make([]T, len(rows)), true
	var none T
	for i, row := range rows {
		v, err := valueOf(row[k])
		if err != nil {
			return nil, false, err
		}
		typed, ok := v.(T)
		if !ok {
			return nil, false, fmt.Errorf("%T among %T", v, none)
		}
		list[i], empty = typed, empty && typed == none
	}
	return list, empty, nil
}

// valueOf is what the database keeps of an argument: a text, a number or bytes.
func valueOf(v any) (driver.Value, error) {
	switch v := v.(type) {
	case driver.Valuer:
		return v.Value()
	case *string:
		return *v, nil
	case *int:
		return int64(*v), nil
	case string, []byte, int64:
		return v, nil
	}
	return driver.DefaultParameterConverter.ConvertValue(v)
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
