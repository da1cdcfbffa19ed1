package score

import (
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/score/phrase"
)

// spoken is one turn with its words in normalised form.
type spoken struct {
	turn   call.Turn
	words  []call.Word
	tokens []phrase.Token
}

// speechOf returns the normalised turns of one speaker. They are cached for all scorers of the
// call, because normalising takes longer than most scorers and a turn may be as long as a call log.
func speechOf(in *Input, who call.Speaker) []spoken {
	if out, ok := in.speech[who]; ok {
		return out
	}
	var out []spoken
	for _, t := range in.Heard.Turns {
		if t.Own(who) {
			out = append(out, spokenTurn(t))
		}
	}
	if in.speech == nil {
		in.speech = map[call.Speaker][]spoken{}
	}
	in.speech[who] = out
	return out
}

func spokenTurn(t call.Turn) spoken {
	words := wordsOf(t)
	texts := make([]string, len(words))
	for i, w := range words {
		texts[i] = w.Text
	}
	return spoken{turn: t, words: words, tokens: phrase.NormaliseWords(texts)}
}

// wordsOf returns the words of a turn with their times. Without times from the recogniser, or with
// those of some words only, as platforms tell them, words are spread evenly over the turn's segments,
// leaving out its pauses.
func wordsOf(t call.Turn) []call.Word {
	fields := strings.Fields(t.Text)
	if len(t.Words) > 0 && (len(t.Words) >= len(fields) || sameLetters(t.Words, t.Text)) {
		return t.Words
	}
	out := make([]call.Word, len(fields))
	segments := t.Segments
	if len(segments) == 0 {
		segments = []call.Segment{t.Span()}
	}
	length := time.Duration(0)
	for _, s := range segments {
		length += s.Length()
	}
	k, before, n := 0, time.Duration(0), time.Duration(len(fields))
	for i, f := range fields {
		from, to := length*time.Duration(i)/n, length*time.Duration(i+1)/n
		for k+1 < len(segments) && (from+to)/2 >= before+segments[k].Length() {
			before += segments[k].Length()
			k++
		}
		s := segments[k] // a word belongs to the segment that holds its middle
		out[i] = call.Word{Text: f, Start: s.Start + max(from-before, 0), End: s.Start + min(to-before, s.Length())}
	}
	return out
}

// sameLetters reports whether words are a text, however both are parted and pointed.
func sameLetters(words []call.Word, text string) bool {
	letters := func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsNumber(r) {
			return unicode.ToLower(r)
		}
		return -1
	}
	var all strings.Builder
	for _, w := range words {
		all.WriteString(strings.Map(letters, phrase.Composed(w.Text)))
	}
	return all.String() == strings.Map(letters, phrase.Composed(text))
}

// find searches every turn for the phrase and returns the best match. ok is false if no turn comes
// near.
func find(want []phrase.Token, speech []spoken, t phrase.Tolerance) (m phrase.Match, s spoken, ok bool) {
	for _, candidate := range speech {
		c := phrase.Find(want, candidate.tokens, t)
		if c.First < 0 {
			continue
		}
		if !ok || c.Found && !m.Found || c.Found == m.Found && c.Similarity > m.Similarity {
			m, s, ok = c, candidate, true
		}
	}
	return m, s, ok
}

// evidence returns the words behind tokens[first] to tokens[last] as evidence.
func (s spoken) evidence(first, last int) call.Evidence {
	return s.passage(s.tokens[first].First, s.tokens[last].Last)
}

// passage returns the words from and to as evidence.
func (s spoken) passage(from, to int) call.Evidence {
	texts := make([]string, 0, to-from+1)
	for _, w := range s.words[from : to+1] {
		texts = append(texts, w.Text)
	}
	return call.Evidence{
		Turn: s.turn.Index, Start: s.words[from].Start, End: s.words[to].End, Quote: strings.Join(texts, " "),
	}
}

// closest says what comes closest to a phrase that was not found.
func (s spoken) closest(m phrase.Match) string {
	e := s.evidence(m.First, m.Last)
	if n := phrase.Negator(s.tokens, m.First, true); n >= 0 {
		return fmt.Sprintf("the closest words, %s %s, come after %q", quoted(e.Quote), where(e), s.tokens[n].Text)
	}
	if phrase.Retracted(s.tokens, m.Last) {
		return fmt.Sprintf("the closest words, %s %s, were taken back immediately", quoted(e.Quote), where(e))
	}
	return fmt.Sprintf("the closest words were %s %s (%.0f %% alike)", quoted(e.Quote), where(e), 100*m.Similarity)
}

// where says where in a call words are: their time, or their turn if the transcript has no times.
func where(e call.Evidence) string {
	if e.Start < 0 {
		return fmt.Sprintf("in turn %d", e.Turn)
	}
	return "at " + call.Clock(e.Start)
}

// hearing returns a note on how far the words can be trusted, "" if they can.
func hearing(in *Input) string {
	if in.Heard.SelfTestGrade {
		return " (Transcribed by a self-test-grade recogniser.)"
	}
	return ""
}

// silent returns a score and true if nothing of the agent's was understood.
func silent(m Mark, speech []spoken, checked string) (call.Score, bool) {
	for _, s := range speech {
		if len(s.tokens) > 0 {
			return call.Score{}, false
		}
	}
	return m.Score(call.NotPassed, "The agent said nothing that could be understood, so "+checked+"."), true
}

// stretch returns a stretch of the call as evidence, with the agent's first turn that overlaps it
// or begins as it ends.
func stretch(h *call.Heard, s call.Segment) call.Evidence {
	e := call.Evidence{Turn: -1, Start: s.Start, End: s.End}
	for _, t := range h.Turns {
		if t.Speaker == call.Agent && t.End > s.Start && t.Start <= s.End {
			e.Turn, e.Quote = t.Index, t.Text
			break
		}
	}
	return e
}
