package store

import (
	"context"
	"slices"

	"github.com/ringtrue/ringtrue/internal/calllog"
)

// LockArrivals implements calllog.ArrivalRows. The gates are taken in order, so
// that two transactions never wait for each other. A writing transaction that
// has the whole database anyhow takes none.
func (tx *Tx) LockArrivals(_ context.Context, keys []calllog.Key) error {
	own, ok := tx.conn.(Postponer)
	if !ok {
		return nil
	}
	gates := make([]int, len(keys))
	for i, k := range keys {
		gates[i] = k.Gate()
	}
	slices.Sort(gates)
	own.PostponeLocks(arrivalLocks, slices.Compact(gates))
	return nil
}

// arrivalLocks tells the locks of arrivals from others.
const arrivalLocks = 1
