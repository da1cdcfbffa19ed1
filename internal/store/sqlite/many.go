package sqlite

import (
	"context"
	"database/sql/driver"
	"fmt"
	"strings"
)

// many are the arguments of a statement that is run once for each row of them.
// They go to the connection in one piece: what lies between costs as much for a
// row as the row itself.
type many [][]driver.Value

// manyOf are what the database keeps of the rows.
func manyOf(rows [][]any) (many, error) {
	out := make(many, len(rows))
	for i, row := range rows {
		out[i] = make([]driver.Value, len(row))
		for k, v := range row {
			value, err := valueOf(v)
			if err != nil {
				return nil, fmt.Errorf("argument %d: %w", k+1, err)
			}
			out[i][k] = value
		}
	}
	return out, nil
}

// worthPlain is how many rows there are at least before their columns are looked
// at: a statement of its own for each form of a single row would be too many.
const worthPlain = 3

// marks are what stands for the arguments in the statement. A column that is
// empty in all rows, as a third is in those of production calls, stands there
// itself and is taken out of the rows: an argument costs several times what it
// does to keep it.
func (m many) marks() (string, many) {
	marks := make([]string, len(m[0]))
	left := 0
	for k := range marks {
		if marks[k] = m.plain(k); marks[k] != "?" {
			continue
		}
		for i := range m {
			m[i][left] = m[i][k]
		}
		left++
	}
	for i := range m {
		m[i] = m[i][:left]
	}
	return strings.Join(marks, ", "), m
}

// plain is the text of a column that is empty in all rows, else "?".
func (m many) plain(column int) string {
	const mark = "?"
	if len(m) < worthPlain {
		return mark
	}
	var text string
	empty := m[0][column]
	switch empty {
	case driver.Value(""):
		text = "''"
	case driver.Value(int64(0)):
		text = "0"
	default:
		return mark
	}
	for _, row := range m[1:] {
		if row[column] != empty {
			return mark
		}
	}
	return text
}

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
			args[i] = driver.NamedValue{Ordinal: i + 1, Value: v}
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
