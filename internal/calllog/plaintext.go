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

// Read reads a plain-text transcript in which each utterance follows its speaker: "Agent: …",
// "User: …", or a name set by Called. A line without a speaker continues the one before.
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

// labelled splits the speaker from a line, also after a time ("[00:12] Agent: …"), with a name or a
// time in brackets ("Agent (Anna): …") and in markup ("**Agent:** …"). The speaker is "" if the
// line is not speech, as of a tool.
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

// side is a name that one side's lines begin with.
type side struct {
	name    string
	speaker call.Speaker
}

// Called sets a name that a side goes by in plain texts: some platforms let clients choose it, or
// use the agent's own. If both sides have the same name, the first one set wins.
func (c *Conversation) Called(name string, speaker call.Speaker) {
	const most = 16 // every line is compared with all of them
	told := side{strings.Trim(name, labelMarks), speaker}
	if told.name != "" && len(c.sides) < most && !slices.Contains(c.sides, told) {
		c.sides = append(c.sides, told)
	}
}

// Anew returns an empty conversation with the same names of the sides.
func (c *Conversation) Anew() Conversation { return Conversation{sides: c.sides} }

// calledIn splits a name set by Called from a line.
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

// labelMarks are markup and blanks around a speaker.
const labelMarks = "*_ \t"

// behindTime returns a line without the numbers, times and marks before its speaker.
func behindTime(line string) string {
	for {
		short := strings.TrimLeft(line, "0123456789:.,[]()-–—#>|●•"+labelMarks)
		if parts := short != line && len(short) > 1; !parts || short[0] != 'Z' && (short[0] != 'T' || short[1] < '0' || short[1] > '9') {
			return short
		}
		line = short[1:] // the T or Z in an ISO 8601 time
	}
}

// labelOf splits a line at the colon after its first few words, the last of which may be in
// brackets.
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

// behindColon returns what follows the colon that a text begins with.
func behindColon(text string) (behind string, found bool) {
	for _, colon := range []string{":", "："} {
		if behind, found = strings.CutPrefix(text, colon); found {
			return behind, true
		}
	}
	return "", false
}

// isNoSpeech reports whether a name before a line means that it is not speech.
func isNoSpeech(name string) bool {
	switch lenient.Spelling(name) {
	case "system", "tool", "toolcall", "toolcalls", "toolresult", "toolcallresult", "toolcallinvocation", "function", "functioncall", "functionresult", "nodetransition", "dtmf":
		return true
	}
	return false
}

// lined breaks a transcript in a single line into one line per utterance.
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

// named reports whether a name marks a speaker, as the first one in the text does, and is not part
// of the speech. If a text begins with a capitalised AI or User, "our customer:" marks no speaker,
// and neither does another name for the same side ("I am your Assistant: Anna").
func named(name, first string) bool {
	if isCapital(first) && !isCapital(name) {
		return false
	}
	a, by, _ := SpeakerOf(name)
	b, firstBy, _ := SpeakerOf(first)
	return a != b || by != firstBy || strings.EqualFold(name, first)
}

func isCapital(name string) bool { return name != "" && name[0] >= 'A' && name[0] <= 'Z' }

// inLine matches speakers in a single-line transcript, also between line breaks that were escaped
// twice on the way. It is compiled on first use, because that costs as much as reading a good part
// of a body.
var inLine = sync.OnceValue(func() *regexp.Regexp { //nolint:gochecknoglobals // it never changes
	return regexp.MustCompile(`(?i)(?:\s|\\n)(agent|assistant|ai|bot|user|customer|caller|human|transfer[ _]target) ?:`)
})

// SpeakerOf returns the side that a platform's word for a speaker stands for; ok is false for any
// other word.
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
