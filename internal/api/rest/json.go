package rest

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/ringtrue/ringtrue/internal/strictjson"
)

// jsonFormat reads and writes JSON; errors in what is read name their place.
func jsonFormat() huma.Format {
	return huma.Format{Marshal: writeJSON, Unmarshal: readJSON}
}

func writeJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// Marshal is the value as JSON, as every answer has it.
func Marshal(v any) ([]byte, error) {
	var out bytes.Buffer
	err := writeJSON(&out, v)
	return out.Bytes(), err
}

// MaxDepth bounds how deep a body may nest.
const MaxDepth = 100

func readJSON(data []byte, v any) error {
	if fault := strictjson.Check(data, MaxDepth); fault != nil {
		return fault
	}
	err := json.Unmarshal(data, v)
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) && strings.HasPrefix(kind.Value, "number") {
		err, kind = json.Unmarshal(wholeNumbers(data), v), nil
	}
	if errors.As(err, &kind) {
		what, value, _ := strings.Cut(kind.Value, " ")
		field := kind.Field
		if field == "" {
			field = "body"
		}
		if what == "number" { // of the right kind, or the document would have refused it
			return errors.New(field + fieldMark + "the number " + Short(value) + " is out of range")
		}
		return errors.New(field + fieldMark + "a " + what + " is not possible here")
	}
	return err
}

// fieldMark stands in the text of an error between the field that is at fault and what is wrong
// with it: of an error in reading a body the library keeps the text, and nothing else.
const fieldMark = "\x00"

// wholeNumbers is the text with 2.0 and 2e0 written as 2. They are whole numbers
// (JSON Schema says so, and languages without integers write them), which
// encoding/json takes for none. The text must be valid.
func wholeNumbers(data []byte) []byte {
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
