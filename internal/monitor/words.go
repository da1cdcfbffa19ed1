package monitor

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/trend"
)

// lastAct is the agent's last sentence, masked: a question that is asked in every
// call is one act, whatever number it reads back.
func lastAct(turns []call.Turn) string {
	for _, turn := range slices.Backward(turns) {
		if turn.Own(call.Agent) && strings.TrimSpace(turn.Text) != "" {
			return cut(trend.ShapeOf(trend.Failure{Words: lastSentence(turn.Text)}).Words, maxAct)
		}
	}
	return ""
}

// lastSentence is what follows the last mark between two sentences. "I connect you to Mr. Jones" is
// one of them: a name that stood alone could not be told from any other word, and masked.
func lastSentence(text string) string {
	text = strings.TrimRight(strings.TrimSpace(text), closing+".?!… ")
	for i := len(text) - 1; i > 0; i-- {
		if text[i] == ' ' && ends(text[:i], text[i+1:]) {
			return text[i+1:]
		}
	}
	return text
}

// closing are marks that may stand behind the one that ends a sentence.
const closing = `"'”’)`

// ends reports whether a sentence ends between two parts of a text. In one that knows capitals none
// ends at a dot behind which it goes on in small letters: "a flight to the U.S. is late".
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

// cut shortens a text to n bytes without breaking a letter, and takes out what no text should hold.
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
