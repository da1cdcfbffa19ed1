package scenario

import (
	"math"
	"reflect"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"
)

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
			m.SetMapIndex(reflect.ValueOf(key), reflect.ValueOf(textOf(value)))
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

// free decodes arbitrary values: metadata and the arguments of a tool call. Numbers become
// float64, as with JSON.
func (d *decoder) free(n *yaml.Node, path string, depth int) any {
	if n = d.enter(n, path, depth); n == nil {
		return nil
	}
	switch n.Kind { //nolint:exhaustive // what is neither is a scalar
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

// zeroPattern matches what is rather a code than a number, and that YAML may take for an octal one: 02134.
var zeroPattern = regexp.MustCompile(`^-?0[0-9]`)

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
			d.fail(n, path, "is not a number that can be stored")
		case strings.HasPrefix(n.Value, "+") || zeroPattern.MatchString(n.Value):
			d.fail(n, path, "would lose what it begins with as a number; write it as text")
		case math.Abs(f) >= exact:
			d.fail(n, path, "is too large to be stored exactly as a number; write it as text")
		}
		return f
	}
	return n.Value
}

func (d *decoder) scalarValue(n *yaml.Node, path string, v reflect.Value) {
	if n.Kind != yaml.ScalarNode || !setScalar(n, v) {
		d.fail(n, path, "must be %s, not %s", nameOf(v.Kind()), kindOf(n))
	}
}

// setScalar stores the scalar in v, which must be of one of the four scalar kinds used in
// items. It returns false if the value is of another type.
func setScalar(n *yaml.Node, v reflect.Value) (ok bool) {
	tag := n.ShortTag()
	switch v.Kind() { //nolint:exhaustive // items have no other kinds
	case reflect.String:
		// Digits to press such as 1234, or a date, are taken as written.
		ok = tag != "!!binary" && (tag != "!!bool" || n.Style != 0)
		v.SetString(textOf(n))
	case reflect.Int:
		f, number := numberOf(n) // 1500.0 and 1.5e3 are integers too
		ok = number && f == math.Trunc(f) && f >= math.MinInt32 && f <= math.MaxInt32
		v.SetInt(int64(f))
	case reflect.Float64:
		var f float64
		f, ok = numberOf(n)
		v.SetFloat(f)
	case reflect.Bool:
		var b bool
		ok = tag == "!!bool" && n.Decode(&b) == nil
		v.SetBool(b)
	}
	return ok
}

// numberOf returns the value of a scalar, and false if it is not a finite number that can be stored.
func numberOf(n *yaml.Node) (f float64, ok bool) {
	tag := n.ShortTag()
	ok = (tag == "!!int" || tag == "!!float") && n.Decode(&f) == nil && !math.IsInf(f, 0) && !math.IsNaN(f)
	return f, ok
}

// textOf returns the text of a scalar, without the line break that ends a YAML block.
func textOf(n *yaml.Node) string {
	if n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
		return strings.TrimRight(n.Value, "\n")
	}
	return n.Value
}
