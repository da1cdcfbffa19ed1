package rest

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
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
		err, kind = json.Unmarshal(strictjson.WholeNumbers(data), v), nil
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
