package scenario

import (
	"bytes"
	"reflect"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/ringtrue/ringtrue/internal/problem"
)

// Format is a file format for items.
type Format string

// The supported formats.
const (
	JSON  Format = "json"
	JSONL Format = "jsonl"
	YAML  Format = "yaml"
	CSV   Format = "csv"
)

// maxFile is how many bytes a file of items may have.
const maxFile = 16 << 20

// File is the content of a file of items.
type File struct {
	Name        string
	Description string
	Items       []Item
}

// ParseItems parses items. On failure it reports every problem of the file, each with its line
// and path, and returns no items.
func ParseItems(data []byte, format Format) ([]Item, *problem.Error) {
	f, err := ParseFile(data, format)
	return f.Items, err
}

// ParseFile is like ParseItems, and also returns the name and description that a JSON or YAML
// file may hold beside its items.
func ParseFile(data []byte, format Format) (File, *problem.Error) {
	if len(data) > maxFile {
		return File{}, problem.New(problem.TooLarge, "the file has %d bytes; at most %d are allowed", len(data), maxFile)
	}
	if !utf8.Valid(data) {
		return File{}, problem.Invalid(problem.Field{Path: "file", Line: lineOfInvalid(data), Message: "is not valid UTF-8"})
	}
	d := newDecoder()
	f := File{}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	switch format {
	case JSON:
		f = d.document(data, jsonTree)
	case YAML:
		f = d.document(data, yamlTree)
	case JSONL:
		f.Items = d.jsonLines(data)
	case CSV:
		f.Items = d.csvRows(data)
	default:
		return File{}, problem.New(problem.UnsupportedType, "%q is not a supported format", format).
			WithHint("use json, jsonl, yaml or csv")
	}
	if len(d.fields) == 0 && len(f.Items) == 0 {
		d.fields = append(d.fields, problem.Field{Path: "items", Line: 1, Message: "the file holds no items"})
	}
	if len(d.fields) >= maxProblems {
		d.fields = append(d.fields[:maxProblems:maxProblems],
			problem.Field{Path: "file", Message: "may have more problems; these are the first ones"})
	}
	if len(d.fields) > 0 {
		return File{}, problem.Invalid(d.fields...)
	}
	return f, nil
}

// lineOfInvalid returns the line of the first byte that is not valid UTF-8.
func lineOfInvalid(data []byte) int {
	line := 1
	for len(data) > 0 {
		r, n := utf8.DecodeRune(data)
		if r == utf8.RuneError && n == 1 {
			break
		}
		if r == '\n' {
			line++
		}
		data = data[n:]
	}
	return line
}

// DecodeItem decodes one item from JSON and returns every problem with it. path, if not empty,
// is prepended to the path of each problem.
func DecodeItem(data []byte, path string) (Item, []problem.Field) {
	d := newDecoder()
	d.lineless = true
	var it Item
	if len(data) > maxFile || !utf8.Valid(data) {
		d.add(path, "is not valid UTF-8, or has more than %d bytes", maxFile)
		return it, d.fields
	}
	root, err := jsonTree(data)
	if err != nil {
		d.add(path, "%s", err.message)
		return it, d.fields
	}
	d.budget = size(root)
	it = d.item(root, path)
	if len(d.fields) > 0 {
		return Item{}, d.fields[:min(len(d.fields), maxProblems)]
	}
	return it, nil
}

// item decodes and validates one item.
func (d *decoder) item(n *yaml.Node, path string) Item {
	var it Item
	outer := d.fields
	d.fields = nil
	if isNull(n) {
		d.fail(n, path, "is empty")
	} else {
		d.value(n, path, reflect.ValueOf(&it).Elem(), 0)
	}
	if len(outer)+len(d.fields) < maxProblems {
		d.settle(it.Validate(path))
	}
	d.fields = append(outer, d.fields...)
	return it
}

// document reads a list of items, or an object with a list "items".
func (d *decoder) document(data []byte, tree func([]byte) (*yaml.Node, *syntax)) File {
	root, bad := tree(data)
	if bad != nil {
		d.fields = append(d.fields, problem.Field{Path: "file", Line: bad.line, Message: bad.message})
		return File{}
	}
	var f File
	d.budget = maxAliased
	switch root.Kind {
	case yaml.SequenceNode:
		f.Items = d.items(root)
	case yaml.MappingNode:
		f = d.wrapped(root)
	default:
		d.fail(root, "file", "must be a list of items, or an object with the key \"items\"")
	}
	return f
}

func (d *decoder) wrapped(root *yaml.Node) File {
	var f File
	found := false
	d.eachPair(root, "", func(key string, keyNode, value *yaml.Node) {
		switch key {
		case "name":
			d.value(value, key, reflect.ValueOf(&f.Name).Elem(), 0)
		case "description":
			d.value(value, key, reflect.ValueOf(&f.Description).Elem(), 0)
		case "items":
			found = true
			if value.Kind != yaml.SequenceNode {
				d.fail(value, "items", "must be a list, not %s", kindOf(value))
				return
			}
			f.Items = d.items(value)
		default:
			d.unknown(keyNode, "", key, []string{"name", "description", "items"})
		}
	})
	if !found && len(d.fields) == 0 {
		d.fail(root, "items", "is missing")
	}
	if f.Name != "" {
		d.settle(Dataset{Name: f.Name, Description: f.Description}.Validate(""))
	}
	return f
}

func (d *decoder) items(list *yaml.Node) []Item {
	d.budget = size(list) + maxAliased
	if len(list.Content) > MaxItems {
		d.fail(list, "items", "holds %d items; at most %d are allowed", len(list.Content), MaxItems)
		return nil
	}
	items := make([]Item, 0, len(list.Content))
	keys := map[string]int{}
	for i, n := range list.Content {
		if len(d.fields) >= maxProblems {
			break
		}
		if n.Kind == 0 {
			continue // a line that is not JSON, which jsonLines has reported
		}
		path := at("items", i)
		it := d.item(n, path)
		d.uniqueKey(n, path, it.Key, i, keys)
		items = append(items, it)
		clear(d.lines)
	}
	return items
}

// uniqueKey rejects a key that another item of the file has.
func (d *decoder) uniqueKey(n *yaml.Node, path, key string, index int, keys map[string]int) {
	if key == "" || len(d.fields) >= maxProblems {
		return
	}
	if first, twice := keys[key]; twice {
		d.fail(n, join(path, "key"), "is also the key of items[%d]", first)
		if line, ok := d.lines[join(path, "key")]; ok {
			d.fields[len(d.fields)-1].Line = line
		}
		return
	}
	keys[key] = index
}

// jsonLines reads one item per line and skips empty lines.
func (d *decoder) jsonLines(data []byte) []Item {
	list := &yaml.Node{Kind: yaml.SequenceNode, Line: 1}
	i := -1
	for line := range bytes.SplitSeq(data, []byte("\n")) {
		i++
		if len(d.fields) >= maxProblems || len(list.Content) > MaxItems {
			break
		}
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		n, bad := jsonTree(line)
		switch {
		case bad != nil:
			d.fields = append(d.fields, problem.Field{Path: at("items", len(list.Content)), Line: i + 1, Message: bad.message})
			n = &yaml.Node{} // keeps its place, so that the items after it are numbered as they are in the file
		case !d.holds(n, i+1):
			return nil
		default:
			moveDown(n, i)
		}
		list.Content = append(list.Content, n)
	}
	return d.items(list)
}
