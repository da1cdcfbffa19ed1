package scenario

import (
	"reflect"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

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
	switch n.Kind { //nolint:exhaustive // what is neither is a scalar
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

// clip shortens a client's text to fit in a message.
func clip(s string) string {
	if len(s) > 80 {
		s = strings.ToValidUTF8(s[:80], "") + "…"
	}
	return s
}

// printable makes a client's text fit to be shown in a message.
func printable(s string) string {
	s = clip(s)
	quoted := strconv.Quote(s)
	if s != "" && quoted[1:len(quoted)-1] == s {
		return s
	}
	return quoted
}
