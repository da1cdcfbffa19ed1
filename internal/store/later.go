package store

import "context"

// Postponer is a Conn that holds statements back until an answer is needed, and then sends them all
// at once, because each exchange with a server costs as much as several rows. A statement that
// fails does so in that exchange, at the latest with the commit.
type Postponer interface {
	// PostponeInsert stores rows, each with the columns' values in order.
	PostponeInsert(table, columns string, rows [][]any) error
	// PostponeLocks takes locks that belong to no row, in their order, and holds them until the
	// transaction ends. kind keeps the locks of different users apart.
	PostponeLocks(kind int, numbers []int)
}

// Question is a statement whose rows Read takes.
type Question struct {
	Text string
	Args []any
	Read func(Rows) error
}

// Asker is a Conn that asks many questions in one exchange.
type Asker interface {
	// Ask has the answers read in the order of the questions.
	Ask(ctx context.Context, questions []Question) error
}

// ask asks the questions, at once where that is something else than one by one.
func (tx *Tx) ask(ctx context.Context, questions []Question) error {
	if own, ok := tx.conn.(Asker); ok && len(questions) > 0 {
		return tx.explain(own.Ask(ctx, questions))
	}
	for _, q := range questions {
		rows, err := tx.conn.Query(ctx, q.Text, q.Args...)
		if err != nil {
			return tx.explain(err)
		}
		err = q.Read(rows)
		_ = rows.Close() // what is wrong with the rows was told when they were read
		if err != nil {
			return tx.explain(err)
		}
	}
	return nil
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
