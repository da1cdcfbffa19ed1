package store

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ringtrue/ringtrue/internal/archive"
	"github.com/ringtrue/ringtrue/internal/calllog"
	"github.com/ringtrue/ringtrue/internal/catalog"
	"github.com/ringtrue/ringtrue/internal/credential"
	"github.com/ringtrue/ringtrue/internal/experiment"
	"github.com/ringtrue/ringtrue/internal/monitor"
	"github.com/ringtrue/ringtrue/internal/price"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/review"
	"github.com/ringtrue/ringtrue/internal/savedview"
	"github.com/ringtrue/ringtrue/internal/workspace"
	"github.com/ringtrue/ringtrue/internal/workspace/people"
)

// Tx is an open transaction. It belongs to one goroutine and ends with the
// function it was handed to.
type Tx struct {
	store  *Store
	conn   Conn
	events []Event
	// makes is what the transaction makes, for an idempotency key and the audit log, see made.
	makes, makesKind string
	// writes says that the transaction may change something, changed how many rows it has, its jobs
	// among them.
	writes  bool
	changed int64
}

var (
	_ archive.Tx    = (*Tx)(nil)
	_ calllog.Tx    = (*Tx)(nil)
	_ catalog.Tx    = (*Tx)(nil)
	_ monitor.Tx    = (*Tx)(nil)
	_ credential.Tx = (*Tx)(nil)
	_ experiment.Tx = (*Tx)(nil)
	_ review.Tx     = (*Tx)(nil)
	_ savedview.Tx  = (*Tx)(nil)
	_ price.Tx      = (*Tx)(nil)
	_ workspace.Tx  = (*Tx)(nil)
	_ people.Tx     = (*Tx)(nil)
)

// Enqueue adds a job that becomes real with the commit; it runs no earlier
// than after from now.
func (tx *Tx) Enqueue(ctx context.Context, kind, id string, after time.Duration) error {
	if tx.store.enqueuer == nil {
		return problem.New(problem.Unavailable, "this process has no queue")
	}
	tx.changed++
	return tx.store.enqueuer.Enqueue(ctx, tx.conn.Raw(), kind, id, after)
}

// EnqueueAll is Enqueue for one job per id, all to run at once; those of a smaller urgency (1 to 4) go first.
func (tx *Tx) EnqueueAll(ctx context.Context, kind string, urgency int, ids []string) error {
	if len(ids) == 0 {
		return nil
	}
	if tx.store.enqueuer == nil {
		return problem.New(problem.Unavailable, "this process has no queue")
	}
	tx.changed += int64(len(ids))
	return tx.store.enqueuer.EnqueueAll(ctx, tx.conn.Raw(), kind, urgency, ids)
}

func (tx *Tx) exec(ctx context.Context, text string, args ...any) (int64, error) {
	n, err := tx.conn.Exec(ctx, text, args...)
	tx.changed += n
	return n, tx.explain(err)
}

// explain turns those database errors that are a client's mistake into problems.
func (tx *Tx) explain(err error) error {
	if err == nil {
		return nil
	}
	switch tx.store.engine.Classify(err) {
	case Duplicate:
		return problem.New(problem.Conflict, "this exists already").Because(err)
	case Unfit:
		return problem.New(problem.InvalidFields, "a text holds a character that cannot be kept").Because(err)
	case Final, Transient, Away, Hung, Full, Broken, Uncertain:
	}
	return err
}

// held is appended to a SELECT of rows that a writing transaction is about to change, so that
// nobody else changes them before it ends.
func (tx *Tx) held() string {
	if !tx.writes {
		return ""
	}
	return tx.store.engine.LockClause()
}

// mustChange is exec for a statement that changes exactly one row; without that row it returns
// problem.Missing.
func (tx *Tx) mustChange(ctx context.Context, thing, id, text string, args ...any) error {
	n, err := tx.exec(ctx, text, args...)
	if err == nil && n == 0 {
		return problem.Missing(thing, id)
	}
	return err
}

// maxParameters keeps one statement short: SQLite finds each parameter by going
// through the names of all, so that a statement's cost grows with their square.
const maxParameters = 120

// Inserter is a Conn with a way of its own to add many rows.
type Inserter interface {
	// Insert adds rows, each with the columns' values in order. done is false
	// when it has not, because they are too few to be worth it.
	Insert(ctx context.Context, table, columns string, rows [][]any) (done bool, err error)
}

// insert adds rows, many at a time. Each row holds the columns' values in order.
func (tx *Tx) insert(ctx context.Context, table, columns string, rows ...[]any) error {
	if len(rows) == 0 {
		return nil
	}
	if own, ok := tx.conn.(Inserter); ok {
		if done, err := own.Insert(ctx, table, columns, rows); done || err != nil {
			tx.changed += int64(len(rows))
			return tx.explain(err)
		}
	}
	for len(rows) > 0 {
		n := min(len(rows), max(1, maxParameters/len(rows[0])))
		text, args := insertText(table, columns, rows[:n])
		if _, err := tx.exec(ctx, text, args...); err != nil {
			return err
		}
		rows = rows[n:]
	}
	return nil
}

func insertText(table, columns string, rows [][]any) (string, []any) {
	var text strings.Builder
	text.WriteString("INSERT INTO " + table + " (" + columns + ") VALUES ")
	args := make([]any, 0, len(rows)*len(rows[0]))
	for i, row := range rows {
		if i > 0 {
			text.WriteString(", ")
		}
		text.WriteString(marks(len(args)+1, len(row)))
		args = append(args, row...)
	}
	return text.String(), args
}

// marks is "($3, $4, $5)" for first 3 and n 3.
func marks(first, n int) string {
	names := make([]string, n)
	for i := range names {
		names[i] = "$" + strconv.Itoa(first+i)
	}
	return "(" + strings.Join(names, ", ") + ")"
}

// padded repeats the last value until the number of values is a power of two, or one and a half
// times one: lists of any length then make only a few different statements.
func padded(values []any) []any {
	for !isRound(len(values)) {
		values = append(values, values[len(values)-1])
	}
	return values
}

// isRound reports whether n is a power of two, or one and a half of it, or nothing.
func isRound(n int) bool {
	power := 1
	for 2*power <= n {
		power *= 2
	}
	return n == power || n == power+power/2 || n == 0
}

// place is "$3" for 3.
func place(n int) string { return "$" + strconv.Itoa(n) }

// columnsOf writes the table's short name before each of the columns.
func columnsOf(table, columns string) string {
	return table + "." + strings.ReplaceAll(columns, ", ", ", "+table+".")
}

// update is the SET list of an UPDATE over the columns, from $first on.
func update(columns string, first int) string {
	names := strings.Split(columns, ",")
	for i, name := range names {
		names[i] = strings.TrimSpace(name) + " = $" + strconv.Itoa(first+i)
	}
	return strings.Join(names, ", ")
}

// all reads every row of the query; fields gives the places of its columns.
func all[T any](ctx context.Context, tx *Tx, fields func(*T) []any, text string, args ...any) ([]T, error) {
	rows, err := tx.conn.Query(ctx, text, args...)
	if err != nil {
		return nil, tx.explain(err)
	}
	defer func() { _ = rows.Close() }()
	out, err := read(rows, fields)
	return out, tx.explain(err)
}

// read reads what is left of the rows.
func read[T any](rows Rows, fields func(*T) []any) (out []T, err error) {
	for rows.Next() {
		var v T
		if err := rows.Scan(fields(&v)...); err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, rows.Err()
}

// one reads the first row of the query; ok is false when there is none.
func one[T any](ctx context.Context, tx *Tx, fields func(*T) []any, text string, args ...any) (v T, ok bool, err error) {
	found, err := all(ctx, tx, fields, text, args...)
	if err != nil || len(found) == 0 {
		return v, false, err
	}
	return found[0], true, nil
}

// need is one for a row whose absence is the caller's problem.
func need[T any](ctx context.Context, tx *Tx, thing, id string, fields func(*T) []any, text string, args ...any) (T, error) {
	v, ok, err := one(ctx, tx, fields, text, args...)
	if err == nil && !ok {
		err = problem.Missing(thing, id)
	}
	return v, err
}

// scalar is the fields function of queries with one column.
func scalar[T any](v *T) []any { return []any{v} }

// conditions collects what a list is narrowed by.
type conditions struct {
	parts []string
	args  []any
}

// add appends a condition; each ? in it stands for the next of args.
func (c *conditions) add(text string, args ...any) {
	for _, arg := range args {
		c.args = append(c.args, arg)
		text = strings.Replace(text, "?", "$"+strconv.Itoa(len(c.args)), 1)
	}
	c.parts = append(c.parts, text)
}

// copy is another set of the same conditions, to which more can be added.
func (c *conditions) copy() *conditions {
	return &conditions{parts: slices.Clone(c.parts), args: slices.Clone(c.args)}
}

// equal narrows a column to a value unless the value is "".
func (c *conditions) equal(column, value string) {
	if value != "" {
		c.add(column+" = ?", value)
	}
}

// page closes the list: newest first by id, after the cursor.
func (c *conditions) page(limit int, cursor string) string {
	if cursor != "" {
		c.add("id < ?", cursor)
	}
	return c.text() + " ORDER BY id DESC" + c.limit(limit)
}

// text is all conditions as a clause.
func (c *conditions) text() string { return " WHERE " + strings.Join(c.parts, " AND ") }

// limit is the clause that bounds how many rows a list has.
func (c *conditions) limit(n int) string {
	c.args = append(c.args, n)
	return " LIMIT $" + strconv.Itoa(len(c.args))
}
