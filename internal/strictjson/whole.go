package strictjson

import (
	"bytes"
	"math"
	"strconv"
)

// WholeNumbers is the text with 2.0 and 2e0 written as 2. They are whole numbers
// (JSON Schema says so, and languages without integers write them), which
// encoding/json takes for none. The text must be valid JSON.
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

// stringLen is how long the string is that the text begins with.
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

// wholeNumber is the number without point and exponent, where it needs neither.
func wholeNumber(number []byte) []byte {
	const exact = 1 << 53 // beyond it a float64 passes over whole numbers
	v, err := strconv.ParseFloat(string(number), 64)
	if err != nil || v != math.Trunc(v) || math.Abs(v) >= exact || !bytes.ContainsAny(number, ".eE") {
		return number
	}
	return strconv.AppendInt(nil, int64(v), 10)
}
