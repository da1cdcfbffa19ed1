package score

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/score/phrase"
)

const (
	// nearMiss is the least similarity at which a passage may be a phrase whose rest was misheard.
	nearMiss = 0.5
	// clearWord is the least confidence at which a word counts as heard instead of another.
	clearWord = 0.6
)

// blurred returns a sentence saying where most of a phrase was heard with something unclear in
// place of the rest, "" if nowhere. A recogniser of self-test grade puts words that it knows in
// such a place, and its other readings need not include the right ones. A value that was clearly
// heard there is evidence against the phrase, also against a less similar passage elsewhere.
func blurred(in *Input, speech []spoken, want []phrase.Token) string {
	if !in.Heard.SelfTestGrade || len(want) < 2 {
		return ""
	}
	said, alike, against := "", 0.0, 0.0
	for _, s := range speech {
		m := phrase.Find(want, s.tokens, phrase.Exact)
		if m.First < 0 || m.Found || m.Similarity < nearMiss {
			continue
		}
		from, to := s.rest(m, want)
		switch {
		case s.contrary(from, to, want):
			against = max(against, m.Similarity)
		case s.frayed(from, to) && m.Similarity > alike:
			e := s.evidence(min(from, m.First), max(to-1, m.Last))
			said, alike = fmt.Sprintf("%s was heard %s, but not all of it clearly.", quoted(clip(e.Quote, 200)), where(e)), m.Similarity
		}
	}
	if against > alike {
		return ""
	}
	return said
}

// torn returns a sentence saying that a word which makes no sense separates a number from its
// currency, "" if there is none: "one hundred twenty line dollars" may have been 121. A recogniser
// of self-test grade hears such words.
func torn(in *Input, s spoken, m phrase.Match) string {
	if !in.Heard.SelfTestGrade || !m.Found || m.Last+2 >= len(s.tokens) || s.tokens[m.Last].Kind != phrase.Number {
		return ""
	}
	between, unit := s.tokens[m.Last+1], s.tokens[m.Last+2]
	if between.Kind != phrase.Word || unit.Kind != phrase.Word || phrase.Currency(between.Text) != "" || phrase.Currency(unit.Text) == "" || country(between.Text) {
		return ""
	}
	e := s.evidence(m.First, m.Last+2)
	return fmt.Sprintf("in %s %s, %s may be part of the amount.", quoted(e.Quote), where(e), quoted(between.Text))
}

// untorn returns the speech without turns in which the value is torn, since another turn may have
// it whole.
func untorn(in *Input, speech []spoken, want []phrase.Token) []spoken {
	return slices.DeleteFunc(slices.Clone(speech), func(s spoken) bool {
		m := phrase.Find(want, s.tokens, phrase.AsHeard)
		return m.Found && torn(in, s, m) != ""
	})
}

// country reports whether a word says whose currency is meant.
func country(w string) bool {
	switch w {
	case "us", "american", "canadian", "australian", "british", "of":
		return true
	}
	return false
}

// rest returns where the missing part of a phrase would be: after the passage found, before it, or
// inside it if both of its ends were heard.
func (s spoken) rest(m phrase.Match, want []phrase.Token) (from, to int) {
	missing := max(1, wordCount(want)-wordCount(s.tokens[m.First:m.Last+1]))
	switch {
	case !phrase.Same(want[len(want)-1], s.tokens[m.Last]):
		from, to = m.Last+1, m.Last+1
		for to < len(s.tokens) && wordCount(s.tokens[from:to]) < missing {
			to++
		}
	case !phrase.Same(want[0], s.tokens[m.First]):
		from, to = m.First, m.First
		for from > 0 && wordCount(s.tokens[from:to]) < missing {
			from--
		}
	default:
		return m.First, m.Last + 1
	}
	return from, to
}

// wordCount returns how many words the tokens were made of.
func wordCount(tokens []phrase.Token) int {
	n := 0
	for _, t := range tokens {
		n += t.Last - t.First + 1
	}
	return n
}

// frayed reports whether tokens[from:to] contain an unsure word that is no value.
func (s spoken) frayed(from, to int) bool {
	for i := from; i < to; i++ {
		if t := s.tokens[i]; t.Kind == phrase.Word && !phrase.Strict(t.Text) && s.unsureAt(i) {
			return true
		}
	}
	return false
}

// contrary reports whether tokens[from:to] contain a clearly heard value of a kind that occurs in
// the phrase, but not one of the phrase's own.
func (s spoken) contrary(from, to int, want []phrase.Token) bool {
	for i := from; i < to; i += runLength(s.tokens, i) {
		if n := s.sureHead(i, to); n > 0 && s.otherThan(want, i, n) {
			return true
		}
	}
	return false
}

// sureHead returns how many tokens of the value at i were clearly heard, counted from its beginning
// and ending before token to.
func (s spoken) sureHead(i, to int) int {
	n, all := 0, min(runLength(s.tokens, i), to-i)
	for n < all && !s.unsureAt(i+n) {
		n++
	}
	return n
}

// otherThan reports whether the value in n tokens at i is of a kind that occurs in the phrase, but
// neither one of the phrase's values nor a remnant of one.
func (s spoken) otherThan(want []phrase.Token, i, n int) bool {
	alike, said := false, runText(s.tokens[:i+n], i)
	for j, w := range want {
		if w.Kind == phrase.Word && !phrase.Strict(w.Text) || follows(want, j) || !phrase.AlikeKind(w, s.tokens[i]) {
			continue
		}
		if value := runText(want, j); said == value || s.mayLack(i, n, said, value) {
			return false
		}
		alike = true
	}
	return alike
}

// mayLack reports whether the n tokens at i may be a remnant of a value next to which something was
// unclear: "forty" of 43, "thirty" of 10:30. "Eleven thirty" is no remnant of 10:30.
func (s spoken) mayLack(i, n int, said, value string) bool {
	before := i > 0 && s.unsureAt(i-1) && strings.HasSuffix(value, said)
	behind := i+n < len(s.tokens) && s.unsureAt(i+n) && strings.HasPrefix(value, strings.TrimRight(said, "0"))
	return before || behind
}

// follows reports whether a number continues the one before it.
func follows(tokens []phrase.Token, i int) bool {
	return i > 0 && tokens[i].Kind == phrase.Number && tokens[i-1].Kind == phrase.Number
}

func (s spoken) unsureAt(i int) bool {
	t := s.tokens[i]
	return slices.ContainsFunc(s.words[t.First:t.Last+1], func(w call.Word) bool { return w.Confidence > 0 && w.Confidence < clearWord })
}
