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
	for _, name := range slices.Compact(names) {
		if _, err := tx.lockGate(ctx, name); err != nil {
			return err
		}
	}
	return nil
}
