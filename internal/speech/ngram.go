package speech

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
)

// Markers of the beginning and the end of a sentence.
const (
	bos = "<s>"
	eos = "</s>"
)

// order is the length of the longest n-gram.
const order = 3

// unseen is the probability mass shared equally by all words of the vocabulary, so that a word
// that occurs in no sentence can be recognised, but not in place of one that fits.
const unseen = 0.1

// counts are the n-gram counts of a set of sentences, by history.
type counts struct {
	// after[h][w] is the total weight with which w followed the history h (words joined by spaces, "" for none).
	after map[string]map[string]float64
	total map[string]float64
}

func newCounts() *counts {
	return &counts{after: map[string]map[string]float64{}, total: map[string]float64{}}
}

func (c *counts) add(sentence []string, weight float64) {
	if len(sentence) == 0 {
		return
	}
	words := append(append([]string{bos}, sentence...), eos)
	for i := 1; i < len(words); i++ {
		for n := range min(order, i+1) {
			c.one(strings.Join(words[i-n:i], " "), words[i], weight)
		}
	}
}

func (c *counts) one(history, word string, weight float64) {
	next := c.after[history]
	if next == nil {
		next = map[string]float64{}
		c.after[history] = next
	}
	next[word] += weight
	c.total[history] += weight
}

// p returns the Witten-Bell estimate of the probability of word after history, for a vocabulary
// of the given size.
func (c *counts) p(history, word string, vocabulary int) float64 {
	total, kinds := c.total[history], float64(len(c.after[history]))
	seen := c.after[history][word]
	if history == "" {
		if total == 0 {
			return 1 / float64(vocabulary)
		}
		return (1-unseen)*seen/total + unseen/float64(vocabulary)
	}
	lower := c.p(shorter(history), word, vocabulary)
	if total == 0 {
		return lower
	}
	return (seen + kinds*lower) / (total + kinds)
}

// shorter drops the oldest word of a history.
func shorter(history string) string {
	_, rest, _ := strings.Cut(history, " ")
	return rest
}

// model mixes a model of what this call is likely to be about with one of how people talk on the telephone.
type model struct {
	own, general *counts
	vocabulary   []string
	// share is the weight of own, 0 to 1.
	share float64
}

// newModel mixes two sets of sentences. more are words that may be recognised although they are
// in neither. Without hints, the general sentences are used alone.
func newModel(own [][]string, general []weighted, more []string) *model {
	m := &model{own: newCounts(), general: newCounts(), share: 0.5}
	words := map[string]bool{eos: true}
	for _, s := range own {
		m.own.add(s, 1)
		for _, w := range s {
			words[w] = true
		}
	}
	for _, w := range more {
		words[w] = true
	}
	for _, s := range general {
		m.general.add(s.words, s.weight)
		for _, w := range s.words {
			words[w] = true
		}
	}
	if len(own) == 0 {
		m.share = 0
	}
	m.vocabulary = slices.Sorted(maps.Keys(words))
	return m
}

func (m *model) p(history, word string) float64 {
	v := len(m.vocabulary)
	if m.share == 0 {
		return m.general.p(history, word, v)
	}
	return m.share*m.own.p(history, word, v) + (1-m.share)*m.general.p(history, word, v)
}

// histories returns the histories of n words in sorted order.
func (m *model) histories(n int) []string {
	set := map[string]bool{}
	for _, c := range []*counts{m.own, m.general} {
		for h := range c.after {
			if length(h) == n {
				set[h] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(set))
}

func length(history string) int {
	if history == "" {
		return 0
	}
	return strings.Count(history, " ") + 1
}

// next returns the words seen after a history in either set, in sorted order.
func (m *model) next(history string) []string {
	set := map[string]bool{}
	for _, c := range []*counts{m.own, m.general} {
		for w := range c.after[history] {
			set[w] = true
		}
	}
	return slices.Sorted(maps.Keys(set))
}

// backoff returns the back-off weight of a history, which makes all probabilities after it add up to one.
func (m *model) backoff(history string) float64 {
	left, lower := 1.0, 1.0
	seen := m.next(history)
	if len(seen) == 0 {
		return 1
	}
	for _, w := range seen {
		left -= m.p(history, w)
		lower -= m.p(shorter(history), w)
	}
	if left <= 1e-9 || lower <= 1e-9 {
		return 1e-6
	}
	return left / lower
}

// writeARPA writes the model in ARPA format, which pocketsphinx reads.
func (m *model) writeARPA(w io.Writer) error {
	out := bufio.NewWriter(w)
	grams := m.grams()
	fmt.Fprintf(out, "\\data\\\n")
	for n, list := range grams {
		fmt.Fprintf(out, "ngram %d=%d\n", n+1, len(list))
	}
	for n, list := range grams {
		fmt.Fprintf(out, "\n\\%d-grams:\n", n+1)
		for _, g := range list {
			fmt.Fprintf(out, "%.4f %s", g.log, g.text)
			if n+1 < order {
				fmt.Fprintf(out, " %.4f", math.Log10(m.backoff(g.text)))
			}
			fmt.Fprintln(out)
		}
	}
	fmt.Fprintf(out, "\n\\end\\\n")
	return out.Flush()
}

type gram struct {
	text string
	log  float64
}

func (m *model) grams() [order][]gram {
	var out [order][]gram
	out[0] = append(out[0], gram{bos, -99})
	for _, w := range m.vocabulary {
		out[0] = append(out[0], gram{w, math.Log10(m.p("", w))})
	}
	for n := 1; n < order; n++ {
		for _, h := range m.histories(n) {
			for _, w := range m.next(h) {
				out[n] = append(out[n], gram{h + " " + w, math.Log10(m.p(h, w))})
			}
		}
	}
	return out
}
