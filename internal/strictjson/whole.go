package strictjson

import (
	"bytes"
	"math"
	"strconv"
)

// WholeNumbers returns the text with 2.0 and 2e0 written as 2. They are integers (JSON Schema says
// so, and languages without integers write them), but encoding/json does not accept them as such.
// The text must be valid JSON.
func WholeNumbers(data []byte) []byte {
	out := make([]byte, 0, len(data))
	for i := 0; i < len(data); {
		n := 1
		switch c := data[i]; {
		case c == '"':
			n = stringLen(data[i:])
		case c == '-' || '0' <= c && c <= '9':
			n = len(data[i:]) - len(bytes.TrimLeft(data[i:], "0123456789+-.eE"))
			out = append(out, wholeNumber(data[i:i+n])...)
			i += n
			continue
		}
		out = append(out, data[i:i+n]...)
		i += n
	}
	return out
}

// stringLen returns the length of the string that the text begins with.
func stringLen(text []byte) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}

// wholeNumber returns the number without point and exponent if it needs neither.
func wholeNumber(number []byte) []byte {
	const exact = 1 << 53 // beyond it, a float64 skips integers
	v, err := strconv.ParseFloat(string(number), 64)
	if err != nil || v != math.Trunc(v) || math.Abs(v) >= exact || !bytes.ContainsAny(number, ".eE") {
		return number
	}
	return strconv.AppendInt(nil, int64(v), 10)
}
