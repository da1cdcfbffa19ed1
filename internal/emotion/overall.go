package emotion

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/ringtrue/ringtrue/internal/call"
)

// upsetFrom is the frustration from which on a call counts as upset. It was chosen on rated calls, each
// judged by a temper that was learned from those of other hands (docs/metrics/feeling.md).
const upsetFrom = 0.39

// overall sums the turns up.
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

// worseOf is the sentiment of an upset call, whose mean is watered down by names and
// numbers: negative, unless it was put right; never positive.
func worseOf(mean call.Sentiment, mended bool) call.Sentiment {
	if mended && mean != call.Negative {
		return call.Neutral
	}
	return call.Negative
}

// mean is that of the valences, weighted by words; a formula counts as one word.
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

// together is how many turns of the caller's in a row are judged as one.
const together = 5

// What little there is of frustration in a turn counts for nothing, and the worst of very many turns looks worse than it
// is: from manyTurns on each e-fold of turns takes longShare from a call, down to longLeast of it.
const (
	little    = 0.1
	manyTurns = 8
	longShare = 0.2
	longLeast = 0.8
)

// total is the frustration of a call: the most that turns near each other come to.
// What is little here and there in a long call does not add up.
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

// joined is the frustration of a few turns: that of the two worst, and half of
// that of the next one.
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

// mendedUnder is how little frustration the end of a call shows that was put right.
const mendedUnder = 0.2

// mended is what is left of the frustration of a call whose last third shows none
// and has a good word in it: what was put right weighs less.
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

// reason says in a sentence or two what the figures rest on.
func (c *course) reason(out *call.Feeling) string {
	var b strings.Builder
	if out.Upset {
		fmt.Fprintf(&b, "turn %d shows it", out.UpsetTurn)
		for i := range c.turns {
			if t := &c.turns[i]; t.at == out.UpsetTurn {
				b.WriteString(t.because())
			}
		}
		if mended(c.turns) < 1 {
			b.WriteString("; it was put right in the end")
		}
	} else {
		fmt.Fprintf(&b, "nothing in %d of the caller's turns comes to %g", len(c.turns), upsetFrom)
	}
	if !c.english {
		b.WriteString("; the words are not English, so only the rest was judged")
	}
	if !c.voiced {
		b.WriteString("; arousal is not told: ")
		b.WriteString(c.deaf)
	}
	return b.String()
}

// because names what makes a turn frustrated.
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
