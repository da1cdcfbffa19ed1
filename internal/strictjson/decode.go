package strictjson

import (
	"encoding/json"
	"math/bits"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Decode reads the text, which Check would pass, into the types of
// encoding/json: []any, bool and nil, but *Object for an object, *string for text
// and *json.Number for a number: see Text and Number. It goes over the text once, where Check and a decoder take turns; what
// it finds wrong it leaves to Check to put in words.
func Decode(data []byte, depth int) (any, *Error) { return new(Memory).Decode(data, depth) }

// Decode is the function Decode. The value holds until Forget.
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

// reader goes over a text from its beginning. Its methods report false where
// the text breaks.
type reader struct {
	*Memory

	text string
	at   int
	// depth is how many brackets may still open.
	depth int
}

// closed is the object whose fields are the last ones, from from on.
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

// take goes past c and the space behind it, if c comes next.
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

// nested has read the object or list that opens here, unless it is too deep.
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

// closes goes past the bracket, if it comes next.
func (r *reader) closes(bracket byte) bool {
	if r.at >= len(r.text) || r.text[r.at] != bracket {
		return false
	}
	r.at++
	return true
}

// number reads a number as it is written.
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

// digits goes past the digits that come next; there must be one.
func (r *reader) digits() bool {
	from := r.at
	for r.at < len(r.text) && r.text[r.at] >= '0' && r.text[r.at] <= '9' {
		r.at++
	}
	return r.at > from
}

// string reads a text in quotes. One without escapes is a part of the whole text.
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

// plain is how many bytes at the beginning of a text stand for themselves: what comes
// behind them is a quote, an escape, a control character, or not ASCII. It looks at eight at a
// time: a text's blanks and letters come in no order that a processor could foresee.
func plain(text string) int {
	const ones, highest, several = 0x0101010101010101, 0x8080808080808080, 8
	at := 0
	for ; len(text)-at >= several; at += several {
		t := text[at : at+several]
		w := uint64(t[0]) | uint64(t[1])<<8 | uint64(t[2])<<16 | uint64(t[3])<<24 | uint64(t[4])<<32 | uint64(t[5])<<40 | uint64(t[6])<<48 | uint64(t[7])<<56
		// Of an ASCII byte the highest bit is set here when it is smaller than what is taken
		// from it. What that borrows is from later bytes, so that the first is the right one.
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

// escaped reads on a text that began at from and has an escape here.
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

// escape reads one escape, or two that are one character together.
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
	return char, ok && char != utf8.RuneError // a half stands for no character
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
