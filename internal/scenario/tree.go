package scenario

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/ringtrue/ringtrue/internal/strictjson"
)

// syntax is an error in a text that could not be parsed at all.
type syntax struct {
	line    int
	message string
}

// moveDown adds lines to the line of every node.
func moveDown(n *yaml.Node, lines int) {
	n.Line += lines
	for _, child := range n.Content {
		moveDown(child, lines)
	}
}

var yamlLine = regexp.MustCompile(`line (\d+): (.*)`)

// maxValues bounds the number of values in a file, also in one that is read in pieces. A value
// takes about a hundred times the memory of its text, so a file of nothing but commas would
// otherwise use far too much.
const maxValues = 1_000_000

// tooMany is the message about a file with more than maxValues values.
const tooMany = "holds more than 1000000 values"

// yamlTree reads one YAML document.
func yamlTree(data []byte) (*yaml.Node, *syntax) {
	pieces := 0 // upper bound of the number of values
	for _, mark := range []string{",", ":", "\n", "[", "{"} {
		pieces += bytes.Count(data, []byte(mark))
	}
	if pieces > maxValues {
		return nil, &syntax{1, tooMany + ", or may do so"}
	}
	var doc yaml.Node
	dec := yaml.NewDecoder(bytes.NewReader(data))
	if err := dec.Decode(&doc); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, &syntax{1, "the file is empty"}
		}
		return nil, yamlFault(err)
	}
	if err := dec.Decode(&yaml.Node{}); !errors.Is(err, io.EOF) {
		return nil, &syntax{1, "holds more than one YAML document"}
	}
	if doc.Kind != yaml.DocumentNode || len(doc.Content) != 1 {
		return nil, &syntax{1, "the file is empty"}
	}
	return doc.Content[0], nil
}

// yamlFault returns the parser's error in its own words, with two corrections: for "did not
// find expected …" the parser numbers lines from 0, and it does not explain that a question
// mark ends a plain text inside brackets.
func yamlFault(err error) *syntax {
	line, why := 1, strings.TrimPrefix(err.Error(), "yaml: ")
	if m := yamlLine.FindStringSubmatch(err.Error()); m != nil {
		line, _ = strconv.Atoi(m[1])
		if why = m[2]; strings.HasPrefix(why, "did not find expected") {
			line++
		}
	}
	if strings.HasPrefix(why, "did not find expected ','") {
		why += "; between brackets a text with ? or , in it has to stand in quotes"
	}
	return &syntax{line, "is not valid YAML: " + why}
}

// jsonReader builds a tree of YAML nodes from JSON, with the line of every value.
type jsonReader struct {
	data []byte
	dec  *json.Decoder
	line int
	seen int64
	// values is the number of values so far.
	values int
}

// errTooMany stops the parsing of a file with more than maxValues values.
var errTooMany = errors.New(tooMany)

// jsonTree parses one JSON value and requires that nothing follows it.
func jsonTree(data []byte) (*yaml.Node, *syntax) {
	r := &jsonReader{data: data, dec: json.NewDecoder(bytes.NewReader(data)), line: 1}
	r.dec.UseNumber()
	n, err := r.value(0)
	if err == nil {
		if _, more := r.dec.Token(); !errors.Is(more, io.EOF) {
			r.count(r.dec.InputOffset())
			err = errors.New("something follows the end of the value")
		}
	}
	if errors.Is(err, errTooMany) {
		return nil, &syntax{r.line, tooMany}
	}
	if err != nil {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			err = errors.New("it ends in the middle")
		}
		var at *json.SyntaxError
		if errors.As(err, &at) {
			r.count(at.Offset)
		}
		return nil, &syntax{r.line, "is not valid JSON: " + err.Error()}
	}
	if fault := strictjson.CheckButNames(data, 2*maxNesting); fault != nil {
		return nil, &syntax{fault.Line, "is not valid JSON: " + fault.Message}
	}
	return n, nil
}

// count returns the line of the given offset, counting on from the previous one.
func (r *jsonReader) count(offset int64) int {
	offset = min(offset, int64(len(r.data)))
	if offset > r.seen {
		r.line += bytes.Count(r.data[r.seen:offset], []byte("\n"))
		r.seen = offset
	}
	return r.line
}

func (r *jsonReader) value(depth int) (*yaml.Node, error) {
	if depth > maxNesting {
		return nil, fmt.Errorf("it is nested more than %d deep", maxNesting)
	}
	if r.values++; r.values > maxValues {
		return nil, errTooMany
	}
	token, err := r.dec.Token()
	if err != nil {
		return nil, err
	}
	// A JSON token never spans lines, so it ends on the line on which it starts.
	n := &yaml.Node{Kind: yaml.ScalarNode, Line: r.count(r.dec.InputOffset())}
	switch t := token.(type) {
	case json.Delim:
		return n, r.inside(n, t, depth)
	case string:
		n.Tag, n.Value, n.Style = "!!str", t, yaml.DoubleQuotedStyle
	case json.Number:
		n.Tag, n.Value = "!!int", t.String()
		if bytes.ContainsAny([]byte(t), ".eE") {
			n.Tag = "!!float"
		}
	case bool:
		n.Tag, n.Value = "!!bool", strconv.FormatBool(t)
	default:
		n.Tag, n.Value = "!!null", "null"
	}
	return n, nil
}

// inside reads the rest of an object or array.
func (r *jsonReader) inside(n *yaml.Node, open json.Delim, depth int) error {
	n.Kind, n.Tag = yaml.SequenceNode, "!!seq"
	if open == '{' {
		n.Kind, n.Tag = yaml.MappingNode, "!!map"
	}
	for r.dec.More() {
		child, err := r.value(depth + 1)
		if err != nil {
			return err
		}
		n.Content = append(n.Content, child)
	}
	_, err := r.dec.Token()
	r.count(r.dec.InputOffset())
	return err
}
