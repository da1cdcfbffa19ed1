package emotion

import (
	"slices"
	"strings"

	"github.com/ringtrue/ringtrue/internal/call"
)

// phraseBook indexes phrases by their first words.
type phraseBook struct {
	byFirst map[string][]compiled
	// anchored begin at the start of the turn.
	anchored []compiled
}

type compiled struct {
	sign  call.Sign
	parts []part
}

// part is one position in a phrase.
type part struct {
	gap, any, end bool
	words         []string
}

func newPhraseBook(all []phrase) *phraseBook {
	b := &phraseBook{byFirst: map[string][]compiled{}}
	for _, p := range all {
		c := compiled{sign: p.sign}
		start := false
		for f := range strings.FieldsSeq(p.text) {
			switch f {
			case "^":
				start = true
			case "~":
				c.parts = append(c.parts, part{gap: true})
			case "_":
				c.parts = append(c.parts, part{any: true})
			case "$":
				c.parts = append(c.parts, part{end: true})
			default:
				q := part{}
				for w := range strings.SplitSeq(f, "|") {
					if w == "$" {
						q.end = true
					} else {
						q.words = append(q.words, w)
					}
				}
				c.parts = append(c.parts, q)
			}
		}
		if start {
			b.anchored = append(b.anchored, c)
			continue
		}
		for _, w := range c.parts[0].words {
			b.byFirst[w] = append(b.byFirst[w], c)
		}
	}
	return b
}

// find calls found with the sign and the position of every phrase in a turn.
func (b *phraseBook) find(t *tokens, found func(s call.Sign, at int)) {
	for _, c := range b.anchored {
		if c.at(t, 0) {
			found(c.sign, 0)
		}
	}
	for i, k := range t.all {
		for _, c := range b.byFirst[string(t.of(k))] {
			if c.at(t, i) {
				found(c.sign, i)
			}
		}
	}
}

// at reports whether the phrase begins at position i.
func (c *compiled) at(t *tokens, i int) bool { return match(t, i, c.parts) }

func match(t *tokens, i int, parts []part) bool {
	for p, q := range parts {
		if q.gap {
			for skip := 0; skip <= 4 && i+skip <= len(t.all); skip++ {
				if match(t, i+skip, parts[p+1:]) {
					return true
				}
			}
			return false
		}
		for i < len(t.all) && !t.all[i].word { // marks may stand between words
			i++
		}
		if i >= len(t.all) {
			return q.end && p == len(parts)-1
		}
		if !q.any && !q.has(t.of(t.all[i])) {
			return false
		}
		i++
	}
	return true
}

func (q *part) has(w []byte) bool { return slices.Contains(q.words, string(w)) }
