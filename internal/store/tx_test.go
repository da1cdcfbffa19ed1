package store

import (
	"slices"
	"testing"
)

// Lists of any length are made a few lengths long, and nothing is lost of them.
func TestPadded(t *testing.T) {
	t.Parallel()
	var lengths []int
	for n := range maxParameters + 1 {
		values := make([]any, n)
		for i := range values {
			values[i] = i
		}
		got := padded(slices.Clone(values))
		if !slices.Equal(got[:n], values) || 2*len(got) > 3*n && n > 0 {
			t.Fatalf("%d values become %v", n, got)
		}
		for _, v := range got[n:] {
			if v != n-1 {
				t.Fatalf("%d values are followed by %v", n, got[n:])
			}
		}
		lengths = append(lengths, len(got))
	}
	if lengths = slices.Compact(lengths); len(lengths) > 15 {
		t.Errorf("there are %d lengths: %v", len(lengths), lengths)
	}
}
