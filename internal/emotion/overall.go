package emotion

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/ringtrue/ringtrue/internal/call"
)

// upsetFrom is the frustration from which on a call counts as upset. It was chosen on rated calls,
// each judged by a temper learned from those of other hands (docs/metrics/feeling.md).
const upsetFrom = 0.39

// overall computes the result of the call from its turns.
func (c *course) overall(out *call.Feeling) {
	if c.english {
		out.Valence = round(mean(c.turns))
		out.Worst = 1
		for i := range c.turns {
			out.Worst = min(out.Worst, round(c.turns[i].valence))
		}
		if n := len(c.turns) / 3; n > 0 {
			change := round(mean(c.turns[len(c.turns)-n:]) - mean(c.turns[:n]))
			out.Change = &change
		}
		out.Sentiment = sentiment(out.Valence)
	}
	out.Frustration = round(total(c.turns) * mended(c.turns))
	if out.Frustration >= upsetFrom {
		out.Upset = true
		worst := slices.MaxFunc(c.turns, func(a, b told) int {
			switch {
			case a.frustration < b.frustration:
				return -1
			case a.frustration > b.frustration:
				return 1
			}
			return b.at - a.at
		})
		out.UpsetTurn = worst.at
		if c.english {
			out.Sentiment = worseOf(out.Sentiment, mended(c.turns) < 1)
		}
	}
	out.Reason = c.reason(out)
}

// worseOf returns the sentiment of an upset call, whose mean is diluted by names and numbers:
// negative, unless the problem was solved, and never positive.
func worseOf(mean call.Sentiment, mended bool) call.Sentiment {
	if mended && mean != call.Negative {
		return call.Neutral
	}
	return call.Negative
}

// mean returns the mean valence weighted by words; a formula counts as one word.
func mean(turns []told) float64 {
	sum, weight := 0.0, 0.0
	for i := range turns {
		w := float64(max(turns[i].words.Count, 1))
		if turns[i].formula {
			w = 1
		}
		sum += w * turns[i].valence
		weight += w
	}
	return sum / weight
}

// together is how many consecutive turns of the caller are judged together.
const together = 5

// A little frustration in a turn does not count, and the worst of very many turns looks worse than
// it is: from manyTurns on, each e-fold increase in turns subtracts longShare from a call's
// frustration, down to the share longLeast.
const (
	little    = 0.1
	manyTurns = 8
	longShare = 0.2
	longLeast = 0.8
)

// total returns the frustration of a call: the maximum over groups of neighbouring turns. A little
// frustration here and there in a long call does not add up.
func total(turns []told) float64 {
	most := 0.0
	for i := range max(len(turns)-together, 0) + 1 {
		most = max(most, joined(turns[i:min(i+together, len(turns))]))
	}
	if n := len(turns); n > manyTurns {
		most *= max(1-longShare*math.Log(float64(n)/manyTurns), longLeast)
	}
	return most
}

// joined returns the frustration of a few turns: the two worst, and half of the third.
func joined(turns []told) float64 {
	var worst [3]float64
	for i := range turns {
		f := max(turns[i].frustration-little, 0) / (1 - little)
		for k := range worst {
			if f > worst[k] {
				f, worst[k] = worst[k], f
			}
		}
	}
	return 1 - (1-worst[0])*(1-worst[1])*(1-worst[2]/2)
}

// mendedUnder is the greatest frustration at the end of a call whose problem was solved.
const mendedUnder = 0.2

// mended returns the share of frustration left in a call whose last third shows none and contains
// kind words: solved problems weigh less.
func mended(turns []told) float64 {
	good := false
	for i := len(turns) - len(turns)/3; i < len(turns); i++ {
		t := &turns[i]
		if t.frustration >= mendedUnder {
			return 1
		}
		good = good || t.signs.has(call.SignThanks) || t.valence >= valenceFrom
	}
	if good {
		return 0.8
	}
	return 1
}

// reason says in a sentence or a few what the result is based on.
func (c *course) reason(out *call.Feeling) string {
	sentences := []string{c.finding(out)}
	if !c.english {
		sentences = append(sentences, "The words are not English, so only behaviour and voice were judged.")
	}
	if !c.voiced {
		sentences = append(sentences, "Arousal was not measured: "+c.deaf+".")
	}
	return strings.Join(sentences, " ")
}

// finding says whether the caller was upset, and which turn shows it.
func (c *course) finding(out *call.Feeling) string {
	if !out.Upset {
		turns := "turns"
		if len(c.turns) == 1 {
			turns = "turn"
		}
		return fmt.Sprintf("The caller was not upset: the frustration in %d %s came to less than %g.", len(c.turns), turns, upsetFrom)
	}
	because := ""
	for i := range c.turns {
		if t := &c.turns[i]; t.at == out.UpsetTurn {
			because = t.because()
		}
	}
	if mended(c.turns) < 1 {
		because += "; it was put right in the end"
	}
	return fmt.Sprintf("The caller was upset, as turn %d shows%s.", out.UpsetTurn, because)
}

// because says what makes a turn frustrated.
func (t *told) because() string {
	var parts []string
	for _, s := range t.signs.list() {
		if s != call.SignThanks {
			parts = append(parts, strings.ReplaceAll(string(s), "_", " "))
		}
	}
	if t.words.P[Anger]+t.words.P[Annoyance] > 0.3 {
		parts = append(parts, "annoyed words")
	}
	if len(parts) == 0 {
		return ""
	}
	return ": " + strings.Join(parts, ", ")
}
