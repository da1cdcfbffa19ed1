package scenario

import (
	"regexp"
	"strings"

	"github.com/ringtrue/ringtrue/internal/problem"
)

var (
	e164Pattern  = regexp.MustCompile(`^\+[1-9][0-9]{6,14}$`)
	slugPattern  = regexp.MustCompile(`^[a-z0-9]([a-z0-9_-]{0,62}[a-z0-9])?$`)
	refPattern   = regexp.MustCompile(`^[a-z0-9]([a-z0-9_-]{0,62}[a-z0-9])?(@([1-9][0-9]{0,8}|[a-z][a-z0-9_-]{0,63}))?$`)
	labelPattern = regexp.MustCompile(`^[a-z][a-z0-9_-]{0,63}$`)
)

// maxPromptText is the maximum length of a prompt in characters.
const maxPromptText = 50_000

// ValidE164 reports whether number is a phone number in international format:
// "+", a country code and 7 to 15 digits in all.
func ValidE164(number string) bool { return e164Pattern.MatchString(number) }

// ValidSlug reports whether s can name a prompt or a scorer.
func ValidSlug(s string) bool { return slugPattern.MatchString(s) }

// ValidLabel reports whether s can be the label of a version. A label never looks like a version number.
func ValidLabel(s string) bool { return labelPattern.MatchString(s) }

// ValidLanguage reports whether s has the form of a language tag such as "en-US".
func ValidLanguage(s string) bool { return languagePattern.MatchString(s) }

// ValidRef reports whether s has the form "slug", "slug@label" or "slug@3".
func ValidRef(s string) bool { return refPattern.MatchString(s) }

// Validate returns every problem with the agent's fields that a client may set.
func (a Agent) Validate(path string) []problem.Field {
	var c checker
	c.named(join(path, "name"), a.Name)
	c.oneLine(join(path, "source_id"), a.SourceID, maxName)
	return append(c.fields, a.Defaults.Validate(join(path, "defaults"))...)
}

// Validate returns every problem with the defaults. Zero values are valid.
func (d TestDefaults) Validate(path string) []problem.Field {
	var c checker
	if d.ToNumber != "" && !ValidE164(d.ToNumber) {
		c.add(join(path, "to_number"), "is not a phone number in international format such as \"+15551234567\"")
	}
	c.oneLine(join(path, "trunk"), d.Trunk, maxName)
	c.ref(join(path, "caller_prompt"), d.CallerPrompt)
	c.count(join(path, "scorers"), len(d.Scorers), maxPhrases, "scorers")
	seen := map[string]bool{}
	for i, s := range d.Scorers {
		here := at(join(path, "scorers"), i)
		if s == "" {
			c.add(here, "is empty")
		}
		if seen[s] {
			c.add(here, "is named twice")
		}
		seen[s] = true
		c.ref(here, s)
	}
	c.within(join(path, "repetitions"), d.Repetitions, 1, 1000)
	c.within(join(path, "concurrent_calls"), d.ConcurrentCalls, 1, 10_000)
	c.factor(join(path, "calls_per_second"), d.CallsPerSecond, 0.001, 1000)
	c.within(join(path, "ring_timeout_ms"), d.RingTimeoutMS, 1000, 300_000)
	c.factor(join(path, "pass_threshold"), d.PassThreshold, 0.000001, 1)
	c.within(join(path, "min_evaluated"), d.MinEvaluated, 1, 10_000_000)
	return c.fields
}

// Validate returns every problem with the prompt's fields that a client may set.
func (p Prompt) Validate(path string) []problem.Field {
	var c checker
	if !ValidSlug(p.Slug) {
		c.add(join(path, "slug"), "must be 1 to 64 of a-z, 0-9, - and _, with a letter or digit at both ends")
	}
	c.spoken(join(path, "text"), p.Text, maxPromptText)
	for i, l := range p.Labels {
		if !ValidLabel(l) {
			c.add(at(join(path, "labels"), i), "must be 1 to 64 of a-z, 0-9, - and _, and begin with a letter")
		}
	}
	return c.fields
}

// Validate returns every problem with the dataset's fields that a client may set.
func (d Dataset) Validate(path string) []problem.Field {
	var c checker
	c.named(join(path, "name"), d.Name)
	c.text(join(path, "description"), d.Description, maxText)
	return c.fields
}

func (c *checker) named(path, name string) {
	if name == "" {
		c.add(path, "is missing")
		return
	}
	if strings.ContainsAny(name, "\n\r\t") {
		c.oneLine(path, name, maxName)
		return
	}
	c.spoken(path, name, maxName)
}

func (c *checker) ref(path, ref string) {
	if ref != "" && !ValidRef(ref) {
		c.add(path, "must have the form \"slug\", \"slug@label\" or \"slug@3\"")
	}
}
