package scenario

import (
	"math"
	"reflect"
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

// free decodes what may be anything: metadata and the arguments of a tool call.
// Numbers come out as float64, as they would from JSON.
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
	if n.Kind != yaml.ScalarNode || !setScalar(n, v) {
		d.fail(n, path, "must be %s, not %s", nameOf(v.Kind()), kindOf(n))
	}
}

// setScalar writes the scalar into v, which is of one of the four kinds that
// items are made of; ok is false when it is of another.
func setScalar(n *yaml.Node, v reflect.Value) (ok bool) {
	tag := n.ShortTag()
	switch v.Kind() { //nolint:exhaustive // items have no other kinds
	case reflect.String:
		// A key such as 1234 to press or a date is meant as it is written.
		ok = tag != "!!binary" && (tag != "!!bool" || n.Style != 0)
		v.SetString(textOf(n))
	case reflect.Int:
		f, number := numberOf(n) // 1500.0 and 1.5e3 are whole numbers too
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

// numberOf is the number that a scalar is; ok is false when it is none that can be kept.
func numberOf(n *yaml.Node) (f float64, ok bool) {
	tag := n.ShortTag()
	ok = (tag == "!!int" || tag == "!!float") && n.Decode(&f) == nil && !math.IsInf(f, 0) && !math.IsNaN(f)
	return f, ok
}

// textOf is the text of a scalar; the line break that ends a YAML block is not part of it.
func textOf(n *yaml.Node) string {
	if n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
		return strings.TrimRight(n.Value, "\n")
	}
	return n.Value
}
