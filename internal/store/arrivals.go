package store

import (
	"context"
	"slices"
	"strconv"

	"github.com/ringtrue/ringtrue/internal/calllog"
)

// LockArrivals implements calllog.ArrivalRows. The gates are taken in order, so
// that two transactions never wait for each other. A writing transaction that
// has the whole database anyhow takes none.
func (tx *Tx) LockArrivals(ctx context.Context, keys []calllog.Key) error {
	if tx.store.engine.LockClause() == "" {
		return nil
	}
	names := make([]string, len(keys))
	for i, k := range keys {
		names[i] = "arrival:" + strconv.Itoa(k.Gate())
	}
	slices.Sort(names)
	return tx.lockGates(ctx, slices.Compact(names))
}

// lockGates holds many gates at once, taken in the order of their names.
func (tx *Tx) lockGates(ctx context.Context, names []string) error {
	list := make([]any, len(names))
	for i, name := range names {
		list[i] = name
	}
	list = padded(list)
	text := `SELECT name FROM gates WHERE name IN ` + marks(1, len(list)) + ` ORDER BY name` + tx.store.engine.LockClause()
	found, err := all(ctx, tx, scalar[string], text, list...)
	if err != nil || len(found) == len(names) {
		return err
	}
	for _, name := range names { // they are made once in the life of a database
		if _, err := tx.exec(ctx, `INSERT INTO gates (name, next_at) VALUES ($1, 0) ON CONFLICT DO NOTHING`, name); err != nil {
			return err
		}
	}
	_, err = all(ctx, tx, scalar[string], text, list...)
	return err
}
