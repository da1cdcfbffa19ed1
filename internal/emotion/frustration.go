package emotion

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ringtrue/ringtrue/internal/call"
)

// upsetFrom is the frustration from which on a call counts as upset. It was chosen
// on the first set of dialogues in testdata.
const upsetFrom = 0.4

// signWeight is what a sign adds to the frustration of its turn, as a share of
// what is missing to 1.
func signWeight(s call.Sign) float64 {
	switch s {
	case call.SignSharpWords:
		return 0.5
	case call.SignToldBefore, call.SignAgentLost:
		return 0.45
	case call.SignAsksStop, call.SignHangsUp:
		return 0.35
	case call.SignWantsPerson, call.SignRepeats:
		return 0.3
	case call.SignCorrects, call.SignRaisedVoice:
		return 0.2
	case call.SignInterrupts:
		return 0.15
	case call.SignLongSilence:
		return 0.05
	case call.SignThanks:
	}
	return 0
}

// judge sets valence and frustration of a turn.
func (t *told) judge(english bool) {
	if t.arousal != nil && *t.arousal >= 0.5 {
		t.signs.add(call.SignRaisedVoice)
	}
	hostile := 0.0
	if english {
		t.valence = float64(t.words.P[Positive] - t.words.P[Negative])
		hostile = t.words.hostile()
		if t.formula {
			t.valence, hostile = min(max(t.valence, -0.2), 0.2), 0
		}
	}
	calm := 1 - 0.8*hostile
	for _, s := range t.signs.list() {
		calm *= 1 - signWeight(s)
	}
	if t.asked {
		calm *= 0.93
	}
	if t.stuck {
		calm *= 0.85
	}
	if t.refused && t.valence < valenceFrom {
		calm *= 0.96
	}
	if t.signs.has(call.SignThanks) && !t.signs.has(call.SignSharpWords) {
		calm = 1 - 0.6*(1-calm)
	}
	t.frustration = 1 - calm
	if english && t.frustration > 0.3 { // what the caller does weighs as well as what is said
		t.valence = max(-1, min(t.valence, 0.3)-0.6*(t.frustration-0.3))
	}
}

// hostile is the probability that words are negative, times the share in it of what is
// directed against somebody: anger and annoyance whole, the likes of
// disappointment half, grief and fear not at all.
func (w *Words) hostile() float64 {
	p := &w.P
	against := p[Anger] + p[Annoyance] + 0.6*(p[Disappointment]+p[Disapproval]+p[Disgust])
	all := p[Anger] + p[Annoyance] + p[Disappointment] + p[Disapproval] + p[Disgust] +
		p[Embarrassment] + p[Fear] + p[Grief] + p[Nervousness] + p[Remorse] + p[Sadness]
	return float64(p[Negative]) * float64(against) / (float64(all) + 1e-6)
}

// valenceFrom is how far from 0 a valence is no longer neutral.
const valenceFrom = 0.25

func sentiment(valence float64) call.Sentiment {
	switch {
	case valence >= valenceFrom:
		return call.Positive
	case valence <= -valenceFrom:
		return call.Negative
	}
	return call.Neutral
}

// feeling is the turn as it is told.
func (t *told) feeling(english bool) call.TurnFeeling {
	t.judge(english)
	f := call.TurnFeeling{
		Turn: t.at, Valence: round(t.valence), Arousal: t.arousal, Frustration: round(t.frustration), Signs: t.signs.list(),
		Emotions: map[string]float64{},
	}
	if !english {
		return f
	}
	f.Sentiment = sentiment(f.Valence)
	names := LabelNames()
	for k, name := range names {
		switch k {
		case Anger, Annoyance, Disappointment, Confusion, Gratitude, Joy, Sadness, Fear, Neutral:
			f.Emotions[name] = round(float64(t.words.P[k]))
		default:
			if t.words.Is(k) {
				f.Emotions[name] = round(float64(t.words.P[k]))
			}
		}
	}
	return f
}

// round keeps three decimals, so that machines that round otherwise tell the same.
func round(v float64) float64 {
	if v < 0 {
		return -round(-v)
	}
	return float64(int(v*1000+0.5)) / 1000
}

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
	out.Frustration = round(total(c.turns))
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
		if out.Sentiment == call.Positive {
			out.Sentiment = call.Neutral
		}
	}
	out.Reason = c.reason(out)
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

// total is the frustration of a call: that of its worst turn, and half and a
// quarter of those of the next ones.
func total(turns []told) float64 {
	all := make([]float64, len(turns))
	for i := range turns {
		all[i] = turns[i].frustration
	}
	slices.Sort(all)
	slices.Reverse(all)
	calm, share := 1.0, 1.0
	for i := range min(3, len(all)) {
		calm *= 1 - share*all[i]
		share /= 2
	}
	return 1 - calm
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
	} else {
		fmt.Fprintf(&b, "nothing in %d of the caller's turns comes to %.1f", len(c.turns), upsetFrom)
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
