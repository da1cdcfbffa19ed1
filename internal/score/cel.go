package score

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/google/cel-go/cel"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/score/phrase"
)

// The limits of an expression: its length in bytes and its cost in CEL's units.
const (
	maxExpression  = 2000
	expressionCost = 1_000_000
)

// celParams are the settings of cel.
type celParams struct {
	Expression string `json:"expression"`
}

// expression checks a call with a compiled CEL expression.
type expression struct {
	mark    Mark
	text    string
	program cel.Program
	// names are the names of the call that the expression uses.
	names []string
}

func buildCEL(params json.RawMessage, m Mark, _ Deps) (Scorer, *problem.Error) {
	var p celParams
	if e := decode(params, &p); e != nil {
		return nil, e
	}
	if strings.TrimSpace(p.Expression) == "" || len(p.Expression) > maxExpression {
		return nil, invalid("params.expression", "the expression must have 1 to 2000 bytes")
	}
	env, err := callEnv()
	if err != nil {
		return nil, problem.New(problem.Internal, "the expression language cannot be set up").Because(err)
	}
	ast, issues := env.Compile(phrase.Composed(p.Expression))
	if issues.Err() != nil {
		if e := unknownName(env, p.Expression, issues); e != nil {
			return nil, e
		}
		return nil, invalid("params.expression", "the expression does not compile: "+clip(firstLine(issues.Err().Error()), 300)).
			WithHint(celNames)
	}
	if ast.OutputType() != cel.BoolType {
		return nil, invalid("params.expression", "the expression gives "+ast.OutputType().String()+", not true or false")
	}
	program, err := env.Program(ast, cel.CostLimit(expressionCost), cel.InterruptCheckFrequency(100))
	if err != nil {
		return nil, invalid("params.expression", "the expression cannot be run: "+clip(firstLine(err.Error()), 300))
	}
	return expression{mark: m, text: p.Expression, program: program, names: namesIn(ast)}, nil
}

// callEnv declares every name of a call. Names are declared whole
// ("call.turn_latency.p95"), so that unknown ones are reported at compile time.
var callEnv = sync.OnceValues(newCallEnv) //nolint:gochecknoglobals // made once

func newCallEnv() (*cel.Env, error) {
	options := append(boundedMatches(),
		cel.CrossTypeNumericComparisons(true),
		cel.Variable("call.turns", cel.IntType),
		cel.Variable("call.agent_turns", cel.IntType),
		cel.Variable("call.caller_turns", cel.IntType),
		cel.Variable("call.duration", cel.DoubleType),
		cel.Variable("call.end_reason", cel.StringType),
		cel.Variable("call.end_blame", cel.StringType),
		cel.Variable("call.agent_text", cel.StringType),
		cel.Variable("call.caller_text", cel.StringType),
		cel.Variable("call.script_done", cel.BoolType),
		cel.Variable("call.goal_reached", cel.BoolType),
		cel.Variable("call.tool_calls", cel.ListType(cel.MapType(cel.StringType, cel.DynType))),
	)
	for _, m := range Metrics() {
		if !m.Spread {
			options = append(options, cel.Variable("call."+m.Name, cel.DoubleType))
			continue
		}
		for _, s := range stats() {
			options = append(options, cel.Variable("call."+m.Name+"."+s, cel.DoubleType))
		}
		options = append(options, cel.Variable("call."+m.Name+".values", cel.ListType(cel.DoubleType)))
	}
	return cel.NewCustomEnv(options...)
}

// Score implements Scorer.
func (x expression) Score(ctx context.Context, in *Input) call.Score {
	values, why := x.values(in)
	if _, missing := why["call.tool_calls"]; missing {
		return noRecord(x.mark, in, "whether the expression "+quoted(x.text)+" is true")
	}
	out, _, err := x.program.ContextEval(ctx, values)
	if err != nil {
		return x.failed(err, why)
	}
	holds, ok := out.Value().(bool)
	switch {
	case !ok:
		return x.mark.Score(call.NotEvaluated, fmt.Sprintf("The expression %s gave neither true nor false.", quoted(x.text)))
	case holds:
		return x.mark.Score(call.Passed, fmt.Sprintf("The expression %s is true%s.", quoted(x.text), x.figures(values)))
	}
	if slices.Contains(x.names, "call.agent_text") {
		if why := unheard(in, call.Agent); why != "" {
			return x.mark.Score(call.NotEvaluated, fmt.Sprintf("It is not certain whether the expression %s is true: %s", quoted(x.text), why))
		}
	}
	return x.mark.Score(call.NotPassed, fmt.Sprintf("The expression %s is false%s.", quoted(x.text), x.figures(values)))
}

func (x expression) failed(err error, why map[string]string) call.Score {
	for _, n := range x.names {
		if reason, missing := why[n]; missing {
			return x.mark.Score(call.NotEvaluated, fmt.Sprintf("The expression %s could not be evaluated, because %s has no value: %s", quoted(x.text), n, reason))
		}
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return x.mark.Score(call.NotEvaluated, fmt.Sprintf("The expression %s was not evaluated, because the review was stopped.", quoted(x.text)))
	}
	return x.mark.Score(call.NotEvaluated, fmt.Sprintf("The expression %s could not be evaluated: %s.", quoted(x.text), clip(firstLine(err.Error()), 200)))
}

// values returns the values of the expression's names, and for each missing one the
// reason.
func (x expression) values(in *Input) (values map[string]any, why map[string]string) {
	values, why = map[string]any{}, map[string]string{}
	for _, name := range x.names {
		if v, ok := plainValue(in, name); ok {
			values[name] = v
			continue
		}
		switch name {
		case "call.tool_calls":
			why[name] = "the agent sent no record of the call."
			continue
		case "call.script_done", "call.goal_reached":
			why[name] = "a production call has no script and no goal."
			continue
		}
		if v, reason := metricValue(in, name); reason == "" {
			values[name] = v
		} else {
			why[name] = reason
		}
	}
	return values, why
}

func plainValue(in *Input, name string) (any, bool) {
	switch name {
	case "call.turns":
		return int64(len(in.Heard.Turns)), true
	case "call.agent_turns":
		return turnsOf(in, call.Agent), true
	case "call.caller_turns":
		return turnsOf(in, call.Caller), true
	case "call.duration":
		return in.Call.Duration().Seconds(), true
	case "call.end_reason":
		return string(in.Call.EndReason.Code), true
	case "call.end_blame":
		return string(in.Call.EndReason.Blame), true
	case "call.agent_text":
		return textOf(in, call.Agent), true
	case "call.caller_text":
		return textOf(in, call.Caller), true
	case "call.script_done":
		return happened(in, call.KindScriptDone), in.Call.Origin != call.Production
	case "call.goal_reached":
		return happened(in, call.KindGoalReached), in.Call.Origin != call.Production
	case "call.tool_calls":
		return toolValues(in), in.HasRecord
	}
	return nil, false
}

func metricValue(in *Input, name string) (any, string) {
	metric, stat, _ := strings.Cut(strings.TrimPrefix(name, "call."), ".")
	if stat == "values" {
		for _, m := range in.Metrics {
			if m.Name == metric && m.Spread != nil {
				return m.Spread.Values, ""
			}
		}
		stat = "n"
	}
	v, _, reason := figure(in.Metrics, metric, stat)
	return v, reason
}

func toolValues(in *Input) []map[string]any {
	out := make([]map[string]any, 0, len(in.ToolCalls))
	for _, c := range in.ToolCalls {
		var arguments any = map[string]any{}
		if json.Unmarshal(c.Arguments, &arguments) != nil {
			arguments = map[string]any{}
		}
		values := map[string]any{"name": c.Name, "arguments": arguments, "result": c.Result}
		if c.At >= 0 {
			values["at"] = c.At.Seconds()
		}
		out = append(out, values)
	}
	return out
}

func turnsOf(in *Input, who call.Speaker) int64 {
	n := int64(0)
	for _, t := range in.Heard.Turns {
		if t.Own(who) {
			n++
		}
	}
	return n
}

func textOf(in *Input, who call.Speaker) string {
	var parts []string
	for _, t := range in.Heard.Turns {
		if t.Own(who) {
			parts = append(parts, t.Text)
		}
	}
	return phrase.Composed(strings.Join(parts, "\n"))
}

// figures formats the numbers that the expression used.
func (x expression) figures(values map[string]any) string {
	var parts []string
	for _, n := range x.names {
		switch v := values[n].(type) {
		case float64:
			parts = append(parts, n+" is "+withUnit(v, "", 3))
		case int64:
			parts = append(parts, fmt.Sprintf("%s is %d", n, v))
		case bool:
			parts = append(parts, fmt.Sprintf("%s is %t", n, v))
		case string:
			if n == "call.end_reason" || n == "call.end_blame" {
				parts = append(parts, n+" is "+quoted(v))
			}
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

// namesIn returns the declared names that an expression uses, in order.
func namesIn(ast *cel.Ast) []string {
	seen := map[string]bool{}
	for _, ref := range ast.NativeRep().ReferenceMap() {
		if strings.HasPrefix(ref.Name, "call.") {
			seen[ref.Name] = true
		}
	}
	out := make([]string, 0, len(seen))
	for n := range seen {
		out = append(out, n)
	}
	sort.Strings(out)
	return out
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}
