package speech

import "strings"

// sentences splits written text into sentences of spoken words.
func sentences(text string) [][]string {
	var out [][]string
	start := 0
	cut := func(end int) {
		if w := spoken(text[start:end]); len(w) > 0 {
			out = append(out, w)
		}
		start = end
	}
	for i := 0; i < len(text); i++ {
		ends := text[i] == '?' || text[i] == '!' || text[i] == '.' || text[i] == '\n'
		if ends && (i+1 == len(text) || text[i+1] == ' ' || text[i] == '\n') {
			cut(i + 1)
		}
	}
	cut(len(text))
	return out
}

// weighted is a sentence and its weight.
type weighted struct {
	words  []string
	weight float64
}

// expand parses the general sentences: lines "name: a | b" declare a slot, others are
// sentences. A sentence is repeated for every value of its longest slot, while its other slots
// rotate through theirs, which keeps the result small. The forms of a sentence have a total
// weight of 1; otherwise sentences with dates would outweigh the plain ones.
func expand(text string) []weighted {
	slotValues := map[string][]string{}
	var out []weighted
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if name, values, ok := strings.Cut(line, ":"); ok {
			for v := range strings.SplitSeq(values, "|") {
				slotValues[name] = append(slotValues[name], strings.TrimSpace(v))
			}
			continue
		}
		out = append(out, expandLine(line, slotValues)...)
	}
	return out
}

func expandLine(line string, slotValues map[string][]string) []weighted {
	words := strings.Fields(line)
	rounds := 1
	for _, w := range words {
		rounds = max(rounds, len(slotValues[strings.Trim(w, "{}")])*strings.Count(w, "{"))
	}
	out := make([]weighted, 0, rounds)
	for i := range rounds {
		s := weighted{weight: 1 / float64(rounds)}
		for k, w := range words {
			values := slotValues[strings.Trim(w, "{}")]
			if w[0] == '{' && len(values) > 0 {
				w = values[(i+k*7*min(i, 1))%len(values)]
			}
			s.words = append(s.words, strings.Fields(w)...)
		}
		out = append(out, s)
	}
	return out
}

// allWords returns the sentences and words that the general model knows.
func allWords(general []weighted, more []string) [][]string {
	out := [][]string{more}
	for _, s := range general {
		out = append(out, s.words)
	}
	return out
}
