package scenario

import (
	"strings"
)

func (c *checker) script(path string, it *Item) {
	if depthOf(it.Input.Script) > maxDepth {
		c.add(path, "is nested more than %d deep", maxDepth)
		return
	}
	steps := 0
	walk(it.Input.Script, path, func(here string, s *Step) {
		if steps++; steps == maxSteps+1 {
			c.add(path, "has more than %d steps", maxSteps)
		}
		if steps <= maxSteps {
			c.step(here, s, it)
		}
	})
	c.reachable(path, it.Input.Script)
}

// reachable rejects steps after the end of the call in the same list.
func (c *checker) reachable(path string, steps []Step) {
	for i := range steps {
		s, here := &steps[i], at(path, i)
		if s.HangUp && i+1 < len(steps) {
			c.add(at(path, i+1), "is never reached: the step before hangs up")
			return
		}
		if s.WaitForWords != nil {
			c.reachable(here+".wait_for_words.otherwise", s.WaitForWords.Otherwise)
		}
		if s.Branch != nil {
			for j := range s.Branch.Cases {
				c.reachable(at(here+".branch.cases", j)+".then", s.Branch.Cases[j].Then)
			}
			c.reachable(here+".branch.otherwise", s.Branch.Otherwise)
		}
	}
}

func depthOf(steps []Step) int {
	deepest := 0
	for i := range steps {
		if w := steps[i].WaitForWords; w != nil {
			deepest = max(deepest, depthOf(w.Otherwise))
		}
		if b := steps[i].Branch; b != nil {
			deepest = max(deepest, depthOf(b.Otherwise))
			for _, cs := range b.Cases {
				deepest = max(deepest, depthOf(cs.Then))
			}
		}
	}
	if len(steps) == 0 {
		return 0
	}
	return deepest + 1
}

// Actions returns the names of the step's actions; a valid step has exactly one.
func (s *Step) Actions() []string {
	var names []string
	add := func(name string, set bool) {
		if set {
			names = append(names, name)
		}
	}
	add("say", s.Say != "")
	add("wait_for_agent", s.WaitForAgent != nil)
	add("wait_for_words", s.WaitForWords != nil)
	add("press", s.Press != "")
	add("stay_silent_ms", s.StaySilentMS != 0)
	add("interrupt", s.Interrupt != nil)
	add("backchannel", s.Backchannel != nil)
	add("repeat_if_misunderstood", s.RepeatIfMisunderstood != nil)
	add("branch", s.Branch != nil)
	add("hang_up", s.HangUp)
	return names
}

func (c *checker) step(path string, s *Step, it *Item) {
	switch names := s.Actions(); {
	case len(names) == 0:
		c.add(path, "does nothing; a step has exactly one action")
	case len(names) > 1:
		c.add(path, "has %d actions (%s); a step has exactly one", len(names), strings.Join(names, ", "))
	}
	if s.Say != "" {
		c.line(join(path, "say"), s.Say, it)
	}
	if s.WaitForAgent != nil {
		c.within(join(path, "wait_for_agent.timeout_ms"), s.WaitForAgent.TimeoutMS, 100, maxWait)
	}
	if s.Press != "" && (len(s.Press) > maxDigits || !digitsPattern.MatchString(s.Press)) {
		c.add(join(path, "press"), "must be up to %d telephone keys: 0-9, *, #, A-D", maxDigits)
	}
	c.within(join(path, "stay_silent_ms"), s.StaySilentMS, 1, maxWait)
	c.interject(join(path, "interrupt"), s.Interrupt, it)
	c.interject(join(path, "backchannel"), s.Backchannel, it)
	c.listening(path, s)
}

func (c *checker) interject(path string, i *Interject, it *Item) {
	if i == nil {
		return
	}
	c.within(join(path, "after_ms"), i.AfterMS, 0, maxWait)
	c.line(join(path, "say"), i.Say, it)
}

func (c *checker) listening(path string, s *Step) {
	if w := s.WaitForWords; w != nil {
		c.somePhrases(join(path, "wait_for_words.any"), w.Any)
		c.within(join(path, "wait_for_words.timeout_ms"), w.TimeoutMS, 100, maxWait)
	}
	if r := s.RepeatIfMisunderstood; r != nil {
		c.phrases(join(path, "repeat_if_misunderstood.words"), r.Words)
		c.within(join(path, "repeat_if_misunderstood.times"), r.Times, 1, 20)
	}
	if b := s.Branch; b != nil {
		here := join(path, "branch.cases")
		if len(b.Cases) == 0 {
			c.add(here, "needs at least one case")
		}
		c.count(here, len(b.Cases), maxPhrases, "cases")
		for i, cs := range b.Cases {
			c.somePhrases(join(at(here, i), "any"), cs.Any)
		}
	}
}

// line checks a line of the script: it must contain a word, and all its {names} must be known. What is
// to be said in their place must not be empty, and can be spoken at once.
func (c *checker) line(path, text string, it *Item) {
	before := len(c.fields)
	c.quotes(path, text, it)
	if len(c.fields) > before {
		return
	}
	switch filled := it.Fill(text); {
	case !strings.ContainsFunc(filled, isWord):
		c.add(path, "holds no word once its facts are filled in")
	case len(filled) > MaxSpoken:
		c.add(path, "is longer than %d bytes once its facts are filled in", MaxSpoken)
	}
}

// quotes checks a line as it is written.
func (c *checker) quotes(path, text string, it *Item) {
	c.spoken(path, text, maxLine)
	for _, m := range bracePattern.FindAllStringSubmatch(text, -1) {
		name := m[1]
		if _, ok := it.Input.Facts[name]; ok {
			continue
		}
		if name == "persona.name" {
			if it.Input.Persona.Name == "" {
				c.add(path, "quotes {persona.name}, but the persona has no name")
			}
			continue
		}
		c.suggest(path, name, append(sortedKeys(it.Input.Facts), "persona.name"),
			"quotes {%s}, which is not among the facts", printable(name))
	}
	if strings.ContainsAny(bracePattern.ReplaceAllString(text, ""), "{}") {
		c.add(path, "has a brace without the name of a fact in it")
	}
}

// somePhrases checks a list of phrases that must not be empty.
func (c *checker) somePhrases(path string, list []string) {
	if len(list) == 0 {
		c.add(path, "needs at least one phrase")
	}
	c.phrases(path, list)
}

// phrases checks a list of phrases to listen for or to expect.
func (c *checker) phrases(path string, list []string) {
	c.count(path, len(list), maxPhrases, "phrases")
	for i, p := range list[:min(len(list), maxPhrases)] {
		c.spoken(at(path, i), p, maxLine)
	}
}
