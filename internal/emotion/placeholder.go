package emotion

import "strings"

// takenOut is the word for anything removed from a text, be it a name or a number: the comments
// that the model learned from contain "[NAME]".
const takenOut = "[name]"

// longestLabel is the greatest length of a placeholder's content, in bytes, and longestSound that
// of a sound's name: people also put their own words in brackets.
const (
	longestLabel = 40
	longestSound = 22
)

// placeholder reads a placeholder of removed text ("[NAME]", "<PHONE_NUMBER>", "#EMAIL#",
// "{{city}}") as one word, and skips a recogniser's description of a sound ("[inaudible]") and
// markup ("<br>"). It returns how many bytes that took, 0 if there is none.
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

// enclosed returns the label between two marks at the start of s, and the length including the
// marks.
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

// The characters of labels: removed text is named in capitals, a sound in lower case.
const (
	capitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	smalls   = "abcdefghijklmnopqrstuvwxyz"
)

// labels reports whether a text is the name of removed text (capitals), of a sound (lower case), or
// of a markup tag.
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

// between returns a space if names within such a mark may contain spaces: "[PHONE NUMBER]", but not
// "#1 AND #2".
func between(mark byte, marks string) string {
	if strings.IndexByte(marks, mark) >= 0 {
		return " "
	}
	return ""
}

func onlyOf(text, chars string) bool { return strings.Trim(text, chars) == "" }
