package scenario

import (
	"regexp"
	"strings"

	"github.com/ringtrue/ringtrue/internal/problem"
)

// MaxAssertions is the maximum number of assertions in a rubric: a judge answers all of them at once.
const MaxAssertions = 50

// Limits of an item.
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

	// MaxSpoken is the length in bytes of the longest line, with its facts, that can be spoken at once: about
	// five minutes of speech.
	MaxSpoken = 4000
)

var (
	languagePattern = regexp.MustCompile(`^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,4}$`)
	voicePattern    = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_.:/-]{0,63}$`)
	digitsPattern   = regexp.MustCompile(`^[0-9*#A-D]+$`)
	bracePattern    = regexp.MustCompile(`\{([^{}]*)\}`)
)

// Validate returns every problem with the item. path, if not empty, is prepended to the path of
// each problem ("items[3]").
func (it Item) Validate(path string) []problem.Field {
	var c checker
	c.oneLine(join(path, "id"), it.ID, maxKey)
	c.oneLine(join(path, "key"), it.Key, maxKey)
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
	c.oneLine(join(path, "name"), p.Name, maxName)
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
		here := join(path, printable(name))
		if name == "" || name == "persona.name" || strings.ContainsAny(name, "{}") {
			c.add(here, "is not a name that a script line can quote")
		}
		c.oneLine(here, name, maxName)
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
		c.add(join(path, "max_turns"), "limits a call that is played from its goal, but this one has a script")
	}
}
