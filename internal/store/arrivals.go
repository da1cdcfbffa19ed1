package store

import (
	"context"
	"hash/fnv"
	"slices"
	"strconv"

	"github.com/ringtrue/ringtrue/internal/calllog"
)

// arrivalGates is how many call logs can be stored at the same time at most:
// a fixed number of gates, so that their table does not grow with the calls.
const arrivalGates = 256

// LockArrivals implements calllog.ArrivalRows. The gates are taken in order, so
// that two transactions never wait for each other. A writing transaction that
// has the whole database anyhow takes none.
func (tx *Tx) LockArrivals(ctx context.Context, keys []calllog.Key) error {
	if tx.store.engine.LockClause() == "" {
		return nil
	}
	names := make([]string, len(keys))
	for i, k := range keys {
		sum := fnv.New32a()
		_, _ = sum.Write([]byte(k.WorkspaceID + "\x00" + k.Provider + "\x00" + k.ExternalID)) // a hash never fails to write
		names[i] = "arrival:" + strconv.FormatUint(uint64(sum.Sum32()%arrivalGates), 10)
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
