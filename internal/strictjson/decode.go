package strictjson

import (
	"encoding/json"
	"math/bits"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Decode reads text that Check would accept into the types of encoding/json: []any, bool and nil,
// but *Object for an object, *string for text and *json.Number for a number (see Text and Number).
// It reads the text once, whereas Check and a decoder would read it several times; only if
// something is wrong does it run Check, for the message.
func Decode(data []byte, depth int) (any, *Error) { return new(Memory).Decode(data, depth) }

// Decode is like the function Decode. The value is valid until Forget.
func (m *Memory) Decode(data []byte, depth int) (any, *Error) {
	r := reader{Memory: m, text: string(data), depth: depth}
	r.space()
	value, ok := r.value()
	if r.space(); ok && r.at == len(r.text) {
		return value, nil
	}
	if err := Check(data, depth); err != nil {
		return nil, err
	}
	return nil, fault(data, r.at+1, "the text cannot be read")
}

// reader reads a text from its beginning. Its methods return false where the text is invalid.
type reader struct {
	*Memory

	text string
	at   int
	// depth is how many more brackets may be opened.
	depth int
}

// closed returns the object of the open fields that begin at index from.
func (r *reader) closed(from int) (any, bool) {
	out := &r.objects.take(1)[0]
	out.fields = r.fields.take(len(r.openFields) - from)
	copy(out.fields, r.openFields[from:])
	r.openFields = r.openFields[:from]
	return out, out.distinct()
}

func (r *reader) space() {
	for r.at < len(r.text) && (r.text[r.at] == ' ' || r.text[r.at] == '\n' || r.text[r.at] == '\t' || r.text[r.at] == '\r') {
		r.at++
	}
}

// take skips c and the space after it, if c comes next.
func (r *reader) take(c byte) bool {
	if r.at >= len(r.text) || r.text[r.at] != c {
		return false
	}
	r.at++
	r.space()
	return true
}

func (r *reader) value() (any, bool) {
	if r.at >= len(r.text) {
		return nil, false
	}
	switch r.text[r.at] {
	case '{':
		return r.nested((*reader).object)
	case '[':
		return r.nested((*reader).list)
	case '"':
		text, ok := r.string()
		return r.texts.keep(text), ok
	case 't':
		return true, r.word("true")
	case 'f':
		return false, r.word("false")
	case 'n':
		return nil, r.word("null")
	}
	return r.number()
}

func (r *reader) word(word string) bool {
	ok := strings.HasPrefix(r.text[r.at:], word)
	r.at += len(word)
	return ok
}

// nested reads the object or list that opens here, unless it is too deep.
func (r *reader) nested(read func(*reader) (any, bool)) (value any, ok bool) {
	if r.depth == 0 {
		return nil, false
	}
	r.depth--
	r.at++
	r.space()
	value, ok = read(r)
	r.depth++
	return value, ok
}

func (r *reader) object() (any, bool) {
	from := len(r.openFields)
	if r.closes('}') {
		return r.closed(from)
	}
	for {
		name, ok := r.string()
		if r.space(); !ok || !r.take(':') {
			return nil, false
		}
		value, ok := r.value()
		if !ok {
			return nil, false
		}
		r.openFields = append(r.openFields, field{name, value})
		if r.space(); r.closes('}') {
			return r.closed(from)
		}
		if !r.take(',') {
			return nil, false
		}
	}
}

func (r *reader) list() (any, bool) {
	if r.closes(']') {
		return []any{}, true
	}
	from := len(r.openValues)
	for {
		value, ok := r.value()
		if !ok {
			return nil, false
		}
		r.openValues = append(r.openValues, value)
		if r.space(); r.closes(']') {
			out := r.values.take(len(r.openValues) - from)
			copy(out, r.openValues[from:])
			r.openValues = r.openValues[:from]
			return out, true
		}
		if !r.take(',') {
			return nil, false
		}
	}
}

// closes skips the given byte, if it comes next.
func (r *reader) closes(bracket byte) bool {
	if r.at >= len(r.text) || r.text[r.at] != bracket {
		return false
	}
	r.at++
	return true
}

// number reads a number and keeps its spelling.
func (r *reader) number() (any, bool) {
	from := r.at
	r.sign("-")
	switch {
	case r.at < len(r.text) && r.text[r.at] == '0':
		r.at++
	case !r.digits():
		return nil, false
	}
	if r.at < len(r.text) && r.text[r.at] == '.' {
		if r.at++; !r.digits() {
			return nil, false
		}
	}
	exponent := r.at < len(r.text) && r.text[r.at]|0x20 == 'e'
	if exponent {
		r.at++
		if r.sign("+-"); !r.digits() {
			return nil, false
		}
	}
	number := r.text[from:r.at]
	return r.numbers.keep(json.Number(number)), !tooLarge(number, exponent)
}

func (r *reader) sign(signs string) {
	if r.at < len(r.text) && strings.IndexByte(signs, r.text[r.at]) >= 0 {
		r.at++
	}
}

// digits skips the digits that come next; there must be at least one.
func (r *reader) digits() bool {
	from := r.at
	for r.at < len(r.text) && r.text[r.at] >= '0' && r.text[r.at] <= '9' {
		r.at++
	}
	return r.at > from
}

// string reads a string. One without escapes shares the memory of the whole text.
func (r *reader) string() (string, bool) {
	if !r.closes('"') {
		return "", false
	}
	from, ascii := r.at, true
	for i := from + plain(r.text[from:]); i < len(r.text); i += plain(r.text[i:]) {
		switch c := r.text[i]; {
		case c == '"':
			text := r.text[from:i]
			r.at = i + 1
			return text, ascii || utf8.ValidString(text)
		case c == '\\':
			r.at = i
			return r.escaped(from)
		case c < ' ':
			return "", false
		}
		ascii = false
		for i < len(r.text) && r.text[i] >= utf8.RuneSelf {
			i++
		}
	}
	return "", false
}

// plain returns how many bytes at the beginning of a text can be copied unchanged: they are
// followed by a quote, an escape, a control character or a non-ASCII byte. It examines eight at a
// time, because the branches of a loop over single bytes are hard for a processor to predict.
func plain(text string) int {
	const ones, highest, several = 0x0101010101010101, 0x8080808080808080, 8
	at := 0
	for ; len(text)-at >= several; at += several {
		t := text[at : at+several]
		w := uint64(t[0]) | uint64(t[1])<<8 | uint64(t[2])<<16 | uint64(t[3])<<24 | uint64(t[4])<<32 | uint64(t[5])<<40 | uint64(t[6])<<48 | uint64(t[7])<<56
		// The highest bit of an ASCII byte is set here if the byte is smaller than what is
		// subtracted from it. A borrow affects only later bytes, so the first one found is correct.
		if special := (w | (w - ones*' ') | ((w ^ ones*'"') - ones) | ((w ^ ones*'\\') - ones)) & highest; special != 0 {
			return at + bits.TrailingZeros64(special)/several
		}
	}
	for ; at < len(text); at++ {
		if c := text[at]; c < ' ' || c >= utf8.RuneSelf || c == '"' || c == '\\' {
			break
		}
	}
	return at
}

// escaped continues reading a string that began at from, at an escape.
func (r *reader) escaped(from int) (string, bool) {
	out := r.scratch[:0]
	defer func() { r.scratch = out }()
	for r.at < len(r.text) {
		switch c := r.text[r.at]; {
		case c == '"':
			out = append(out, r.text[from:r.at]...)
			r.at++
			return string(out), utf8.Valid(out)
		case c == '\\':
			out = append(out, r.text[from:r.at]...)
			char, ok := r.escape()
			if !ok {
				return "", false
			}
			out = utf8.AppendRune(out, char)
			from = r.at
		case c < ' ':
			return "", false
		default:
			r.at++
		}
		r.at += plain(r.text[r.at:])
	}
	return "", false
}

// escape reads one escape, or two that encode one character together.
func (r *reader) escape() (rune, bool) {
	if r.at+1 >= len(r.text) {
		return 0, false
	}
	const letters, means = `"\/bfnrt`, "\"\\/\b\f\n\r\t"
	if i := strings.IndexByte(letters, r.text[r.at+1]); i >= 0 {
		r.at += 2
		return rune(means[i]), true
	}
	first, ok := r.unit()
	if !ok || !utf16.IsSurrogate(first) {
		return first, ok
	}
	second, ok := r.unit()
	char := utf16.DecodeRune(first, second)
	return char, ok && char != utf8.RuneError // half of a surrogate pair is no character
}

// unit reads \uXXXX.
func (r *reader) unit() (rune, bool) {
	const length = len(`\u0000`)
	if len(r.text)-r.at < length || r.text[r.at] != '\\' || r.text[r.at+1] != 'u' {
		return 0, false
	}
	v, err := strconv.ParseUint(r.text[r.at+2:r.at+length], 16, 16)
	r.at += length
	return rune(v), err == nil
}
