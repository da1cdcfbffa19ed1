package store

import (
	"strings"
	"testing"
)

// TestIDsSortInTheOrderTheyWereMade makes enough for every value of a counter
// of 12 bits, thousands in a millisecond.
func TestIDsSortInTheOrderTheyWereMade(t *testing.T) {
	before := NewID("call")
	for i := range 20_000 {
		next := NewID("call")
		if !strings.HasPrefix(next, "call_") || next <= before {
			t.Fatalf("number %d is %s after %s", i, next, before)
		}
		before = next
	}
}
