package score

import (
	"encoding/json"
	"runtime"
	"strings"
	"testing"

	"github.com/ringtrue/ringtrue/internal/call"
)

// allocated is how many MiB something takes, also for a moment.
func allocated(do func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return (after.TotalAlloc - before.TotalAlloc) >> 20
}

// A turn may be as long as a call log: its words are brought into the form in which they
// are compared for the first scorer, and not for each.
//
//nolint:paralleltest // it measures what is allocated
func TestWordsArePreparedForAllScorersAtOnce(t *testing.T) {
	in := &Input{Heard: call.Heard{Turns: []call.Turn{{Speaker: call.Agent, Text: strings.Repeat("it's $14 ", 10_000)}}}}
	scorer, bad := Build(Config{Slug: "a", Kind: KindSay, Params: json.RawMessage(`{"phrase":"yes"}`)}, Deps{})
	if bad != nil {
		t.Fatal(bad)
	}
	score := func() { scorer.Score(t.Context(), in) }
	if first, second := allocated(score), allocated(score); second > first/2 {
		t.Errorf("the first scorer took %d MiB, and the second %d", first, second)
	}
}
