package store

import (
	"fmt"

	"github.com/google/uuid"
	"go.jetify.com/typeid"
)

// NewID returns a new TypeID of the prefix ("call" gives "call_01h…"): unique,
// and sorting after every one this process made before, within a millisecond
// and when the clock is set back, too; so rows that are read by their
// identifiers come in the order in which they were made. The UUID is not left
// to the TypeID library: the counter of its generator starts anywhere and
// begins again from zero in the middle of a millisecond. NewID panics on a
// prefix that is not lower-case letters, which only a mistake in the program
// can cause, and when the machine has no randomness.
func NewID(prefix string) string {
	unique := uuid.Must(uuid.NewV7())
	id, err := typeid.FromUUIDBytesWithPrefix(prefix, unique[:])
	if err != nil {
		panic(fmt.Sprintf("identifier of kind %q: %v", prefix, err))
	}
	return id.String()
}
