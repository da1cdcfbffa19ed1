package scenario

import (
	"math"
	"reflect"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/ringtrue/ringtrue/internal/problem"
)

const (
	// maxAliased bounds by how many values a document may grow through YAML aliases.
	maxAliased = 20_000
	// maxNesting bounds how deep values may be nested, metadata included.
	maxNesting = 60
	// maxProblems is where a hopeless file is given up.
	maxProblems = 200
	// exact is the first whole number that a float64 may not hold exactly.
	exact = 1 << 53
)

// decoder fills the types of this package from a tree of nodes, whatever text
// it came from. It remembers on which line each path stands.
type decoder struct {
	checker
	lines map[string]int
	// budget is how many values may still be visited.
	budget int
	// lineless leaves the lines out, where the text is no file of the client's.
	lineless bool
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

// enter follows aliases, remembers the line and bounds the work; nil means: go no further.
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

// size is the number of nodes of a tree as it is written, aliases not followed.
func size(n *yaml.Node) int {
	total := 1
	for _, child := range n.Content {
		total += size(child)
	}
	return total
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
		d.value(value, join(path, key), field, depth+1)
	})
}

func (d *decoder) unknown(n *yaml.Node, path, key string, known []string) {
	d.fail(n, join(path, printable(key)), "is not a known key")
	d.fields[len(d.fields)-1].Suggestion = nearest(key, known)
}

// eachPair visits the pairs of an object and refuses a key that stands there twice.
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
			d.fail(n.Content[i], join(path, printable(k.Value)), "stands here twice; the first time on line %d", first)
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

func (d *decoder) mapValue(n *yaml.Node, path string, v reflect.Value, depth int) {
	if n.Kind != yaml.MappingNode {
		d.fail(n, path, "must be an object, not %s", kindOf(n))
		return
	}
	m := reflect.MakeMap(v.Type())
	d.eachPair(n, path, func(key string, _, value *yaml.Node) {
		here := join(path, printable(key))
		if v.Type().Elem().Kind() == reflect.String {
			if value = d.enter(value, here, depth+1); value == nil {
				return
			}
			if value.Kind != yaml.ScalarNode || isNull(value) {
				d.fail(value, here, "must be text or a number, not %s", kindOf(value))
				return
			}
			m.SetMapIndex(reflect.ValueOf(key), reflect.ValueOf(value.Value))
			return
		}
		element := reflect.New(v.Type().Elem()).Elem()
		if free := d.free(value, here, depth+1); free != nil {
			element.Set(reflect.ValueOf(free))
		}
		m.SetMapIndex(reflect.ValueOf(key), element)
	})
	v.Set(m)
}

// free decodes what may be anything: metadata and the arguments of a tool call.
// Numbers come out as float64, as they would from JSON.
func (d *decoder) free(n *yaml.Node, path string, depth int) any {
	if n = d.enter(n, path, depth); n == nil {
		return nil
	}
	switch n.Kind {
	case yaml.MappingNode:
		m := map[string]any{}
		d.eachPair(n, path, func(key string, _, value *yaml.Node) {
			m[key] = d.free(value, join(path, printable(key)), depth+1)
		})
		return m
	case yaml.SequenceNode:
		list := make([]any, len(n.Content))
		for i, element := range n.Content {
			list[i] = d.free(element, at(path, i), depth+1)
		}
		return list
	}
	return d.freeScalar(n, path)
}

func (d *decoder) freeScalar(n *yaml.Node, path string) any {
	switch n.ShortTag() {
	case "!!null":
		return nil
	case "!!bool":
		var b bool
		if n.Decode(&b) == nil {
			return b
		}
	case "!!int", "!!float":
		var f float64
		err := n.Decode(&f)
		switch {
		case err != nil || math.IsInf(f, 0) || math.IsNaN(f):
			d.fail(n, path, "is not a number that can be kept")
		case n.ShortTag() == "!!int" && math.Abs(f) >= exact:
			d.fail(n, path, "is too large to be kept exactly as a number; write it as text")
		}
		return f
	}
	return n.Value
}

func (d *decoder) scalarValue(n *yaml.Node, path string, v reflect.Value) {
	if n.Kind != yaml.ScalarNode {
		d.fail(n, path, "must be %s, not %s", nameOf(v.Kind()), kindOf(n))
		return
	}
	tag, ok := n.ShortTag(), true
	switch v.Kind() {
	case reflect.String:
		// A key such as 1234 to press or a date is meant as it is written.
		ok = tag != "!!binary" && (tag != "!!bool" || n.Style != 0)
		v.SetString(n.Value)
	case reflect.Int:
		var i int64
		ok = tag == "!!int" && n.Decode(&i) == nil && i >= math.MinInt32 && i <= math.MaxInt32
		v.SetInt(i)
	case reflect.Float64:
		var f float64
		ok = (tag == "!!int" || tag == "!!float") && n.Decode(&f) == nil && !math.IsInf(f, 0) && !math.IsNaN(f)
		v.SetFloat(f)
	case reflect.Bool:
		var b bool
		ok = tag == "!!bool" && n.Decode(&b) == nil
		v.SetBool(b)
	}
	if !ok {
		d.fail(n, path, "must be %s, not %s", nameOf(v.Kind()), kindOf(n))
	}
}

// stepValue decodes a step in its full form or in one of the short ones: the
// bare word of an action that needs no settings, or "say: text".
func (d *decoder) stepValue(n *yaml.Node, path string, v reflect.Value, depth int) {
	step := v.Addr().Interface().(*Step)
	if n.Kind == yaml.ScalarNode {
		d.shortStep(n, path, step)
		return
	}
	if n.Kind != yaml.MappingNode {
		d.fail(n, path, "must be a step, not %s", kindOf(n))
		return
	}
	known := keysOf(v.Type())
	var actions []string
	d.eachPair(n, path, func(key string, keyNode, value *yaml.Node) {
		field, ok := fieldOf(v, key)
		if !ok {
			d.unknown(keyNode, path, key, known)
			return
		}
		actions = append(actions, key)
		if isBareAction(value) && bareStep(step, key) {
			return
		}
		before := len(d.fields)
		d.value(value, join(path, key), field, depth+1)
		if field.IsZero() && len(d.fields) == before {
			d.fail(value, join(path, key), "is empty")
		}
	})
	if len(actions) > 1 {
		d.fail(n, path, "has %d actions (%s); a step has exactly one", len(actions), strings.Join(actions, ", "))
	}
}

func (d *decoder) shortStep(n *yaml.Node, path string, step *Step) {
	word := strings.TrimSpace(n.Value)
	if bareStep(step, word) {
		return
	}
	if text, ok := strings.CutPrefix(word, "say:"); ok && strings.TrimSpace(text) != "" {
		step.Say = strings.TrimSpace(text)
		return
	}
	d.fail(n, path, "is not a step; a bare word is wait_for_agent, repeat_if_misunderstood or hang_up")
	d.fields[len(d.fields)-1].Suggestion = nearest(word, []string{"wait_for_agent", "repeat_if_misunderstood", "hang_up"})
}

// isBareAction is true for the values of a step that say no more than its key: nothing, and true.
func isBareAction(n *yaml.Node) bool {
	return isNull(n) || (n.Kind == yaml.ScalarNode && n.ShortTag() == "!!bool" && n.Value == "true")
}

func bareStep(step *Step, word string) bool {
	switch word {
	case "wait_for_agent":
		step.WaitForAgent = &WaitForAgent{}
	case "repeat_if_misunderstood":
		step.RepeatIfMisunderstood = &Repeat{}
	case "hang_up":
		step.HangUp = true
	default:
		return false
	}
	return true
}

// settle adds what Validate finds to what decoding found, with lines. A place
// that could not be read is not blamed again for being incomplete.
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

// nearestLine is the line of the path, or of the closest thing around it.
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

func fieldOf(v reflect.Value, key string) (reflect.Value, bool) {
	for i := range v.NumField() {
		if tagOf(v.Type().Field(i)) == key {
			return v.Field(i), true
		}
	}
	return reflect.Value{}, false
}

func keysOf(t reflect.Type) []string {
	keys := make([]string, t.NumField())
	for i := range keys {
		keys[i] = tagOf(t.Field(i))
	}
	return keys
}

func tagOf(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name
}

func isNull(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null"
}

func kindOf(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "an object"
	case yaml.SequenceNode:
		return "a list"
	}
	switch n.ShortTag() {
	case "!!null":
		return "nothing"
	case "!!bool":
		return "true or false"
	case "!!int", "!!float":
		return "the number " + printable(n.Value)
	case "!!binary":
		return "binary data"
	}
	return "text"
}

func nameOf(k reflect.Kind) string {
	switch k {
	case reflect.Int:
		return "a whole number"
	case reflect.Float64:
		return "a number"
	case reflect.Bool:
		return "true or false"
	default:
		return "text"
	}
}

// printable is a client's word made fit to be shown in a message.
func printable(s string) string {
	if len(s) > 80 {
		s = strings.ToValidUTF8(s[:80], "") + "…"
	}
	quoted := strconv.Quote(s)
	if quoted[1:len(quoted)-1] == s {
		return s
	}
	return quoted
}
