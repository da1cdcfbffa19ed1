package trend

import (
	"cmp"
	"encoding/hex"
	"hash/fnv"
	"slices"
	"strings"

	"github.com/ringtrue/ringtrue/internal/call"
)

// Failure is what failed calls are compared by.
type Failure struct {
	End    call.EndCode
	Blame  call.Blame
	Scorer string
	// Words are the agent's last words.
	Words string
}

// Shape is a failure with its words masked, so that it can be stored and shown without repeating
// what was said in a call. Numbers become "#", what follows a title or "my name is" becomes "*",
// addresses become "@". At most the last 24 words are kept.
type Shape struct {
	// Key is equal for all failures of the same end, blame and scorer whose masked words contain the
	// same words of meaning, whatever their order and number; if there are none, all words must be
	// equal. It has 16 hexadecimal digits and depends on the failure alone, so it can be stored with
	// the call.
	Key    string
	End    call.EndCode
	Blame  call.Blame
	Scorer string
	Words  string
}

// ShapeOf returns the shape of a failure.
func ShapeOf(f Failure) Shape {
	words := mask(f.Words)
	s := Shape{End: f.End, Blame: f.Blame, Scorer: f.Scorer, Words: strings.Join(words, " ")}
	h := fnv.New64a()
	for _, part := range append([]string{string(f.End), string(f.Blame), f.Scorer}, telling(words)...) {
		_, _ = h.Write([]byte(part))
		_, _ = h.Write([]byte{0})
	}
	s.Key = hex.EncodeToString(h.Sum(nil))
	return s
}

// Group is a number of similar failures.
type Group struct {
	// Shape is the most frequent one.
	Shape
	// Count is the number of calls.
	Count int64
	// Keys are the keys of all shapes in the group, the most frequent first.
	Keys []string
}

// Counted is a shape with the number of its calls.
type Counted struct {
	Shape
	Count int64
}

// alike is the least share of words of meaning that similar shapes have in common (Jaccard index).
const alike = 0.5

// GroupAlike groups shapes with the same end, blame and scorer whose last words nearly agree,
// including in what they deny. The order of shapes does not matter; groups are sorted by their
// number of calls. An additional shape does not change the grouping of the others unless it becomes
// the most frequent in its group.
func GroupAlike(shapes []Counted) []Group {
	shapes = slices.Clone(shapes)
	slices.SortFunc(shapes, func(a, b Counted) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Key, b.Key), cmp.Compare(a.Words, b.Words))
	})
	g := grouper{heads: map[string][]int{}, known: map[string]int{}}
	for _, s := range shapes {
		g.put(s)
	}
	slices.SortFunc(g.groups, func(a, b Group) int { return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Key, b.Key)) })
	return g.groups
}

type grouper struct {
	groups []Group
	tokens [][]string
	// heads finds the groups whose head contains a word, by end, blame, scorer and that word.
	heads map[string][]int
	known map[string]int // index of the group by key
}

func (g *grouper) put(s Counted) {
	i, ok := g.known[s.Key]
	words := meaning(strings.Fields(s.Words))
	place := string(s.End) + "\x00" + string(s.Blame) + "\x00" + s.Scorer + "\x00"
	if denies(strings.Fields(s.Words)) {
		place += "not\x00" // "is confirmed" and "is not confirmed" share nearly all their words
	}
	if !ok {
		i = g.nearest(place, words)
	}
	if i < 0 {
		i = len(g.groups)
		g.groups = append(g.groups, Group{Shape: s.Shape})
		g.tokens = append(g.tokens, words)
		for _, w := range words {
			g.heads[place+w] = append(g.heads[place+w], i)
		}
	}
	g.groups[i].Count += s.Count
	if !ok {
		g.groups[i].Keys = append(g.groups[i].Keys, s.Key)
		g.known[s.Key] = i
	}
}

// nearest returns the group with the most similar head, −1 if none is similar enough.
func (g *grouper) nearest(place string, words []string) int {
	shared := map[int]int{}
	for _, w := range words {
		for _, i := range g.heads[place+w] {
			shared[i]++
		}
	}
	best, most := -1, 0.0
	for i, n := range shared {
		j := float64(n) / float64(len(words)+len(g.tokens[i])-n)
		if j >= alike && (j > most || j == most && i < best) {
			best, most = i, j
		}
	}
	return best
}
