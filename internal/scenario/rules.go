package scenario

import (
	"slices"
	"strings"
)

// defaultLanguage is the language of an item that names none.
const defaultLanguage = "en-US"

// NeedsModel reports whether a language model has to play the caller, because there is a goal
// and no script.
func (it Item) NeedsModel() bool { return len(it.Input.Script) == 0 && it.Input.Goal != "" }

// NeedsJudge reports whether a language model has to judge the call.
func (it Item) NeedsJudge() bool { return len(it.Output.Rubric) > 0 }

// NeedsEars reports whether the caller has to understand words during the call. Nested steps
// need not be checked: only a step that itself needs ears can contain any.
func (it Item) NeedsEars() bool {
	return it.NeedsModel() || slices.ContainsFunc(it.Input.Script, func(s Step) bool {
		return s.WaitForWords != nil || s.RepeatIfMisunderstood != nil || s.Branch != nil
	})
}

// Language returns the item's language tag, or the default.
func (it Item) Language() string {
	if it.Input.Language == "" {
		return defaultLanguage
	}
	return it.Input.Language
}

// Lines returns all lines that the script can speak, with facts filled in, without duplicates,
// in order: what to synthesise before dialling.
func (it Item) Lines() []string {
	var lines []string
	walk(it.Input.Script, "", func(_ string, s *Step) {
		if text := s.spoken(); text != "" {
			lines = appendNew(lines, it.Fill(text))
		}
	})
	return lines
}

// Words returns phrases likely to be heard on this call from either side, without duplicates,
// as hints for recognition. Phrases that must not be said are left out: a hint would make the
// recogniser more likely to hear them.
func (it Item) Words() []string {
	words := it.Lines()
	walk(it.Input.Script, "", func(_ string, s *Step) {
		for _, w := range s.awaited() {
			words = appendNew(words, w)
		}
	})
	for _, w := range it.Output.Say {
		words = appendNew(words, w)
	}
	for _, name := range sortedKeys(it.Output.FactsStated) {
		words = appendNew(words, it.Output.FactsStated[name])
	}
	for _, name := range sortedKeys(it.Input.Facts) {
		words = appendNew(words, it.Input.Facts[name])
	}
	words = appendNew(words, it.Input.Persona.Name)
	return words
}

// Fill replaces {name} by the item's fact of that name and {persona.name} by the persona's
// name. Unknown names are left as they are; Validate rejects them.
func (it Item) Fill(text string) string {
	if !strings.Contains(text, "{") {
		return text
	}
	pairs := []string{"{persona.name}", it.Input.Persona.Name}
	for _, name := range sortedKeys(it.Input.Facts) {
		pairs = append(pairs, "{"+name+"}", it.Input.Facts[name])
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

// spoken returns the line the step speaks, "" if it speaks none.
func (s *Step) spoken() string {
	switch {
	case s.Say != "":
		return s.Say
	case s.Interrupt != nil:
		return s.Interrupt.Say
	case s.Backchannel != nil:
		return s.Backchannel.Say
	}
	return ""
}

// awaited returns the phrases the step listens for.
func (s *Step) awaited() []string {
	switch {
	case s.WaitForWords != nil:
		return s.WaitForWords.Any
	case s.RepeatIfMisunderstood != nil:
		return s.RepeatIfMisunderstood.Words
	case s.Branch != nil:
		var words []string
		for _, c := range s.Branch.Cases {
			words = append(words, c.Any...)
		}
		return words
	}
	return nil
}

// walk visits every step, nested ones after the step they belong to, down to maxDepth.
func walk(steps []Step, path string, visit func(path string, s *Step)) {
	walkTo(steps, path, maxDepth, visit)
}

func walkTo(steps []Step, path string, depth int, visit func(path string, s *Step)) {
	if depth == 0 {
		return
	}
	for i := range steps {
		s, here := &steps[i], at(path, i)
		visit(here, s)
		if s.WaitForWords != nil {
			walkTo(s.WaitForWords.Otherwise, here+".wait_for_words.otherwise", depth-1, visit)
		}
		if s.Branch != nil {
			for j := range s.Branch.Cases {
				walkTo(s.Branch.Cases[j].Then, at(here+".branch.cases", j)+".then", depth-1, visit)
			}
			walkTo(s.Branch.Otherwise, here+".branch.otherwise", depth-1, visit)
		}
	}
}

func appendNew(list []string, s string) []string {
	if strings.TrimSpace(s) == "" || slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
