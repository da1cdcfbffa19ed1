package scenario

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/ringtrue/ringtrue/internal/problem"
)

// maxColumns bounds the number of columns of a CSV file.
const maxColumns = 200

// inputColumns returns the keys of input that may be column names without the prefix "input.".
func inputColumns() []string { return keysOf(reflect.TypeFor[Input]()) }

// column describes how the cells of a column are decoded.
type column struct {
	// keys is the path to the value, nil if the header was not understood.
	keys []string
	// kind is the kind of the value: strings are taken verbatim, numbers and booleans are
	// parsed as YAML does, everything else as YAML or JSON.
	kind reflect.Kind
	// phrases marks a list of strings: a cell holds either a single one, verbatim, or a list.
	phrases bool
	// say marks the column "say", which holds the caller's lines in order.
	say bool
}

// csvRows reads one item per row. The header row names the keys.
func (d *decoder) csvRows(data []byte) []Item {
	r := csv.NewReader(bytes.NewReader(data))
	r.FieldsPerRecord = -1
	if other := otherSeparator(data); other != "" {
		d.fields = append(d.fields, problem.Field{Path: "file", Line: 1, Message: "is separated by " + other + ", not by commas"})
		return nil
	}
	header, err := nextRow(r)
	if err != nil {
		d.csvError(err)
		return nil
	}
	columns := d.columns(header)
	list := &yaml.Node{Kind: yaml.SequenceNode, Line: 1}
	for len(d.fields) < maxProblems && len(list.Content) <= MaxItems {
		record, err := nextRow(r)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			d.csvError(err)
			break
		}
		path := at("items", len(list.Content))
		if len(record) > len(columns) {
			line, _ := r.FieldPos(len(columns))
			d.fields = append(d.fields, problem.Field{Path: path, Line: line, Message: "has more cells than the header has columns"})
			record = record[:len(columns)]
		}
		row := d.row(r, record, columns, path)
		if row == nil {
			return nil
		}
		list.Content = append(list.Content, row)
	}
	return d.items(list)
}

// nextRow returns the next row that is not empty, without trailing empty cells. Spreadsheets write
// empty rows and cells where something was deleted.
func nextRow(r *csv.Reader) ([]string, error) {
	for {
		record, err := r.Read()
		if err != nil {
			return nil, err
		}
		for len(record) > 0 && strings.TrimSpace(record[len(record)-1]) == "" {
			record = record[:len(record)-1]
		}
		if len(record) > 0 {
			return record, nil
		}
	}
}

// otherSeparator names the separator used instead of commas, as spreadsheets do in many
// locales; "" if there is none.
func otherSeparator(data []byte) string {
	byCommas := knownColumns(data, ',')
	for _, other := range []struct {
		mark rune
		name string
	}{{';', "semicolons"}, {'\t', "tabs"}, {'|', "vertical bars"}} {
		if knownColumns(data, other.mark) > byCommas {
			return other.name
		}
	}
	return ""
}

// knownColumns returns how many column names are recognised if the header is separated by mark.
func knownColumns(data []byte, mark rune) int {
	r := csv.NewReader(bytes.NewReader(data))
	r.Comma = mark
	header, _ := r.Read() // the error is reported by the caller
	known := 0
	for _, name := range header[:min(len(header), maxColumns)] {
		if _, ok, _ := columnOf(strings.TrimSpace(name)); ok {
			known++
		}
	}
	return known
}

func (d *decoder) csvError(err error) {
	f := problem.Field{Path: "file", Line: 1, Message: "is not valid CSV: " + err.Error()}
	var bad *csv.ParseError
	if errors.As(err, &bad) {
		f.Line, f.Message = bad.Line, "is not valid CSV: "+bad.Err.Error()
	}
	if errors.Is(err, io.EOF) {
		f.Message = "the file is empty"
	}
	d.fields = append(d.fields, f)
}

func (d *decoder) columns(header []string) []column {
	if len(header) > maxColumns {
		d.fields = append(d.fields, problem.Field{Path: "file", Line: 1, Message: "the header has too many columns"})
		header = header[:maxColumns]
	}
	columns := make([]column, len(header))
	var seen [][]string
	for i, name := range header {
		name = strings.TrimSpace(name)
		bad := problem.Field{Path: "header." + printable(name), Line: 1}
		c, ok, near := columnOf(name)
		switch {
		case !ok:
			bad.Message, bad.Suggestion = "is not a known column", near
			d.fields = append(d.fields, bad)
		case clashes(seen, c.keys):
			bad.Message = "appears twice, or next to another column for the same value"
			d.fields = append(d.fields, bad)
		default:
			columns[i] = c
			seen = append(seen, c.keys)
		}
	}
	return columns
}

// clashes reports whether the path keys equals, contains or lies within that of another column.
func clashes(seen [][]string, keys []string) bool {
	for _, s := range seen {
		n := min(len(s), len(keys))
		if slices.Equal(s[:n], keys[:n]) {
			return true
		}
	}
	return false
}

// columnOf interprets a column name such as "facts.name" or "output.say".
func columnOf(name string) (c column, ok bool, near string) {
	if name == "say" {
		return column{keys: []string{"input", "script"}, say: true}, true, ""
	}
	keys := strings.Split(name, ".")
	if slices.Contains(inputColumns(), keys[0]) {
		keys = append([]string{"input"}, keys...)
	}
	t := reflect.TypeFor[Item]()
	for i, key := range keys {
		switch t.Kind() {
		case reflect.Map:
			// The rest of the header is a single key, dots included.
			name := strings.Join(keys[i:], ".")
			return column{keys: append(keys[:i:i], name), kind: reflect.String}, name != "", ""
		case reflect.Struct:
			v := reflect.New(t).Elem()
			field, found := fieldOf(v, key)
			if !found {
				known := keysOf(t)
				if i == 0 {
					known = append(append(known, inputColumns()...), "say")
				}
				return column{}, false, problem.Nearest(key, known)
			}
			t = field.Type()
		default:
			return column{}, false, ""
		}
	}
	phrases := t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.String
	return column{keys: keys, kind: t.Kind(), phrases: phrases}, true, ""
}

// row builds the tree of one item, nil if the file has too many values. An empty cell is treated as an absent key.
func (d *decoder) row(r *csv.Reader, record []string, columns []column, path string) *yaml.Node {
	line, _ := r.FieldPos(0)
	root := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Line: line}
	for i, cell := range record {
		c := columns[i]
		if c.keys == nil || strings.TrimSpace(cell) == "" {
			continue
		}
		line, _ := r.FieldPos(i)
		value, bad := c.cell(cell)
		if bad != nil {
			d.fields = append(d.fields, problem.Field{
				Path: join(path, strings.Join(c.keys, ".")), Line: line + bad.line - 1, Message: bad.message,
			})
			continue
		}
		if !d.holds(value, line) {
			return nil
		}
		moveDown(value, line-1)
		place(root, c.keys, value)
	}
	return root
}

// cell parses the text of a cell into a tree. Lines are numbered from 1 within the cell.
func (c column) cell(text string) (*yaml.Node, *syntax) {
	if c.say {
		return sayCell(text), nil
	}
	switch {
	case c.kind == reflect.String:
		return textNode(text), nil
	case c.phrases && !isList(text):
		return listNode(textNode(strings.TrimSpace(text))), nil
	}
	n, bad := yamlTree([]byte(text))
	if bad != nil {
		return nil, bad
	}
	if hasAlias(n) {
		return nil, &syntax{n.Line, "a cell cannot hold an alias"}
	}
	if c.kind == reflect.Slice && n.Kind == yaml.ScalarNode {
		return listNode(n), nil
	}
	return n, nil
}

// isList distinguishes a list in YAML or JSON from a phrase, which may contain characters that are
// special in YAML: a colon, a number sign, braces.
func isList(text string) bool {
	text = strings.TrimSpace(text)
	return strings.HasPrefix(text, "[") || strings.HasPrefix(text, "- ")
}

func textNode(text string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: text, Style: yaml.DoubleQuotedStyle, Line: 1}
}

func listNode(only *yaml.Node) *yaml.Node {
	return &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq", Line: only.Line, Content: []*yaml.Node{only}}
}

func hasAlias(n *yaml.Node) bool {
	if n.Kind == yaml.AliasNode {
		return true
	}
	return slices.ContainsFunc(n.Content, hasAlias)
}

// sayCell makes a script of the lines separated by "|": the caller waits for the agent before
// each line and after the last one, then hangs up.
func sayCell(text string) *yaml.Node {
	script := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq", Line: 1}
	for line := range strings.SplitSeq(text, "|") {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		say := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Line: 1, Content: []*yaml.Node{textNode("say"), textNode(line)}}
		script.Content = append(script.Content, textNode("wait_for_agent"), say)
	}
	script.Content = append(script.Content, textNode("wait_for_agent"), textNode("hang_up"))
	return script
}

// place sets the value at the path keys, creating objects on the way.
func place(n *yaml.Node, keys []string, value *yaml.Node) {
	for i, key := range keys {
		child := find(n, key)
		if i == len(keys)-1 || child == nil {
			next := value
			if i < len(keys)-1 {
				next = &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Line: value.Line}
			}
			k := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: key, Line: value.Line}
			n.Content = append(n.Content, k, next)
			child = next
		}
		n = child
	}
}

func find(n *yaml.Node, key string) *yaml.Node {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return nil
}
