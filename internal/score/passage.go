package score

import (
	"fmt"
	"strings"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/score/phrase"
)

// spoken is one turn in the form in which words are compared.
type spoken struct {
	turn   call.Turn
	words  []call.Word
	tokens []phrase.Token
}

// speechOf prepares the turns of one speaker: once for all scorers of a call, as it takes
// longer than most of them, and a turn may be as long as a call log.
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

// wordsOf are the words of a turn with their places. Where the recogniser gave
// none they are spread evenly over the turn's speech, and not over its pauses.
func wordsOf(t call.Turn) []call.Word {
	if len(t.Words) > 0 {
		return t.Words
	}
	fields := strings.Fields(t.Text)
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
		s := segments[k] // the one that holds the word's middle holds the word
		out[i] = call.Word{Text: f, Start: s.Start + max(from-before, 0), End: s.Start + min(to-before, s.Length())}
	}
	return out
}

// find looks for the phrase in every turn and returns the best place. Ok is
// false when no turn comes near.
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

// evidence is the passage of tokens as it was heard.
func (s spoken) evidence(first, last int) call.Evidence {
	from, to := s.tokens[first].First, s.tokens[last].Last
	texts := make([]string, 0, to-from+1)
	for _, w := range s.words[from : to+1] {
		texts = append(texts, w.Text)
	}
	return call.Evidence{
		Turn: s.turn.Index, Start: s.words[from].Start, End: s.words[to].End, Quote: strings.Join(texts, " "),
	}
}

// closest tells in words what comes nearest to a phrase that was not found.
func (s spoken) closest(m phrase.Match) string {
	e := s.evidence(m.First, m.Last)
	if n := phrase.Negator(s.tokens, m.First, true); n >= 0 {
		return fmt.Sprintf("the closest words, %s %s, stand behind %q", quoted(e.Quote), where(e), s.tokens[n].Text)
	}
	if phrase.Retracted(s.tokens, m.Last) {
		return fmt.Sprintf("the closest words, %s %s, were taken back at once", quoted(e.Quote), where(e))
	}
	return fmt.Sprintf("the closest words are %s %s, %.0f %% alike", quoted(e.Quote), where(e), 100*m.Similarity)
}

// at is a place in a call for people: "0:12.4".
func at(d time.Duration) string {
	return fmt.Sprintf("%d:%04.1f", int(d.Minutes()), (d % time.Minute).Seconds())
}

// where is the place of words in a call for people: their turn, where the transcript tells no times.
func where(e call.Evidence) string {
	if e.Start < 0 {
		return fmt.Sprintf("in turn %d", e.Turn)
	}
	return "at " + at(e.Start)
}

// hearing is a note on how far the words can be trusted, "" when they can.
func hearing(in *Input) string {
	if in.Heard.SelfTestGrade {
		return " (Heard by a recogniser of self-test grade.)"
	}
	return ""
}

// silent is the score when nothing was heard of the agent, and false when something was.
func silent(m Mark, speech []spoken, checked string) (call.Score, bool) {
	for _, s := range speech {
		if len(s.tokens) > 0 {
			return call.Score{}, false
		}
	}
	return m.Score(call.NotPassed, "The agent said nothing that could be understood, so "+checked+"."), true
}

// stretch is a stretch of the call as evidence, with the turn of the agent's
// that lies in it or follows it.
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
