package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/danielgtaylor/huma/v2"
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

func readJSON(data []byte, v any) error {
	err := json.Unmarshal(data, v)
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		line, column := placeOf(data, syntax.Offset)
		return fmt.Errorf("line %d, column %d: %s", line, column, syntax.Error())
	}
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) {
		return fmt.Errorf("%s: a %s is not possible here", kind.Field, kind.Value)
	}
	return err
}

// placeOf is the line and column, counted from 1, of the last byte that was read.
func placeOf(data []byte, offset int64) (line, column int) {
	if offset > int64(len(data)) {
		offset = int64(len(data))
	}
	read := data[:max(offset, 0)]
	line = bytes.Count(read, []byte{'\n'}) + 1
	column = len(read) - (bytes.LastIndexByte(read, '\n') + 1)
	return line, max(column, 1)
}
