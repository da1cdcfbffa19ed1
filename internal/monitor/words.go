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
		if turn.Speaker == call.Agent && strings.TrimSpace(turn.Text) != "" {
			return cut(trend.ShapeOf(trend.Failure{Words: lastSentence(turn.Text)}).Words, maxAct)
		}
	}
	return ""
}

// lastSentence is what follows the last mark between two sentences. "I connect you to Mr. Jones" is
// one of them: a name that stood alone could not be told from any other word, and masked.
func lastSentence(text string) string {
	text = strings.TrimRight(strings.TrimSpace(text), ".?!… ")
	for i := len(text) - 2; i > 0; i-- {
		if strings.IndexByte(".?!", text[i]) >= 0 && text[i+1] == ' ' && !(text[i] == '.' && trend.Abbreviated(text[:i])) {
			return text[i+1:]
		}
	}
	return text
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
