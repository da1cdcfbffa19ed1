package score

import (
	"fmt"
	"slices"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/score/phrase"
)

// Thresholds of confidence. A recogniser is wrong now and then, and mostly knows where. What it was
// unsure of is no evidence, neither that a phrase was said nor that something else was said
// instead. Recognisers without confidences are trusted.
const (
	// sureWord is the least confidence at which a word counts as heard.
	sureWord = 0.5
	// clearSpeech is the least mean confidence of all of the agent's words at which something counts as
	// not said.
	clearSpeech = 0.7
)

// A recogniser of self-test grade is trusted only within these limits: beyond them it mishears
// without noticing.
const (
	// fastestSpeech is in words per minute, mostLost a share of packets, leastSNR in dB, mostClipped a
	// share of the samples of speech, faintest in dBFS.
	fastestSpeech = 240
	mostLost      = 0.02
	leastSNR      = 20
	mostClipped   = 0.01
	faintest      = -40
)

// strained returns a sentence saying why the agent's sound is beyond the recogniser, "" if it is
// not or the recogniser is a real one.
func strained(in *Input) string {
	if !in.Heard.SelfTestGrade {
		return ""
	}
	for i := range in.Metrics {
		m := &in.Metrics[i]
		switch {
		case m.Value == nil:
		case m.Name == "words_per_minute" && *m.Value > fastestSpeech:
			return fmt.Sprintf("the agent spoke at %.0f words per minute, too fast for this recogniser to be sure what was not said.", *m.Value)
		case m.Name == "loss" && *m.Value > mostLost:
			return fmt.Sprintf("%.0f %% of the agent's packets were lost, too many for this recogniser to be sure what was not said.", 100**m.Value)
		case m.Name == "clipping" && *m.Value > mostClipped:
			return fmt.Sprintf("%.0f %% of the agent's speech was clipped, too much for this recogniser to be sure what was not said.", 100**m.Value)
		case m.Name == "level" && *m.Value < faintest:
			return fmt.Sprintf("the agent's speech was at %.0f dBFS, too quiet for this recogniser to be sure what was not said.", *m.Value)
		case m.Name == "snr" && *m.Value < leastSNR:
			return fmt.Sprintf("the agent's speech was only %.0f dB above its noise, too little for this recogniser to be sure what was not said.", *m.Value)
		}
	}
	return ""
}

// certainty returns the mean confidence of words, ignoring light words unless there are no others;
// 1 if none is known.
func certainty(words []call.Word) float64 {
	sum, n, lightSum, lights := 0.0, 0, 0.0, 0
	for _, w := range words {
		switch {
		case w.Confidence == 0:
		case phrase.Light(w.Text):
			lightSum, lights = lightSum+w.Confidence, lights+1
		default:
			sum, n = sum+w.Confidence, n+1
		}
	}
	switch {
	case n > 0:
		return sum / float64(n)
	case lights > 0:
		return lightSum / float64(lights)
	}
	return 1
}

// sure returns the certainty of the words behind tokens[first] to tokens[last].
func (s spoken) sure(first, last int) float64 {
	return certainty(s.words[s.tokens[first].First : s.tokens[last].Last+1])
}

// clarity returns the mean confidence of all words; 1 if none is known.
func clarity(speech []spoken) float64 {
	sum, n := 0.0, 0
	for _, s := range speech {
		for _, w := range s.words {
			if w.Confidence > 0 {
				sum, n = sum+w.Confidence, n+1
			}
		}
	}
	if n == 0 {
		return 1
	}
	return sum / float64(n)
}

// doubt returns a sentence saying why it cannot be claimed that something was never said, "" if it
// can. holds reports whether that something is in a text. It cannot be claimed when the sound was
// beyond the recogniser, too much speech was unclear, or it occurs in another reading of unclear
// words.
func doubt(in *Input, who call.Speaker, holds func(spoken) bool) string {
	if why := unheard(in, who); why != "" {
		return why
	}
	for _, s := range speechOf(in, who) {
		for _, text := range s.turn.Readings {
			if other := s.read(text); holds(other) && s.admits(other) {
				return fmt.Sprintf("what was heard as %s %s may have been %s.", quoted(clip(s.turn.Text, 200)), where(call.Evidence{Turn: s.turn.Index, Start: s.turn.Start}), quoted(clip(text, 200)))
			}
		}
	}
	return ""
}

// holds returns a function that reports whether the phrase is in a reading, with no other value in
// its place: "thursday at three o'clock two there" is no reading of "Thursday at two o'clock".
func holds(want []phrase.Token) func(spoken) bool {
	return func(s spoken) bool {
		m := phrase.Find(want, s.tokens, phrase.AsHeard)
		return m.Found && !s.contrary(m.First, m.Last+1, want)
	}
}

// unheard returns a sentence saying why the words of one side as a whole cannot be trusted, "" if
// they can.
func unheard(in *Input, who call.Speaker) string {
	if why := strained(in); who == call.Agent && why != "" {
		return why
	}
	if c := clarity(speechOf(in, who)); c < clearSpeech {
		return fmt.Sprintf("the %s's words were recognised with only %.0f %% confidence, too little to be sure what was not said.", who, 100*c)
	}
	return ""
}

// read returns the turn with another text.
func (s spoken) read(text string) spoken {
	t := s.turn
	t.Text, t.Words = text, nil
	return spokenTurn(t)
}

// admits reports whether another reading differs from the text only where that was unclear. Another
// value is not unclear: it is evidence of its own.
func (s spoken) admits(other spoken) bool {
	a, b := s.words, other.words
	same := commonWords(a, b)
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		if i < len(a) && j < len(b) && same[i] == j {
			i, j = i+1, j+1
			continue
		}
		from, added := i, j
		for i < len(a) && same[i] < 0 {
			i++
		}
		j = len(b)
		if i < len(a) {
			j = same[i]
		}
		if !unclear(a, from, i) && j+i > added+from {
			return false
		}
	}
	return true
}

// unclear reports whether words[from:to] are unsure and no values. If from equals to, a
// neighbouring unsure word leaves room for more.
func unclear(words []call.Word, from, to int) bool {
	if from == to {
		return from > 0 && unsure(words[from-1]) || to < len(words) && unsure(words[to])
	}
	sum := 0.0
	for _, w := range words[from:to] {
		if w.Confidence == 0 || isValue(w.Text) {
			return false
		}
		sum += w.Confidence
	}
	return sum/float64(to-from) < sureWord
}

func unsure(w call.Word) bool { return w.Confidence > 0 && w.Confidence < sureWord }

// isValue reports whether a word is a fact in itself, such as a number or a day.
func isValue(word string) bool {
	for _, t := range phrase.NormaliseWords([]string{word}) {
		if t.Kind != phrase.Word || phrase.Strict(t.Text) {
			return true
		}
	}
	return false
}

// move is a step through two texts: past a word of both, of the first or of the second.
type move uint8

const (
	both move = iota
	ours
	theirs
)

// commonWords returns for each word of a the index of its counterpart in b, −1 for none, by the
// longest common subsequence.
func commonWords(a, b []call.Word) []int {
	moves := movesThrough(a, b)
	out := make([]int, len(a))
	i, j := 0, 0
	for i < len(a) {
		switch {
		case j >= len(b) || moves[i][j] == ours:
			out[i] = -1
			i++
		case moves[i][j] == both:
			out[i] = j
			i, j = i+1, j+1
		default:
			j++
		}
	}
	return out
}

// movesThrough returns the best move from each pair of positions. Turns may have thousands of
// words, so only a byte is kept per pair, and the lengths of only two rows.
func movesThrough(a, b []call.Word) [][]move {
	moves := make([][]move, len(a))
	next, row := make([]int, len(b)+1), make([]int, len(b)+1)
	for i, x := range slices.Backward(a) {
		moves[i] = make([]move, len(b))
		for j, y := range slices.Backward(b) {
			switch {
			case x.Text == y.Text:
				row[j], moves[i][j] = next[j+1]+1, both
			case next[j] >= row[j+1]:
				row[j], moves[i][j] = next[j], ours
			default:
				row[j], moves[i][j] = row[j+1], theirs
			}
		}
		next, row = row, next
	}
	return moves
}
