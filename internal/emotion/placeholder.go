package emotion

import "strings"

// takenOut is the word that stands for what was taken out of a text, be it a name or a number: the comments that the words
// were learned from have "[NAME]" in them.
const takenOut = "[name]"

// longestLabel bounds what stands between the marks of a placeholder, in bytes, longestSound what names a sound: people
// put words of their own in brackets, too.
const (
	longestLabel = 40
	longestSound = 22
)

// placeholder reads the name of what was taken out of a text, "[NAME]", "<PHONE_NUMBER>", "#EMAIL#" or "{{city}}", as one
// word, and passes over what a recogniser says of a sound, "[inaudible]", and over markup, "<br>". It returns how many bytes
// that took, 0 where no such thing stands.
func (t *tokens) placeholder(s string) int {
	label, n := enclosed(s)
	switch {
	case n == 0:
		return 0
	case s[0] == '{' || strings.IndexByte(capitals, label[0]) >= 0:
		t.addWord(takenOut)
	}
	return n
}

// enclosed returns what stands between two marks at the start of s, provided that it is a label, and how long all of it is.
func enclosed(s string) (label string, n int) {
	var end string
	switch {
	case s[0] == '[':
		end = "]"
	case s[0] == '<':
		end = ">"
	case s[0] == '#':
		end = "#"
	case strings.HasPrefix(s, "{{"):
		end = "}}"
	case s[0] == '{':
		end = "}"
	default:
		return "", 0
	}
	within := s[len(end):]
	k := strings.Index(within[:min(len(within), longestLabel+len(end))], end)
	if k < 1 || !labels(s[0], within[:k]) {
		return "", 0
	}
	return within[:k], k + 2*len(end)
}

// The characters of what stands between marks: what was taken out is named in capitals, a sound in small letters.
const (
	capitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	smalls   = "abcdefghijklmnopqrstuvwxyz"
)

// labels reports whether a text names what was taken out, in capitals, a sound, in small letters, or a tag of markup.
func labels(mark byte, text string) bool {
	switch {
	case strings.IndexByte(capitals, text[0]) >= 0:
		return len(text) > 2 && onlyOf(text, capitals+"0123456789_-"+between(mark, "[<{"))
	case mark == '#' || len(text) > longestSound:
		return false
	case mark == '[': // "[speaking french]", but no "[a1]"
		return text[0] != '_' && onlyOf(text, smalls+"_ ")
	case mark == '<': // "<h1>", "</p>", but no "i < you and you > me"
		return onlyOf(text, smalls+"0123456789_/") && !onlyOf(text[:1], "0123456789_")
	}
	return strings.IndexByte(smalls, text[0]) >= 0 && onlyOf(text, smalls+"0123456789_")
}

// between is a blank where names within such a mark are written with blanks: "[PHONE NUMBER]", but no "#1 AND #2".
func between(mark byte, marks string) string {
	if strings.IndexByte(marks, mark) >= 0 {
		return " "
	}
	return ""
}

func onlyOf(text, chars string) bool { return strings.Trim(text, chars) == "" }
