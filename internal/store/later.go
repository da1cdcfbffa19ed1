package store

import "context"

// Postponer is a Conn that keeps statements back until an answer is waited for,
// and sends them all at once: each exchange with a server costs as much as some
// rows do. What fails of them, fails with what they are sent with, at the latest
// with the commit.
type Postponer interface {
	Postpone(text string, args ...any)
	// PostponeInsert is Postpone for rows, each with the columns' values in order.
	PostponeInsert(table, columns string, rows [][]any) error
	// PostponeLocks waits for locks that no row has, in their order, and holds them
	// until the transaction ends. kind tells the users of such locks apart.
	PostponeLocks(kind int, numbers []int)
}

// insertLater is insert for rows whose failure can only be a mistake of ours.
func (tx *Tx) insertLater(ctx context.Context, table, columns string, rows ...[]any) error {
	own, ok := tx.conn.(Postponer)
	if !ok || len(rows) == 0 {
		return tx.insert(ctx, table, columns, rows...)
	}
	tx.changed += int64(len(rows))
	return own.PostponeInsert(table, columns, rows)
}
