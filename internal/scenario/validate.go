package scenario

import (
	"regexp"
	"slices"
	"strings"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/problem"
)

// What an item may hold at most.
const (
	MaxItems    = 10_000
	maxDepth    = 6
	maxSteps    = 500
	maxFacts    = 200
	maxPhrases  = 100
	maxText     = 4000
	maxLine     = 1000
	maxName     = 200
	maxKey      = 200
	maxDigits   = 64
	maxWait     = 10 * 60 * 1000
	maxDuration = 60 * 60 * 1000
)

var (
	languagePattern = regexp.MustCompile(`^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,4}$`)
	voicePattern    = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_.:/-]{0,63}$`)
	digitsPattern   = regexp.MustCompile(`^[0-9*#A-D]+$`)
	bracePattern    = regexp.MustCompile(`\{([^{}]*)\}`)
)

// Validate names everything that is wrong with the item. path is put before
// the place of each problem ("items[3]"; "" for none).
func (it Item) Validate(path string) []problem.Field {
	var c checker
	c.text(join(path, "id"), it.ID, maxKey)
	c.text(join(path, "key"), it.Key, maxKey)
	c.input(join(path, "input"), &it)
	c.output(join(path, "output"), &it.Output)
	c.metadata(join(path, "metadata"), it.Metadata)
	return c.fields
}

func (c *checker) input(path string, it *Item) {
	in := &it.Input
	c.text(join(path, "goal"), in.Goal, maxText)
	c.persona(join(path, "persona"), &in.Persona)
	c.facts(join(path, "facts"), in.Facts)
	if in.Language != "" && !languagePattern.MatchString(in.Language) {
		c.add(join(path, "language"), "is not a language tag such as \"en-US\"")
	}
	c.limits(join(path, "limits"), in)
	if in.Goal == "" && len(in.Script) == 0 {
		c.add(path, "needs a script, or a goal for a language model to play")
	}
	c.script(join(path, "script"), it)
}

func (c *checker) persona(path string, p *Persona) {
	c.text(join(path, "name"), p.Name, maxName)
	if p.Voice != "" && !voicePattern.MatchString(p.Voice) {
		c.add(join(path, "voice"), "is not the name of a voice: letters, digits and _ . : / - only")
	}
	if p.Accent != "" && !voicePattern.MatchString(p.Accent) {
		c.add(join(path, "accent"), "is not a language variety such as \"en-gb\"")
	}
	c.factor(join(path, "pitch"), p.Pitch, 0.5, 2)
	c.factor(join(path, "pace"), p.Pace, 0.5, 2)
	c.within(join(path, "patience_ms"), p.PatienceMS, 100, 10_000)
}

func (c *checker) facts(path string, facts map[string]string) {
	c.count(path, len(facts), maxFacts, "facts")
	for _, name := range sortedKeys(facts) {
		here := join(path, name)
		if name == "" || name == "persona.name" || strings.ContainsAny(name, "{}") || len(name) > maxName {
			c.add(here, "is not a name that a script line can quote")
		}
		c.text(here, name, maxName)
		c.text(here, facts[name], maxText)
		if strings.ContainsAny(facts[name], "{}") {
			c.add(here, "holds a brace; a fact cannot quote another")
		}
	}
}

func (c *checker) limits(path string, in *Input) {
	c.within(join(path, "max_duration_ms"), in.Limits.MaxDurationMS, 1000, maxDuration)
	c.within(join(path, "max_silence_ms"), in.Limits.MaxSilenceMS, 500, maxWait)
	c.within(join(path, "max_turns"), in.Limits.MaxTurns, 1, 500)
	if in.Limits.MaxTurns != 0 && len(in.Script) > 0 {
		c.add(join(path, "max_turns"), "bounds a call that is played from its goal; this one has a script")
	}
}

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

// reachable refuses what stands after the end of the call in the same list.
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

// Actions are the names of what the step does; a valid step has exactly one.
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
		c.phrases(join(path, "wait_for_words.any"), w.Any, true)
		c.within(join(path, "wait_for_words.timeout_ms"), w.TimeoutMS, 100, maxWait)
	}
	if r := s.RepeatIfMisunderstood; r != nil {
		c.phrases(join(path, "repeat_if_misunderstood.words"), r.Words, false)
		c.within(join(path, "repeat_if_misunderstood.times"), r.Times, 1, 20)
	}
	if b := s.Branch; b != nil {
		here := join(path, "branch.cases")
		if len(b.Cases) == 0 {
			c.add(here, "needs at least one case")
		}
		c.count(here, len(b.Cases), maxPhrases, "cases")
		for i, cs := range b.Cases {
			c.phrases(join(at(here, i), "any"), cs.Any, true)
		}
	}
}

// line is a line of the script: something to say whose {names} are all known.
func (c *checker) line(path, text string, it *Item) {
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
			"quotes {%s}, which is not among the facts", name)
	}
	if strings.ContainsAny(bracePattern.ReplaceAllString(text, ""), "{}") {
		c.add(path, "holds a brace that encloses no name of a fact")
	}
}

// phrases are words to listen for or to expect.
func (c *checker) phrases(path string, list []string, needed bool) {
	if needed && len(list) == 0 {
		c.add(path, "needs at least one phrase")
	}
	c.count(path, len(list), maxPhrases, "phrases")
	for i, p := range list[:min(len(list), maxPhrases)] {
		c.spoken(at(path, i), p, maxLine)
	}
}

func (c *checker) output(path string, out *Output) {
	c.phrases(join(path, "say"), out.Say, false)
	c.phrases(join(path, "do_not_say"), out.DoNotSay, false)
	c.phrases(join(path, "rubric"), out.Rubric, false)
	c.count(join(path, "facts_stated"), len(out.FactsStated), maxPhrases, "facts")
	for _, name := range sortedKeys(out.FactsStated) {
		here := join(path, "facts_stated."+name)
		c.text(here, name, maxName)
		c.spoken(here, out.FactsStated[name], maxLine)
	}
	c.tools(join(path, "tool_calls"), out.ToolCalls)
	known := endCodes()
	for i, code := range out.Outcome.EndReasons {
		if !slices.Contains(known, code) {
			c.suggest(at(join(path, "outcome.end_reasons"), i), code, known, "%q is not a way a call can end", code)
		}
	}
	c.timing(join(path, "timing"), &out.Timing)
}

func (c *checker) tools(path string, list []ToolExpectation) {
	c.count(path, len(list), maxPhrases, "tool calls")
	for i, t := range list {
		here := at(path, i)
		if t.Name == "" {
			c.add(join(here, "name"), "is missing")
		}
		c.text(join(here, "name"), t.Name, maxName)
	}
}

func (c *checker) timing(path string, t *Timing) {
	for _, bound := range []struct {
		key   string
		value int
	}{
		{"time_to_first_word_ms", t.TimeToFirstWordMS},
		{"turn_latency_p50_ms", t.TurnLatencyP50MS},
		{"turn_latency_p95_ms", t.TurnLatencyP95MS},
		{"turn_latency_max_ms", t.TurnLatencyMaxMS},
		{"longest_dead_air_ms", t.LongestDeadAirMS},
		{"overlap_ms", t.OverlapMS},
		{"yield_time_ms", t.YieldTimeMS},
		{"duration_min_ms", t.DurationMinMS},
		{"duration_max_ms", t.DurationMaxMS},
	} {
		c.within(join(path, bound.key), bound.value, 1, maxDuration)
	}
	if t.DurationMaxMS != 0 && t.DurationMinMS > t.DurationMaxMS {
		c.add(join(path, "duration_min_ms"), "is more than duration_max_ms")
	}
}

func (c *checker) metadata(path string, m map[string]any) {
	c.count(path, len(m), maxFacts, "keys")
	for _, name := range sortedKeys(m) {
		c.text(join(path, name), name, maxName)
		if text, ok := m[name].(string); ok {
			c.text(join(path, name), text, maxText)
		}
	}
}

// endCodes are the ways a call can end.
func endCodes() []string {
	codes := []call.EndCode{
		call.EndCompleted, call.EndTransferred, call.EndCallerHungUp, call.EndAgentHungUp, call.EndMaxDuration,
		call.EndSilence, call.EndBusy, call.EndNoAnswer, call.EndDeclined, call.EndVoicemail, call.EndAgentNeverCame,
		call.EndUnreachable, call.EndMediaLost, call.EndCodecMismatch, call.EndAgentError, call.EndConfiguration,
		call.EndProviderError, call.EndPlatformError, call.EndInterrupted, call.EndRingtrueError, call.EndUnknown,
	}
	words := make([]string, len(codes))
	for i, c := range codes {
		words[i] = string(c)
	}
	return words
}
