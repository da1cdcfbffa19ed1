package score

import (
	"encoding/json"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/ringtrue/ringtrue/internal/call"
)

// allocated returns how many MiB a function allocates in total.
func allocated(do func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return (after.TotalAlloc - before.TotalAlloc) >> 20
}

// A turn may be as long as a call log: its words are normalised for the first scorer only, and
// not for each.
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

func wordsFrom(texts []string) []call.Word {
	out := make([]call.Word, len(texts))
	for i, text := range texts {
		out[i].Text = text
	}
	return out
}

// Comparing a long turn with another reading takes at most a byte per pair of words.
//
//nolint:paralleltest // it measures what is allocated
func TestReadingsOfLongTurnsTakeLittleMemory(t *testing.T) {
	a := wordsFrom(strings.Fields(strings.Repeat("alpha bravo ", 1_500)))
	b := wordsFrom(strings.Fields(strings.Repeat("alpha charlie ", 1_500)))
	if took := allocated(func() { commonWords(a, b) }); took > 12 {
		t.Errorf("3000 words took %d MiB", took)
	}
}

// The common words of two texts are as many as possible, in order.
func TestCommonWordsAreTheLongestSequence(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	some := func() []string {
		out := make([]string, rng.IntN(9))
		for i := range out {
			out[i] = string(rune('a' + rng.IntN(3)))
		}
		return out
	}
	for range 2000 {
		a, b := some(), some()
		n, last := 0, -1
		for i, j := range commonWords(wordsFrom(a), wordsFrom(b)) {
			if j < 0 {
				continue
			}
			if a[i] != b[j] || j <= last {
				t.Fatalf("%v and %v: word %d is laid beside word %d", a, b, i, j)
			}
			n, last = n+1, j
		}
		if most := longestCommon(a, b); n != most {
			t.Fatalf("%v and %v: %d words of %d are common", a, b, n, most)
		}
	}
}

// longestCommon tries every subsequence of a.
func longestCommon(a, b []string) (most int) {
	for chosen := range 1 << len(a) {
		rest, n := b, 0
		for i, w := range a {
			if chosen>>i&1 == 0 {
				continue
			}
			at := slices.Index(rest, w)
			if at < 0 {
				n = -1
				break
			}
			rest, n = rest[at+1:], n+1
		}
		most = max(most, n)
	}
	return most
}
