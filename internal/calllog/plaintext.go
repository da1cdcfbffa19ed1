package calllog

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/calllog/lenient"
)

// Read reads a transcript that is plain text, each utterance with its speaker
// before it: "Agent: …", "User: …", or its own name (see Called). A line without one goes on where the last one stopped.
func (c *Conversation) Read(text string) {
	if text != "" && !strings.Contains(text, "\n") {
		text = lined(text)
	}
	var speaker call.Speaker
	var by string
	var said []string
	say := func() {
		c.Say(Utterance{Speaker: speaker, By: by, Start: Untold, End: Untold, Text: strings.Join(said, " ")})
		said = said[:0]
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if who, what, rest, ok := c.labelled(line); ok {
			say()
			speaker, by, line = who, what, rest
		}
		if line != "" && speaker != "" {
			said = append(said, line)
		}
	}
	say()
}

// labelled takes the speaker from before a line, also behind a time ("[00:12] Agent: …"),
// with a name or a time beside it ("Agent (Anna): …") and where it is made to stand out
// ("**Agent:** …"). The speaker is "" where the line tells of something else than speech.
func (c *Conversation) labelled(line string) (speaker call.Speaker, by, rest string, ok bool) {
	line = behindTime(line)
	if speaker, rest, ok = c.calledIn(line); ok {
		return speaker, "", rest, true
	}
	name, rest, ok := labelOf(line)
	if !ok {
		return "", "", "", false
	}
	if speaker, by, ok = SpeakerOf(name); !ok && !isNoSpeech(name) {
		return "", "", "", false
	}
	return speaker, by, strings.TrimSpace(strings.TrimLeft(rest, labelMarks)), true
}

// side is one of the two with a name of its own, which stands before its lines.
type side struct {
	name    string
	speaker call.Speaker
}

// Called tells by what name a side goes in plain texts: a platform lets its clients choose it,
// and some write the agent's own. Of two sides of the same name the first one told has it.
func (c *Conversation) Called(name string, speaker call.Speaker) {
	const most = 16 // each line is held against all
	told := side{strings.Trim(name, labelMarks), speaker}
	if told.name != "" && len(c.sides) < most && !slices.Contains(c.sides, told) {
		c.sides = append(c.sides, told)
	}
}

// Anew is an empty conversation whose sides go by the same names.
func (c *Conversation) Anew() Conversation { return Conversation{sides: c.sides} }

// calledIn takes a side's own name from before a line.
func (c *Conversation) calledIn(line string) (speaker call.Speaker, rest string, ok bool) {
	for _, s := range c.sides {
		n := len(s.name)
		if len(line) <= n || !strings.EqualFold(line[:n], s.name) {
			continue
		}
		if behind, found := behindColon(strings.TrimLeft(line[n:], labelMarks)); found {
			return s.speaker, strings.TrimSpace(strings.TrimLeft(behind, labelMarks)), true
		}
	}
	return "", "", false
}

// labelMarks are what makes the speaker before a line stand out.
const labelMarks = "*_ \t"

// behindTime is a line without the numbers, times and marks that stand before its speaker.
func behindTime(line string) string {
	for {
		short := strings.TrimLeft(line, "0123456789:.,[]()-–—#>|●•"+labelMarks)
		if parts := short != line && len(short) > 1; !parts || short[0] != 'Z' && (short[0] != 'T' || short[1] < '0' || short[1] > '9') {
			return short
		}
		line = short[1:] // what parts an ISO 8601 time
	}
}

// labelOf parts a line at the colon behind its first few words, of which the last may be in brackets.
func labelOf(line string) (name, rest string, ok bool) {
	const longest = 32
	end := strings.IndexFunc(line, func(r rune) bool { return !unicode.IsLetter(r) && !strings.ContainsRune(labelMarks, r) })
	if end <= 0 || end > longest {
		return "", "", false
	}
	name, rest = strings.Trim(line[:end], labelMarks), line[end:]
	for _, brackets := range []string{"()", "[]"} {
		if closed := strings.IndexByte(rest, brackets[1]); rest[0] == brackets[0] && closed > 0 && closed <= 2*longest {
			rest = strings.TrimLeft(rest[closed+1:], labelMarks)
			break
		}
	}
	if behind, found := behindColon(rest); found {
		return name, behind, true
	}
	return "", "", false
}

// behindColon is what stands behind the colon with which a text begins.
func behindColon(text string) (behind string, found bool) {
	for _, colon := range []string{":", "："} {
		if behind, found = strings.CutPrefix(text, colon); found {
			return behind, true
		}
	}
	return "", false
}

// isNoSpeech reports whether a name before a line says that nobody spoke it.
func isNoSpeech(name string) bool {
	switch lenient.Spelling(name) {
	case "system", "tool", "toolcall", "toolcalls", "toolresult", "toolcallresult", "toolcallinvocation", "function", "functioncall", "functionresult", "nodetransition", "dtmf":
		return true
	}
	return false
}

// lined puts each utterance of a transcript that came as one line on a line of its own.
func lined(text string) string {
	first := ""
	return inLine().ReplaceAllStringFunc(" "+text, func(match string) string {
		name := strings.TrimSpace(strings.TrimPrefix(strings.TrimSuffix(match, ":"), `\n`))
		switch {
		case first == "":
			first = name
		case !named(name, first):
			return match
		}
		return "\n" + name + ":"
	})
}

// named reports whether a name stands for who speaks, as the first one of a text does, and
// is no word of what is said: a text that begins with AI or User has neither "our customer:"
// nor another name for the same speaker ("I am your Assistant: Anna").
func named(name, first string) bool {
	if isCapital(first) && !isCapital(name) {
		return false
	}
	a, by, _ := SpeakerOf(name)
	b, firstBy, _ := SpeakerOf(first)
	return a != b || by != firstBy || strings.EqualFold(name, first)
}

func isCapital(name string) bool { return name != "" && name[0] >= 'A' && name[0] <= 'Z' }

// inLine finds speakers in a transcript that came as one line: also where what
// passed it on has escaped its line breaks a second time. To make it costs as much as to
// read a good part of a body.
var inLine = sync.OnceValue(func() *regexp.Regexp { //nolint:gochecknoglobals // it never changes
	return regexp.MustCompile(`(?i)(?:\s|\\n)(agent|assistant|ai|bot|user|customer|caller|human|transfer[ _]target) ?:`)
})

// SpeakerOf reads a platform's word for who speaks; ok is false for any other.
func SpeakerOf(word string) (speaker call.Speaker, by string, ok bool) {
	if len(word) > 20 {
		return "", "", false
	}
	switch strings.ReplaceAll(strings.ToLower(strings.TrimSpace(word)), " ", "_") {
	case "agent", "assistant", "ai", "bot", "ai_agent", "ai_assistant", "voice_agent", "voice_assistant", "virtual_agent", "virtual_assistant":
		return call.Agent, "", true
	case "user", "customer", "caller", "human", "client":
		return call.Caller, "", true
	case "transfer_target":
		return call.Agent, "transfer_target", true
	}
	return "", "", false
}
