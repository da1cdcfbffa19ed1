package store

import (
	"context"
	"hash/fnv"
	"strconv"
)

// arrivalGates is how many call logs can be stored at the same time at most:
// a fixed number of gates, so that their table does not grow with the calls.
const arrivalGates = 256

// LockArrival implements calllog.Tx.
func (tx *Tx) LockArrival(ctx context.Context, workspaceID, provider, externalID string) error {
	sum := fnv.New32a()
	_, _ = sum.Write([]byte(workspaceID + "\x00" + provider + "\x00" + externalID)) // a hash never fails to write
	_, err := tx.lockGate(ctx, "arrival:"+strconv.FormatUint(uint64(sum.Sum32()%arrivalGates), 10))
	return err
}
