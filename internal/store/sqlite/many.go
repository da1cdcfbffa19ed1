package sqlite

import (
	"context"
	"database/sql/driver"
	"fmt"
)

// many are the arguments of a statement that is run once for each row of them.
// They go to the connection in one piece: what lies between costs as much for a
// row as the row itself.
type many [][]any

// CheckNamedValue implements driver.NamedValueChecker: many is for execMany, and
// everything else as usual.
func (k *keeper) CheckNamedValue(v *driver.NamedValue) error {
	if _, ok := v.Value.(many); ok {
		return nil
	}
	return driver.ErrSkip
}

// execMany runs the statement for each of the rows, which are all of one length.
func (k *keeper) execMany(ctx context.Context, text string, rows many) (driver.Result, error) {
	if len(rows) == 0 {
		return driver.RowsAffected(0), nil
	}
	args := make([]driver.NamedValue, len(rows[0]))
	s, err := k.statement(ctx, text, len(args))
	if err != nil {
		return nil, err
	}
	run := func(args []driver.NamedValue) (driver.Result, error) { return k.plainConn.ExecContext(ctx, text, args) }
	if s != nil {
		run = func(args []driver.NamedValue) (driver.Result, error) { return s.stmt.ExecContext(ctx, args) }
	}
	for _, row := range rows {
		for i, v := range row {
			value, err := valueOf(v)
			if err != nil {
				return nil, fmt.Errorf("argument %d: %w", i+1, err)
			}
			args[i] = driver.NamedValue{Ordinal: i + 1, Value: value}
		}
		if _, err := run(args); err != nil {
			return nil, err
		}
	}
	return driver.RowsAffected(len(rows)), nil
}

// valueOf is what the database keeps of an argument. The kinds that most are of
// need not be looked into.
func valueOf(v any) (driver.Value, error) {
	switch v := v.(type) {
	case driver.Valuer:
		return v.Value()
	case *string:
		return *v, nil
	case string, []byte, int64:
		return v, nil
	case *int:
		return int64(*v), nil
	}
	return driver.DefaultParameterConverter.ConvertValue(v)
}
