package score

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"regexp"
	"strings"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/score/phrase"
)

// phraseParams are the settings of say and do_not_say.
type phraseParams struct {
	Phrase string `json:"phrase"`
}

// says checks that the agent said a phrase, or that it did not.
type says struct {
	mark  Mark
	text  string
	want  []phrase.Token
	never bool
}

func buildSay(never bool) builder {
	return func(params json.RawMessage, m Mark, _ Deps) (Scorer, *problem.Error) {
		var p phraseParams
		if e := decode(params, &p); e != nil {
			return nil, e
		}
		if e := neededText("params.phrase", p.Phrase); e != nil {
			return nil, e
		}
		return says{mark: m, text: p.Phrase, want: phrase.Normalise(p.Phrase), never: never}, nil
	}
}

// Score implements Scorer. A phrase that must not be said only counts if every
// word of it was heard clearly: an accusation needs certainty.
func (s says) Score(_ context.Context, in *Input) call.Score {
	speech := speechOf(in, call.Agent)
	if s.never {
		return s.scoreNever(in, speech)
	}
	if sc, none := silent(s.mark, speech, quoted(s.text)+" was not said"); none {
		return sc
	}
	m, said, ok := find(s.want, speech, phrase.AsHeard)
	if !ok || !m.Found {
		why := cmp.Or(doubt(in, call.Agent, holds(s.want)), blurred(in, speech, s.want))
		if why != "" {
			return s.mark.Score(call.NotEvaluated, fmt.Sprintf("It is not certain whether the agent said %s: %s%s", quoted(s.text), why, hearing(in)))
		}
	}
	switch {
	case !ok:
		return s.mark.Score(call.NotPassed, fmt.Sprintf("The agent never said %s, or anything like it.%s", quoted(s.text), hearing(in)))
	case !m.Found:
		e := said.evidence(m.First, m.Last)
		return s.mark.Score(call.NotPassed, fmt.Sprintf("The agent never said %s; %s.%s", quoted(s.text), said.closest(m), hearing(in)), e)
	}
	e := said.evidence(m.First, m.Last)
	return s.mark.Score(call.Passed, fmt.Sprintf("The agent said %s %s, heard as %s (%.0f %% alike).%s",
		quoted(s.text), where(e), quoted(e.Quote), 100*m.Similarity, hearing(in)), e)
}

func (s says) scoreNever(in *Input, speech []spoken) call.Score {
	m, said, ok := surest(s.want, speech)
	switch {
	case ok && m.Found && said.sure(m.First, m.Last) < sureWord:
		e := said.evidence(m.First, m.Last)
		return s.mark.Score(call.NotEvaluated, fmt.Sprintf("It is not certain whether the agent said %s: it was heard %s, but not clearly.%s",
			quoted(s.text), where(e), hearing(in)), e)
	case ok && m.Found:
		e := said.evidence(m.First, m.Last)
		return s.mark.Score(call.NotPassed, fmt.Sprintf("The agent said %s %s, which it must not say.%s",
			quoted(s.text), where(e), hearing(in)), e)
	case ok && m.Similarity >= phrase.Enough:
		e := said.evidence(m.First, m.Last)
		return s.mark.Score(call.Passed, fmt.Sprintf("The agent did not say %s; %s.%s", quoted(s.text), said.closest(m), hearing(in)), e)
	}
	return s.mark.Score(call.Passed, fmt.Sprintf("The agent did not say %s.%s", quoted(s.text), hearing(in)))
}

// surest finds the phrase, word for word, where it was heard most clearly, or else the
// closest passage.
func surest(want []phrase.Token, speech []spoken) (m phrase.Match, s spoken, ok bool) {
	m, s, ok = find(want, speech, phrase.Exact)
	if !ok || !m.Found {
		return m, s, ok
	}
	for _, other := range speech {
		for c := range places(want, other.tokens) {
			if other.sure(c.First, c.Last) > s.sure(m.First, m.Last) {
				m, s = c, other
			}
		}
	}
	return m, s, true
}

// places returns where a phrase stands, word for word.
func places(want, tokens []phrase.Token) iter.Seq[phrase.Match] {
	return func(yield func(phrase.Match) bool) {
		for from := 0; ; {
			m := phrase.Find(want, tokens[from:], phrase.Exact)
			if !m.Found {
				return
			}
			m.First, m.Last = m.First+from, m.Last+from
			if !yield(m) {
				return
			}
			from = m.Last + 1
		}
	}
}

// factParams are the settings of fact_stated.
type factParams struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// fact checks that the agent stated a value, however it is spoken.
type fact struct {
	mark  Mark
	name  string
	value string
	want  []phrase.Token
}

func buildFact(params json.RawMessage, m Mark, _ Deps) (Scorer, *problem.Error) {
	var p factParams
	if e := decode(params, &p); e != nil {
		return nil, e
	}
	if e := neededText("params.value", p.Value); e != nil {
		return nil, e
	}
	if p.Name == "" {
		p.Name = "fact"
	}
	return fact{mark: m, name: clip(p.Name, 100), value: p.Value, want: phrase.Normalise(p.Value)}, nil
}

// Score implements Scorer.
func (f fact) Score(_ context.Context, in *Input) call.Score {
	speech := speechOf(in, call.Agent)
	if sc, none := silent(f.mark, speech, "the "+f.name+" "+quoted(f.value)+" was not stated"); none {
		return sc
	}
	m, said, ok := find(f.want, untorn(in, speech, f.want), phrase.AsHeard)
	if !ok || !m.Found {
		m, said, ok = find(f.want, speech, phrase.AsHeard)
	}
	why := torn(in, said, m)
	if ok && m.Found && why == "" {
		e := said.evidence(m.First, m.Last)
		return f.mark.Score(call.Passed, fmt.Sprintf("The agent stated the %s %s %s, heard as %s.%s",
			f.name, quoted(f.value), where(e), quoted(e.Quote), hearing(in)), e)
	}
	why = cmp.Or(why, doubt(in, call.Agent, holds(f.want)), blurred(in, speech, f.want))
	if why != "" {
		return f.mark.Score(call.NotEvaluated, fmt.Sprintf("It is not certain whether the agent stated the %s %s: %s%s", f.name, quoted(f.value), why, hearing(in)))
	}
	if e, other := otherValue(f.want, speech); other {
		return f.mark.Score(call.NotPassed, fmt.Sprintf("The agent never stated the %s %s; the closest value it gave was %s %s.%s",
			f.name, quoted(f.value), quoted(e.Quote), where(e), hearing(in)), e)
	}
	if ok {
		e := said.evidence(m.First, m.Last)
		return f.mark.Score(call.NotPassed, fmt.Sprintf("The agent never stated the %s %s; %s.%s", f.name, quoted(f.value), said.closest(m), hearing(in)), e)
	}
	return f.mark.Score(call.NotPassed, fmt.Sprintf("The agent never stated the %s %s, or any value of that kind.%s",
		f.name, quoted(f.value), hearing(in)))
}

// otherValue finds another value of the same kind that the agent said: an
// amount, a date, a number, a day. Of several it returns the one most similar
// to the value wanted.
func otherValue(want []phrase.Token, speech []spoken) (call.Evidence, bool) {
	for i, w := range want {
		if w.Kind == phrase.Word && !phrase.Strict(w.Text) {
			continue
		}
		text := runText(want, i)
		if e, ok := otherOf(w, text, speech); ok {
			return e, true
		}
		if w.Kind == phrase.Money {
			// "One forty five" may have been meant as an amount.
			if e, ok := otherOf(phrase.Token{Kind: phrase.Number}, text, speech); ok {
				return e, true
			}
		}
	}
	return call.Evidence{}, false
}

// otherOf finds the value of the same kind as w that is most similar to text.
func otherOf(w phrase.Token, text string, speech []spoken) (e call.Evidence, found bool) {
	least := 0
	for _, s := range speech {
		for j := 0; j < len(s.tokens); j++ {
			n := runLength(s.tokens, j)
			if !phrase.AlikeKind(w, s.tokens[j]) || runText(s.tokens, j) == text && s.tokens[j].Unit == w.Unit {
				j += n - 1
				continue
			}
			d := phrase.Distance([]rune(text), []rune(clip(runText(s.tokens, j), 60)))
			if !found || d < least {
				e, found, least = s.evidence(j, j+n-1), true, d
			}
			j += n - 1
		}
	}
	return e, found
}

// runText returns the digits of the consecutive numbers from i on, or the
// token's text.
func runText(tokens []phrase.Token, i int) string {
	var text strings.Builder
	for _, t := range tokens[i : i+runLength(tokens, i)] {
		text.WriteString(phrase.Digits(t))
	}
	return text.String()
}

// runLength returns how many numbers follow one another from i on; 1 for any
// other token.
func runLength(tokens []phrase.Token, i int) int {
	n := 1
	for tokens[i].Kind == phrase.Number && i+n < len(tokens) && tokens[i+n].Kind == phrase.Number {
		n++
	}
	return n
}

// regexParams are the settings of regex.
type regexParams struct {
	Pattern string `json:"pattern"`
	Speaker string `json:"speaker,omitempty"`
	Never   bool   `json:"never,omitempty"`
}

// maxMatches bounds how many matches in one turn are compared.
const maxMatches = 100

// pattern checks the text of single turns against a regular expression.
type pattern struct {
	mark    Mark
	re      *regexp.Regexp
	speaker call.Speaker
	never   bool
}

func buildRegex(params json.RawMessage, m Mark, _ Deps) (Scorer, *problem.Error) {
	var p regexParams
	if e := decode(params, &p); e != nil {
		return nil, e
	}
	if p.Pattern == "" || len(p.Pattern) > maxTextLength {
		return nil, invalid("params.pattern", "the pattern must have 1 to 1000 bytes")
	}
	re, err := compileRegex("(?i)" + phrase.Composed(p.Pattern))
	if err != nil {
		return nil, invalid("params.pattern", "the pattern is not a valid RE2 regular expression: "+clip(err.Error(), 200))
	}
	who := call.Speaker(p.Speaker)
	if who == "" {
		who = call.Agent
	}
	if who != call.Agent && who != call.Caller {
		return nil, invalid("params.speaker", `the speaker must be "agent" or "caller"`)
	}
	return pattern{mark: m, re: re, speaker: who, never: p.Never}, nil
}

// Score implements Scorer.
func (p pattern) Score(_ context.Context, in *Input) call.Score {
	e, sure, ok := p.surest(in)
	note := hearing(in)
	if p.speaker == call.Caller {
		note = "" // the words of a simulated caller are known
	}
	switch {
	case ok && p.never && sure < sureWord:
		return p.mark.Score(call.NotEvaluated, fmt.Sprintf("It is not certain whether the %s said anything that matches the pattern %s: %s was heard %s, but not clearly.%s",
			p.speaker, quoted(p.source()), quoted(e.Quote), where(e), note), e)
	case ok && p.never:
		return p.mark.Score(call.NotPassed, fmt.Sprintf("The %s said %s %s, which matches the forbidden pattern %s.%s",
			p.speaker, quoted(e.Quote), where(e), quoted(p.source()), note), e)
	case ok:
		return p.mark.Score(call.Passed, fmt.Sprintf("The %s said %s %s, which matches the pattern %s.%s",
			p.speaker, quoted(e.Quote), where(e), quoted(p.source()), note), e)
	case p.never:
		return p.mark.Score(call.Passed, fmt.Sprintf("Nothing the %s said matches the pattern %s.%s", p.speaker, quoted(p.source()), note))
	}
	if why := doubt(in, p.speaker, func(o spoken) bool { return p.re.MatchString(phrase.Composed(o.turn.Text)) }); why != "" {
		return p.mark.Score(call.NotEvaluated, fmt.Sprintf("It is not certain whether the %s said anything that matches the pattern %s: %s%s", p.speaker, quoted(p.source()), why, note))
	}
	return p.mark.Score(call.NotPassed, fmt.Sprintf("No turn of the %s matches the pattern %s.%s", p.speaker, quoted(p.source()), note))
}

// surest finds the match that was heard most clearly; the first of equally clear ones.
func (p pattern) surest(in *Input) (e call.Evidence, sure float64, ok bool) {
	for _, t := range in.Heard.Turns {
		if !t.Own(p.speaker) {
			continue
		}
		t.Text = phrase.Composed(t.Text)
		for _, place := range p.re.FindAllStringIndex(t.Text, maxMatches) {
			if c := certainty(wordsIn(t, place[0], place[1])); !ok || c > sure {
				e, sure, ok = quoteIn(t, place[0], place[1]), c, true
			}
		}
	}
	return e, sure, ok
}

func (p pattern) source() string { return p.re.String()[len("(?i)"):] }
