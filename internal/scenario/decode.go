package scenario

import (
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/ringtrue/ringtrue/internal/problem"
)

const (
	// maxAliased bounds how many values YAML aliases may add to a document.
	maxAliased = 20_000
	// maxNesting bounds how deep values may be nested, metadata included.
	maxNesting = 60
	// maxProblems is the number of problems after which a file is given up.
	maxProblems = 200
	// exact is the limit up to which float64 represents every integer exactly.
	exact = 1 << 53
)

// decoder decodes a tree of nodes, whatever format it was parsed from, into the types of this
// package. It remembers the line of each path.
type decoder struct {
	checker
	lines map[string]int
	// budget is how many more values may be visited.
	budget int
	// lineless omits line numbers, for text that is not a client's file.
	lineless bool
	// held is how many values the pieces of a file hold that have been read, where each is a tree of its own.
	held int
}

func newDecoder() *decoder { return &decoder{lines: map[string]int{}} }

func (d *decoder) fail(n *yaml.Node, path, format string, args ...any) {
	d.add(path, format, args...)
	d.fields[len(d.fields)-1].Line = d.lineOf(n)
}

func (d *decoder) lineOf(n *yaml.Node) int {
	if d.lineless {
		return 0
	}
	return n.Line
}

// enter resolves aliases, records the line and bounds the work. It returns nil if decoding must not go on.
func (d *decoder) enter(n *yaml.Node, path string, depth int) *yaml.Node {
	if d.budget--; d.budget < 0 || len(d.fields) >= maxProblems {
		if d.budget == -1 {
			d.fail(n, path, "aliases make the document more than %d values larger than it is", maxAliased)
		}
		return nil
	}
	if !d.lineless {
		d.lines[path] = n.Line
	}
	if depth > maxNesting {
		d.fail(n, path, "is nested more than %d deep", maxNesting)
		return nil
	}
	for n.Kind == yaml.AliasNode && n.Alias != nil {
		n = n.Alias
	}
	return n
}

// size returns the number of nodes of a tree as written, without following aliases.
func size(n *yaml.Node) int {
	total := 1
	for _, child := range n.Content {
		total += size(child)
	}
	return total
}

// holds counts the values of a piece of a file. It returns false if the file has too many.
func (d *decoder) holds(piece *yaml.Node, line int) bool {
	if d.held += size(piece); d.held <= maxValues {
		return true
	}
	d.fields = append(d.fields, problem.Field{Path: "file", Line: line, Message: tooMany})
	return false
}

// value decodes a node into v. A null leaves v as it is.
func (d *decoder) value(n *yaml.Node, path string, v reflect.Value, depth int) {
	if n = d.enter(n, path, depth); n == nil || isNull(n) {
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		d.value(n, path, v.Elem(), depth)
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[Step]() {
			d.stepValue(n, path, v, depth)
			return
		}
		d.structValue(n, path, v, depth)
	case reflect.Slice:
		d.sliceValue(n, path, v, depth)
	case reflect.Map:
		d.mapValue(n, path, v, depth)
	default:
		d.scalarValue(n, path, v)
	}
}

func (d *decoder) structValue(n *yaml.Node, path string, v reflect.Value, depth int) {
	if n.Kind != yaml.MappingNode {
		d.fail(n, path, "must be an object, not %s", kindOf(n))
		return
	}
	known := keysOf(v.Type())
	d.eachPair(n, path, func(key string, keyNode, value *yaml.Node) {
		field, ok := fieldOf(v, key)
		if !ok {
			d.unknown(keyNode, path, key, known)
			return
		}
		before := len(d.fields)
		d.value(value, join(path, key), field, depth+1)
		if field.IsZero() && !isNull(value) && len(d.fields) == before {
			d.zero(value, path, key, v.Type())
		}
	})
}

// zero rejects a value of 0 where 0 is stored like an absent value and would therefore mean no bound (so
// that "no overlap" was never checked) or the default (so that "do not wait" was a wait of 20 s).
func (d *decoder) zero(n *yaml.Node, path, key string, in reflect.Type) {
	switch in {
	case reflect.TypeFor[Timing]():
		if key != "duration_min_ms" {
			d.fail(n, join(path, key), "must be between 1 and %d, not 0; leave it out for no limit", maxDuration)
		}
	case reflect.TypeFor[Limits](), reflect.TypeFor[WaitForAgent]():
		d.fail(n, join(path, key), "must not be 0; leave it out for the default")
	case reflect.TypeFor[WaitForWords](), reflect.TypeFor[Repeat](), reflect.TypeFor[Persona]():
		if slices.Contains([]string{"timeout_ms", "times", "pitch", "pace", "patience_ms"}, key) {
			d.fail(n, join(path, key), "must not be 0; leave it out for the default")
		}
	}
}

func (d *decoder) unknown(n *yaml.Node, path, key string, known []string) {
	d.fail(n, join(path, printable(key)), "is not a known key")
	d.fields[len(d.fields)-1].Suggestion = problem.Nearest(key, known)
}

// eachPair visits the pairs of an object and rejects duplicate keys.
func (d *decoder) eachPair(n *yaml.Node, path string, visit func(key string, keyNode, value *yaml.Node)) {
	seen := make(map[string]int, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		k := n.Content[i]
		if k.Kind == yaml.AliasNode && k.Alias != nil {
			k = k.Alias
		}
		if k.Kind != yaml.ScalarNode {
			d.fail(n.Content[i], path, "has a key that is not a word")
			continue
		}
		if k.Tag == "!!merge" {
			d.fail(n.Content[i], join(path, "<<"), "merge keys are not supported; write the keys out or use an alias for the whole value")
			continue
		}
		if first, twice := seen[k.Value]; twice {
			d.fail(n.Content[i], join(path, printable(k.Value)), "appears twice; the first time on line %d", first)
			continue
		}
		seen[k.Value] = n.Content[i].Line
		visit(k.Value, n.Content[i], n.Content[i+1])
	}
}

func (d *decoder) sliceValue(n *yaml.Node, path string, v reflect.Value, depth int) {
	if n.Kind != yaml.SequenceNode {
		d.fail(n, path, "must be a list, not %s", kindOf(n))
		return
	}
	list := reflect.MakeSlice(v.Type(), len(n.Content), len(n.Content))
	for i, element := range n.Content {
		if isNull(element) {
			d.fail(element, at(path, i), "is empty")
			continue
		}
		d.value(element, at(path, i), list.Index(i), depth+1)
	}
	v.Set(list)
}

// settle adds the problems found by Validate, with their lines. A value that could not be
// decoded is not also reported as missing.
func (d *decoder) settle(found []problem.Field) {
	broken := d.fields
	for _, f := range found {
		spoilt := false
		for _, b := range broken {
			spoilt = spoilt || within(b.Path, f.Path) || within(f.Path, b.Path)
		}
		if !spoilt && len(d.fields) < maxProblems {
			f.Line = d.nearestLine(f.Path)
			d.fields = append(d.fields, f)
		}
	}
}

// within reports whether path lies at or below root.
func within(path, root string) bool {
	rest, ok := strings.CutPrefix(path, root)
	return ok && (rest == "" || root == "" || rest[0] == '.' || rest[0] == '[')
}

// nearestLine returns the line of the path, or of the closest value around it.
func (d *decoder) nearestLine(path string) int {
	for {
		if line, ok := d.lines[path]; ok {
			return line
		}
		cut := strings.LastIndexAny(path, ".[")
		if cut < 0 {
			return d.lines[""]
		}
		path = path[:cut]
	}
}
