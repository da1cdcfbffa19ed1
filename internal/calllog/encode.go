package calllog

import (
	"encoding/json"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/ringtrue/ringtrue/internal/call"
)

// encode writes a record as JSON. The turns, usually the longest part, are
// written by hand: reflection takes several times as long, and this runs for
// every call log that arrives.
func encode(r Record) ([]byte, error) {
	turns := r.Turns
	for i := range turns {
		if t := &turns[i]; t.Words != nil || t.Readings != nil {
			return json.Marshal(r)
		}
	}
	r.Turns = nil
	text, err := json.Marshal(r)
	if err != nil || len(turns) == 0 {
		return text, err
	}
	text = append(slices.Grow(text, roomFor(turns))[:len(text)-1], `,"turns":[`...)
	for i := range turns {
		if i > 0 {
			text = append(text, ',')
		}
		text = appendTurn(text, &turns[i])
	}
	return append(text, ']', '}'), nil
}

// roomFor estimates the length of the encoded turns, in bytes.
func roomFor(turns []call.Turn) int {
	const names, segment = 96, 40
	room := names
	for i := range turns {
		room += names + len(turns[i].Text) + segment*len(turns[i].Segments)
	}
	return room
}

func appendTurn(b []byte, t *call.Turn) []byte {
	b = appendNumber(b, `{"index":`, int64(t.Index))
	b = appendText(b, `,"speaker":`, string(t.Speaker))
	if t.By != "" {
		b = appendText(b, `,"by":`, t.By)
	}
	b = appendNumber(b, `,"start":`, int64(t.Start))
	b = appendNumber(b, `,"end":`, int64(t.End))
	b = appendText(b, `,"text":`, t.Text)
	for i, s := range t.Segments {
		before := `,{"start":`
		if i == 0 {
			before = `,"segments":[{"start":`
		}
		b = appendNumber(b, before, int64(s.Start))
		b = append(appendNumber(b, `,"end":`, int64(s.End)), '}')
	}
	if len(t.Segments) > 0 {
		b = append(b, ']')
	}
	if t.Manner != "" {
		b = appendText(b, `,"manner":`, string(t.Manner))
	}
	return append(b, '}')
}

func appendNumber(b []byte, before string, n int64) []byte {
	return strconv.AppendInt(append(b, before...), n, 10)
}

// appendText quotes text itself unless it needs escaping, which it leaves to
// encoding/json.
func appendText(b []byte, before, text string) []byte {
	b = append(b, before...)
	for i := range len(text) {
		if c := text[i]; c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			quoted, err := json.Marshal(text)
			if err != nil {
				return append(b, '"', '"') // text can always be quoted
			}
			return append(b, quoted...)
		}
	}
	b = append(b, '"')
	b = append(b, text...)
	return append(b, '"')
}
