package phrase

import (
	"runtime"
	"strings"
	"testing"
)

// A turn may be as long as a call log: a run of words must not be read again from each of
// its words, which would take minutes.
func TestEndlessRunsAreReadOnce(t *testing.T) {
	t.Parallel()
	const long = 1 << 18
	if got := len(Normalise(strings.Repeat("oh ", long))); got != long {
		t.Errorf("%d words are %d tokens", long, got)
	}
}

// The memory to find a phrase does not grow with the product of the lengths of the phrase and
// of what was heard, nor that of reading a number with the square of its length.
//
//nolint:paralleltest // it measures what is allocated
func TestLongTurnsTakeLittleMemory(t *testing.T) {
	want := Normalise(strings.Repeat("alpha bravo ", 100))
	heard := Normalise(strings.Repeat("charlie ", 10_000))
	number := "five point " + strings.Repeat("five ", 10_000)
	for what, do := range map[string]func(){
		"a phrase":          func() { Find(want, heard, AsHeard) },
		"an endless number": func() { Normalise(number) },
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		do()
		runtime.ReadMemStats(&after)
		if took := (after.TotalAlloc - before.TotalAlloc) >> 20; took > 16 {
			t.Errorf("%s took %d MiB", what, took)
		}
	}
}
