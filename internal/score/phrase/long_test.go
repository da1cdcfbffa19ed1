package phrase

import (
	"runtime"
	"strings"
	"testing"
)

// A turn may be as long as a call log: words that are looked at together are not looked
// at again from each of them, which takes minutes.
func TestEndlessRunsAreReadOnce(t *testing.T) {
	t.Parallel()
	const long = 1 << 18
	if got := len(Normalise(strings.Repeat("oh ", long))); got != long {
		t.Errorf("%d words are %d tokens", long, got)
	}
}

// What finding a phrase needs does not grow with the phrase times what was heard, nor what
// a number needs with its length times its length.
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
