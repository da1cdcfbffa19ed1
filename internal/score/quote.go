package score

import (
	"slices"
	"strings"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/score/phrase"
)

// quoteIn returns bytes from to to of a turn's text as evidence. Its times are
// those of the words, or estimated in proportion.
func quoteIn(t call.Turn, from, to int) call.Evidence {
	e := call.Evidence{Turn: t.Index, Quote: t.Text[from:to]}
	if words := wordsIn(t, from, to); len(words) > 0 {
		e.Start, e.End = words[0].Start, words[len(words)-1].End
		return e
	}
	length := time.Duration(max(1, len(t.Text)))
	e.Start = t.Start + (t.End-t.Start)*time.Duration(from)/length
	e.End = t.Start + (t.End-t.Start)*time.Duration(to)/length
	return e
}

// wordsIn returns the words that these bytes of the turn's text touch; nil if
// the turn's words do not match its text.
func wordsIn(t call.Turn, from, to int) []call.Word {
	words := wordsOf(t)
	first := len(strings.Fields(t.Text[:from]))
	if from > 0 && first > 0 && !strings.ContainsAny(t.Text[from-1:from], " \t\n") {
		first--
	}
	last := max(first, len(strings.Fields(t.Text[:to]))-1)
	if len(words) != len(strings.Fields(t.Text)) || last >= len(words) {
		return nil
	}
	return words[first : last+1]
}

// Quote finds a quote in the transcript and returns it as evidence; ok is false
// if nobody said it. Turn −1 searches every turn. Both are normalised, so that
// case and punctuation do not matter, and compared word for word; a part of what
// is normalised as a whole ("ten minutes" of "two hours and ten minutes") counts
// where it is copied as it stands.
func Quote(h *call.Heard, turn int, quote string) (call.Evidence, bool) {
	want := asSaid(phrase.Normalise(quote))
	if len(want) == 0 {
		return call.Evidence{}, false
	}
	for _, t := range h.Turns {
		if turn >= 0 && t.Index != turn {
			continue
		}
		s := spokenTurn(t)
		if e, ok := s.quoted(want); ok {
			return e, true
		}
		if e, ok := s.copied(quote); ok {
			return e, true
		}
	}
	return call.Evidence{}, false
}

func (s spoken) quoted(want []phrase.Token) (call.Evidence, bool) {
	s.tokens = asSaid(s.tokens)
	for i := 0; i+len(want) <= len(s.tokens); i++ {
		if sameRun(want, s.tokens[i:]) {
			return s.evidence(i, i+len(want)-1), true
		}
	}
	return call.Evidence{}, false
}

// copied finds a quote by its words as they stand.
func (s spoken) copied(quote string) (call.Evidence, bool) {
	want := strings.Fields(plainly(quote))
	heard := make([]string, len(s.words))
	for i, w := range s.words {
		heard[i] = plainly(w.Text)
	}
	for i := 0; len(want) > 0 && i+len(want) <= len(heard); i++ {
		if slices.Equal(want, heard[i:i+len(want)]) {
			return s.passage(i, i+len(want)-1), true
		}
	}
	return call.Evidence{}, false
}

// plainly returns a text in lower case, its words without the punctuation around them.
func plainly(text string) string {
	words := strings.Fields(strings.ToLower(phrase.Composed(text)))
	for i, w := range words {
		words[i] = strings.Trim(w, `.,;:!?"“”()…`)
	}
	return strings.Join(words, " ")
}

// asSaid leaves out what the normaliser has put between the words.
func asSaid(tokens []phrase.Token) []phrase.Token {
	return slices.DeleteFunc(slices.Clone(tokens), func(t phrase.Token) bool { return t.Kind == phrase.Half && t.Aside })
}

func sameRun(want, heard []phrase.Token) bool {
	for i, w := range want {
		if w.Kind != heard[i].Kind || w.Text != heard[i].Text || w.Unit != heard[i].Unit {
			return false
		}
	}
	return true
}
