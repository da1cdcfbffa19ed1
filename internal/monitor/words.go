package monitor

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/trend"
)

// lastAct returns the agent's last sentence, masked: a question asked in every call is one act,
// whatever number it contains.
func lastAct(turns []call.Turn) string {
	for _, turn := range slices.Backward(turns) {
		if turn.Own(call.Agent) && strings.TrimSpace(turn.Text) != "" {
			return cut(trend.ShapeOf(trend.Failure{Words: lastSentence(turn.Text)}).Words, maxAct)
		}
	}
	return ""
}

// lastSentence returns what follows the last sentence end in text. "I connect you to Mr. Jones"
// must stay whole, because a name alone could not be told from other words, and masked.
func lastSentence(text string) string {
	text = strings.TrimRight(strings.TrimSpace(text), closing+".?!… ")
	for i := len(text) - 1; i > 0; i-- {
		if isSpace(text[i]) && ends(text[:i], text[i+1:]) {
			return text[i+1:]
		}
	}
	return text
}

// isSpace reports whether a sentence may end before a byte: transcripts of written answers have
// several lines.
func isSpace(b byte) bool { return b == ' ' || b == '\n' || b == '\r' || b == '\t' }

// closing are marks that may follow the end of a sentence.
const closing = `"'”’)`

// ends reports whether a sentence ends between two parts of a text. If the text begins with a
// capital, none ends at a dot that lower case follows: "Your flight to the U.S. is late".
func ends(before, after string) bool {
	before = strings.TrimRight(before, closing)
	mark, size := utf8.DecodeLastRuneInString(before)
	switch mark {
	case '?', '!', '…':
		return true
	case '.':
		first, _ := utf8.DecodeRuneInString(before)
		next, _ := utf8.DecodeRuneInString(after)
		return !trend.Abbreviated(before[:len(before)-size]) && !(unicode.IsUpper(first) && unicode.IsLower(next))
	}
	return false
}

// cut shortens text to n bytes without splitting a character, and removes characters that no text
// should contain.
func cut(text string, n int) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case r == utf8.RuneError || r == 0:
			return -1
		case unicode.IsControl(r):
			return ' '
		}
		return r
	}, text)
	text = strings.TrimSpace(text)
	if len(text) <= n {
		return text
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return strings.TrimSpace(text[:n])
}
