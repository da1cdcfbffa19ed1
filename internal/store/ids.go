package store

import (
	"fmt"

	"go.jetify.com/typeid"
)

// NewID returns a new TypeID of the prefix ("call" gives "call_01h…"): unique,
// and sorting after those made in earlier milliseconds. It panics on a prefix
// that is not lower-case letters, which only a mistake in the program can cause,
// and when the machine has no randomness.
func NewID(prefix string) string {
	id, err := typeid.WithPrefix(prefix)
	if err != nil {
		panic(fmt.Sprintf("identifier of kind %q: %v", prefix, err))
	}
	return id.String()
}
