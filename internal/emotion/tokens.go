package emotion

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// maxText limits how much of a turn is read, in bytes; the rest is ignored.
const maxText = 4096

// maxTokens limits how many words of a turn are used.
const maxTokens = 400

// token is a stretch of the folded text.
type token struct {
	start, end int32
	// word tells letters and digits from marks; anew says that the word begins a sentence or the like.
	word, anew bool
}

// tokens is a text split into words and marks. Words are lower case without apostrophes, with no
// letter repeated more than twice; fillers ("uh", "um") are removed. The marks kept are "!", "?",
// smileys and emoji. Its memory is reused for the next text.
type tokens struct {
	text []byte
	all  []token
	// words counts the tokens that are words.
	words int
	// written says that the text has capitals or marks, so that a question would have its mark; output
	// of a plain recogniser has none.
	written bool
	// ended says that a sentence ended after the last token.
	ended bool
	// about says that the caller has been talking about somebody outside the call.
	about bool
	// whom is whom the text names and addresses.
	whom mentions
}

// cut splits a text.
func (t *tokens) cut(s string) {
	t.text, t.all, t.words, t.written, t.ended, t.about, t.whom = t.text[:0], t.all[:0], 0, false, false, false, mentions{}
	if len(s) > maxText {
		s = s[:maxText]
	}
	s = norm.NFC.String(s) // else an accent of its own would end a word
	for i := 0; i < len(s) && len(t.all) < maxTokens; {
		r, n := utf8.DecodeRuneInString(s[i:])
		left := 0
		if r == '[' || r == '<' || r == '#' || r == '{' {
			left = t.placeholder(s[i:])
		}
		switch {
		case left > 0:
			i += left
		case wordRune(r):
			i += t.wordAt(s[i:])
		case r == '&':
			i += max(apostrophe(s[i:]), entity(s[i:]), 1)
		default:
			t.written, t.ended = t.written || sentenceMark(r), t.ended || ends(s[i:])
			i += max(n, t.mark(r, s[i:], i > 0 && wordByte(s[i-1])))
		}
	}
}

// sentenceMark reports whether a rune separates sentences.
func sentenceMark(r rune) bool {
	switch r {
	case '.', ',', '!', '?', ';', ':':
		return true
	}
	return false
}

// ends reports whether a sentence, or an independent part of one, ends at the start of s.
func ends(s string) bool {
	switch s[0] {
	case '\n', ';':
		return true
	case '.', ':':
		return len(s) == 1 || s[1] == ' ' || s[1] == '\n'
	}
	return false
}

func wordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '\''
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}

// wordByte reports whether a byte belongs to a letter or digit.
func wordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c >= utf8.RuneSelf
}

// wordAt folds the word at the start of s and returns its length in bytes.
func (t *tokens) wordAt(s string) int {
	from := len(t.text)
	i := 0
	var last rune
	run, masked := 0, false
	for i < len(s) {
		r, n := utf8.DecodeRuneInString(s[i:])
		if mark := apostrophe(s[i:]); mark > 0 {
			i += mark
			continue
		}
		if r == '*' { // "f***"
			masked = true
			i += n
			continue
		}
		if !wordRune(r) {
			break
		}
		i += n
		if small := unicode.ToLower(r); small != r {
			r, t.written = small, true
		}
		if r == last {
			run++
		} else {
			last, run = r, 1
		}
		if run > 2 && !unicode.IsDigit(r) {
			continue
		}
		t.text = utf8.AppendRune(t.text, r)
	}
	if masked {
		t.unmask(from)
	}
	word := t.text[from:]
	if len(word) == 0 || filler(word) {
		t.text = t.text[:from]
		return max(i, 1)
	}
	t.words++
	t.put(from, true)
	return i
}

// apostrophe returns the length of an apostrophe at the start of s, in any of the usual encodings:
// "don't", "don’t", "don´t", "don&#39;t".
func apostrophe(s string) int {
	switch r, n := utf8.DecodeRuneInString(s); r {
	case '\'', '’', '‘', '´', '`', 'ʼ', '＇':
		return n
	case '&':
		for _, e := range [...]string{"&#39;", "&#039;", "&#x27;", "&apos;", "&rsquo;", "&lsquo;", "&#8217;", "&#8216;"} {
			if strings.HasPrefix(s, e) {
				return len(e)
			}
		}
	}
	return 0
}

// entity returns the length of an HTML entity of another mark at the start of s, 0 if there is
// none.
func entity(s string) int {
	for _, e := range [...]string{"&quot;", "&amp;", "&lt;", "&gt;", "&nbsp;", "&#34;", "&#160;"} {
		if strings.HasPrefix(s, e) {
			return len(e)
		}
	}
	return 0
}

// unmask restores the two words that recognisers mask with asterisks.
func (t *tokens) unmask(from int) {
	switch string(t.text[from:]) {
	case "f", "fk", "fck":
		t.text = append(t.text[:from], "fuck"...)
	case "fing", "fking", "fcking":
		t.text = append(t.text[:from], "fucking"...)
	case "s", "sht", "st":
		t.text = append(t.text[:from], "shit"...)
	}
}

// filler reports whether a word only expresses hesitation.
func filler(word []byte) bool {
	switch string(word) {
	case "uh", "um", "uhm", "umm", "er", "erm", "uhh", "mm", "hm", "hmm", "mhm", "uhhuh":
		return true
	}
	return false
}

// mark reads a mark at the start of s and returns its length, 0 if it is not kept; behind says that
// it directly follows a word.
func (t *tokens) mark(r rune, s string, behind bool) int {
	switch {
	case r == '!' || r == '?':
		return t.exclaim(s)
	case r == ':' || r == ';' || r == '=':
		return t.smiley(s, behind)
	case r == '<' && len(s) > 1 && s[1] == '3':
		t.addMark("❤")
		return 2
	case r > 0x2190 && unicode.Is(unicode.So, r):
		t.addMark(string(r))
		return utf8.RuneLen(r)
	}
	return 0
}

// exclaim reads a run of exclamation and question marks. It keeps the first and, if there are more,
// a mark that says so.
func (t *tokens) exclaim(s string) int {
	n := 1
	for n < len(s) && (s[n] == '!' || s[n] == '?') {
		n++
	}
	t.addMark(s[:1])
	if n > 1 && len(t.all) < maxTokens {
		t.addMark("!!")
	}
	return n
}

// smiley reads a smiley. One with a word directly on both sides is none: "https://", "ref:D123",
// "name:[NAME]".
func (t *tokens) smiley(s string, behind bool) int {
	i := 1
	if i < len(s) && (s[i] == '-' || s[i] == '\'') {
		i++
	}
	if i >= len(s) || behind && i+1 < len(s) && (wordByte(s[i+1]) || s[i] == '/' && s[i+1] == '/') {
		return 0
	}
	switch s[i] {
	case ')', 'D', 'P', 'p', ']':
		t.addMark(":)")
	case '(', '/', '[', '|':
		t.addMark(":(")
	default:
		return 0
	}
	return i + 1
}

// addWord adds a word.
func (t *tokens) addWord(s string) {
	from := len(t.text)
	t.text = append(t.text, s...)
	t.put(from, true)
	t.words++
}

// addMark adds a mark.
func (t *tokens) addMark(s string) {
	from := len(t.text)
	t.text = append(t.text, s...)
	t.put(from, false)
}

// put adds a token made of the text from index from on.
func (t *tokens) put(from int, word bool) {
	t.all = append(t.all, token{int32(from), int32(len(t.text)), word, t.ended})
	t.ended = false
}

// of returns the bytes of a token.
func (t *tokens) of(k token) []byte { return t.text[k.start:k.end] }

// at reports whether token i is one of the words.
func (t *tokens) at(i int, words ...string) bool {
	return i >= 0 && i < len(t.all) && slices.Contains(words, string(t.of(t.all[i])))
}
