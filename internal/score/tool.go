package score

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/score/phrase"
)

// toolParams are the settings of tool_called.
type toolParams struct {
	Name      string         `json:"name"`
	Arguments map[string]any `json:"arguments,omitempty"`
	Never     bool           `json:"never,omitempty"`
}

// tool checks that the agent called a function.
type tool struct {
	mark Mark
	want toolParams
}

func buildTool(params json.RawMessage, m Mark, _ Deps) (Scorer, *problem.Error) {
	var p toolParams
	if e := decode(params, &p); e != nil {
		return nil, e
	}
	if p.Name == "" || utf8.RuneCountInString(p.Name) > 200 {
		return nil, invalid("params.name", "the name of a tool of 1 to 200 characters is needed")
	}
	return tool{mark: m, want: p}, nil
}

// Score implements Scorer.
func (t tool) Score(_ context.Context, in *Input) call.Score {
	if !in.HasRecord {
		return noRecord(t.mark, in, "whether the tool "+quoted(t.want.Name)+" was called")
	}
	var others []call.ToolCall
	for _, c := range in.ToolCalls {
		if c.Name != t.want.Name {
			continue
		}
		if len(differences(t.want.Arguments, c.Arguments)) == 0 {
			return t.found(in, c)
		}
		others = append(others, c)
	}
	return t.missing(in, others)
}

func (t tool) found(in *Input, c call.ToolCall) call.Score {
	e := toolEvidence(in, c)
	if t.want.Never {
		return t.mark.Score(call.NotPassed, fmt.Sprintf("The agent called %s%s, which it must not do.", shown(c), when(c)), e)
	}
	return t.mark.Score(call.Passed, fmt.Sprintf("The agent called %s%s.", shown(c), when(c)), e)
}

func (t tool) missing(in *Input, others []call.ToolCall) call.Score {
	wanted := quoted(t.want.Name)
	if len(t.want.Arguments) > 0 {
		wanted += " with " + shortJSON(t.want.Arguments)
	}
	switch {
	case t.want.Never:
		return t.mark.Score(call.Passed, fmt.Sprintf("The agent did not call the tool %s, according to its own record of the call.", wanted))
	case len(others) > 0:
		c := others[0]
		return t.mark.Score(call.NotPassed, fmt.Sprintf("The agent should have called the tool %s, but called %s%s: %s.",
			wanted, shown(c), when(c), strings.Join(differences(t.want.Arguments, c.Arguments), "; ")), toolEvidence(in, c))
	case len(in.ToolCalls) == 0:
		return t.mark.Score(call.NotPassed, fmt.Sprintf("The agent should have called the tool %s, but its own record of the call has no tool calls.", wanted))
	}
	var names []string
	for _, c := range in.ToolCalls[:min(len(in.ToolCalls), 5)] {
		names = append(names, quoted(clip(c.Name, 60)))
	}
	return t.mark.Score(call.NotPassed, fmt.Sprintf("The agent should have called the tool %s, but its own record of the call has only %s.",
		wanted, strings.Join(names, ", ")))
}

// noRecord is the score when the agent's own record is missing, for now or for
// ever.
func noRecord(m Mark, in *Input, question string) call.Score {
	s := m.Score(call.NotEvaluated, "The agent sent no record of this call, so it is not known "+question+".")
	if in.MayStillCome {
		s.Reason = "The agent's own record of this call has not arrived yet, so it is not yet known " + question + "."
		s.Waits = true
	}
	return s
}

func toolEvidence(in *Input, c call.ToolCall) call.Evidence {
	e := call.Evidence{Turn: -1, Start: c.At, End: c.At, Quote: shown(c)}
	if c.At < 0 {
		return e
	}
	for _, t := range in.Heard.Turns {
		if t.Start >= 0 && t.Start <= c.At {
			e.Turn = t.Index
		}
	}
	return e
}

func when(c call.ToolCall) string {
	if c.At < 0 {
		return ""
	}
	return " at " + call.Clock(c.At)
}

func shown(c call.ToolCall) string {
	arguments := "{}"
	var compact bytes.Buffer
	if json.Compact(&compact, c.Arguments) == nil && compact.Len() > 0 {
		arguments = compact.String()
	}
	return clip(c.Name, 100) + "(" + clip(arguments, 300) + ")"
}

func shortJSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return "these arguments"
	}
	return clip(string(b), 300)
}

// differences lists how the arguments of a call differ from those wanted; nil
// means that every wanted value is there.
func differences(want map[string]any, got json.RawMessage) []string {
	if len(want) == 0 {
		return nil
	}
	have := map[string]any{}
	d := json.NewDecoder(bytes.NewReader(got))
	d.UseNumber()
	if err := d.Decode(&have); err != nil {
		return []string{"its arguments are not a JSON object"}
	}
	return subset("", want, have)
}

func subset(path string, want, have map[string]any) []string {
	keys := make([]string, 0, len(want))
	for k := range want {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	var out []string
	for _, k := range keys {
		there, ok := have[k]
		if !ok {
			out = append(out, clip(path+k, 60)+" is missing")
			continue
		}
		out = append(out, difference(path+k, want[k], there)...)
	}
	return out
}

func difference(path string, want, have any) []string {
	if w, ok := want.(map[string]any); ok {
		if h, ok := have.(map[string]any); ok {
			return subset(path+".", w, h)
		}
	}
	if equalValue(want, have) {
		return nil
	}
	return []string{fmt.Sprintf("%s is %s, not %s", clip(path, 60), clip(shortJSON(have), 80), clip(shortJSON(want), 80))}
}

// equalValue compares JSON values: numbers by value (1 equals 1.0), texts
// ignoring case and surrounding spaces, lists element by element, objects by the keys of a.
func equalValue(a, b any) bool {
	if x, ok := rational(a); ok {
		y, ok := rational(b)
		return ok && x.Cmp(y) == 0
	}
	switch x := a.(type) {
	case string:
		y, ok := b.(string)
		return ok && strings.EqualFold(phrase.Composed(strings.TrimSpace(x)), phrase.Composed(strings.TrimSpace(y)))
	case []any:
		return equalList(x, b)
	case map[string]any:
		y, ok := b.(map[string]any)
		return ok && len(subset("", x, y)) == 0
	}
	return a == b
}

func equalList(a []any, b any) bool {
	y, ok := b.([]any)
	if !ok || len(a) != len(y) {
		return false
	}
	for i := range a {
		if !equalValue(a[i], y[i]) {
			return false
		}
	}
	return true
}

// rational parses a number exactly; it refuses absurd exponents.
func rational(v any) (*big.Rat, bool) {
	var text string
	switch n := v.(type) {
	case json.Number:
		text = n.String()
	case float64, int, int64, uint64, float32, int32:
		text = fmt.Sprint(n)
	default:
		return nil, false
	}
	if i := strings.IndexAny(text, "eE"); i >= 0 && len(text)-i > 4 || len(text) > 60 {
		return nil, false
	}
	return new(big.Rat).SetString(text)
}
