package calllog

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/strictjson"
)

const (
	// maxDepth bounds how deep a submission may nest.
	maxDepth = 32
	// maxNotes bounds how many mistakes are told at once.
	maxNotes = 100
)

// parse reads a submission once and returns its outermost object.
func parse(body []byte) (Object, error) {
	if fault := strictjson.Check(body, maxDepth); fault != nil {
		e := problem.New(problem.InvalidJSON, "the body is not valid JSON")
		e.Fields = []problem.Field{{Path: "body", Message: fault.Error()}}
		return Object{}, e
	}
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return Object{}, err // it is JSON
	}
	values, ok := value.(map[string]any)
	if !ok {
		return Object{}, problem.Invalid(problem.Field{Path: "body", Message: "must be an object"})
	}
	o := Object{values: values, notes: new([]problem.Field)}
	checkText(values, "", o.notes)
	return o, nil
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
				*notes = append(*notes, problem.Field{Path: orBody(path), Message: "has a key that holds the character \\u0000"})
				continue
			}
			inner := shown(name)
			if path != "" {
				inner = path + "." + inner
			}
			checkText(element, inner, notes)
		}
	}
}

func orBody(path string) string {
	if path == "" {
		return "body"
	}
	return path
}

// shown is a key of the client's own, made fit to stand in a path.
func shown(name string) string {
	if len(name) > 64 {
		name = strings.ToValidUTF8(name[:64], "") + "…"
	}
	if quoted := strconv.Quote(name); name == "" || quoted[1:len(quoted)-1] != name {
		return quoted
	}
	return name
}
