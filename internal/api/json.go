package api

import (
	"encoding/json"
	"errors"
	"fmt"
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

// maxDepth bounds how deep a body may nest.
const maxDepth = 100

func readJSON(data []byte, v any) error {
	if fault := strictjson.Check(data, maxDepth); fault != nil {
		return fault
	}
	err := json.Unmarshal(data, v)
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) {
		what, value, _ := strings.Cut(kind.Value, " ")
		if kind.Field == "" && what == "number" {
			return fmt.Errorf("the number %s is too large to be read", short(value))
		}
		return fmt.Errorf("%s: a %s is not possible here", short(kind.Field), what)
	}
	return err
}
