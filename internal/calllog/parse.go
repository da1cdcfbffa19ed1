package calllog

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/ringtrue/ringtrue/internal/problem"
)

const (
	// maxDepth bounds how deep a submission may nest.
	maxDepth = 32
	// maxNotes bounds how many mistakes are told at once.
	maxNotes = 100
)

// parse reads a submission once and returns its outermost object.
func parse(body []byte) (Object, error) {
	if deeper(body, maxDepth) {
		return Object{}, problem.New(problem.InvalidJSON, "the body nests deeper than %d levels", maxDepth)
	}
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	var value any
	err := decoder.Decode(&value)
	if err == nil {
		if _, more := decoder.Token(); !errors.Is(more, io.EOF) {
			err = errors.New("something follows the end of the object")
		}
	}
	if err != nil {
		return Object{}, notJSON(body, err, decoder.InputOffset())
	}
	values, ok := value.(map[string]any)
	if !ok {
		return Object{}, problem.New(problem.InvalidJSON, "the body is not a JSON object")
	}
	o := Object{values: values, notes: new([]problem.Field)}
	checkText(values, "", o.notes)
	return o, nil
}

func notJSON(body []byte, err error, offset int64) error {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		offset = syntax.Offset
	}
	read := body[:min(max(offset, 0), int64(len(body)))]
	line := bytes.Count(read, []byte{'\n'}) + 1
	column := max(len(read)-(bytes.LastIndexByte(read, '\n')+1), 1)
	e := problem.New(problem.InvalidJSON, "the body is not valid JSON")
	e.Fields = []problem.Field{{Path: "body", Message: "line " + strconv.Itoa(line) + ", column " + strconv.Itoa(column) + ": " + err.Error()}}
	return e
}

// deeper reports whether the text opens more than limit brackets within one another.
func deeper(body []byte, limit int) bool {
	depth, inText := 0, false
	for i := 0; i < len(body); i++ {
		switch c := body[i]; {
		case inText && c == '\\':
			i++
		case c == '"':
			inText = !inText
		case inText:
		case c == '{' || c == '[':
			if depth++; depth > limit {
				return true
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return false
}

// checkText refuses the one character that not every database can keep.
func checkText(value any, path string, notes *[]problem.Field) {
	if len(*notes) >= maxNotes {
		return
	}
	const message = `must not hold the character \u0000`
	switch v := value.(type) {
	case string:
		if strings.ContainsRune(v, 0) {
			*notes = append(*notes, problem.Field{Path: path, Message: message})
		}
	case []any:
		for i, element := range v {
			checkText(element, path+"["+strconv.Itoa(i)+"]", notes)
		}
	case map[string]any:
		for name, element := range v {
			if strings.ContainsRune(name, 0) {
				*notes = append(*notes, problem.Field{Path: path, Message: "has a key that holds the character \\u0000"})
				continue
			}
			inner := name
			if path != "" {
				inner = path + "." + name
			}
			checkText(element, inner, notes)
		}
	}
}
