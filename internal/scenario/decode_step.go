package scenario

import (
	"reflect"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/ringtrue/ringtrue/internal/problem"
)

// stepValue decodes a step in its full form or in a short form: only the name of an action that
// needs no settings, or "say: text".
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
	d.fields[len(d.fields)-1].Suggestion = problem.Nearest(word, []string{"wait_for_agent", "repeat_if_misunderstood", "hang_up"})
}

// isBareAction reports whether the value of an action adds nothing to its name: null or true.
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
