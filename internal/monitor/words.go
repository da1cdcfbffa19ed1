package monitor

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ringtrue/ringtrue/internal/call"
)

// actWords is how many words of the agent's last sentence make an act.
const actWords = 8

// lastAct is the agent's last sentence in the form that groups are made by: small
// letters, digits masked, no punctuation, the first words alone. So a question
// that is asked in every call is one act, whatever number it reads back.
func lastAct(turns []call.Turn) string {
	for i := len(turns) - 1; i >= 0; i-- {
		if turns[i].Speaker == call.Agent && strings.TrimSpace(turns[i].Text) != "" {
			return actOf(turns[i].Text)
		}
	}
	return ""
}

func actOf(text string) string {
	words := plainWords(lastSentence(text))
	return cut(strings.Join(words[:min(len(words), actWords)], " "), maxText)
}

// lastSentence is what follows the last mark between two sentences.
func lastSentence(text string) string {
	text = strings.TrimRight(strings.TrimSpace(text), ".?!… ")
	for i := len(text) - 2; i > 0; i-- {
		if strings.IndexByte(".?!", text[i]) >= 0 && text[i+1] == ' ' {
			return text[i+1:]
		}
	}
	return text
}

// plainWords are the words in small letters; every word with a digit in it is "#", and a run of those is one.
func plainWords(text string) []string {
	fields := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && r != '\''
	})
	out := fields[:0]
	for _, w := range fields {
		if strings.ContainsFunc(w, unicode.IsDigit) {
			w = "#"
		}
		if w == "#" && len(out) > 0 && out[len(out)-1] == "#" {
			continue
		}
		out = append(out, w)
	}
	return out
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
