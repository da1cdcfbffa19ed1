package score

import (
	"regexp"
	"strings"

	"github.com/google/cel-go/cel"

	"github.com/ringtrue/ringtrue/internal/problem"
)

// celNames says what an expression may ask of a call.
const celNames = "The names are call.turns, call.agent_turns, call.caller_turns, call.duration, call.end_reason, call.end_blame, call.agent_text, call.caller_text, " +
	"call.script_done, call.goal_reached, call.tool_calls, and those of the metrics: call.overlap_seconds, call.turn_latency.p95 and so on."

// callName matches a name of the call in an expression, and the parenthesis that makes its last
// part a function call.
var callName = regexp.MustCompile(`^call(?:\.\w+)*(\()?`)

// unknownName returns a problem for an unknown name of the call in an expression, nil if it fails
// for another reason. The compiler only reports "call" as undeclared, whatever follows it.
func unknownName(env *cel.Env, expression string, issues *cel.Issues) *problem.Error {
	for _, e := range issues.Errors() {
		if !strings.HasPrefix(e.Message, "undeclared reference to 'call'") {
			continue
		}
		name, found := nameAt(expression, e.Location.Line(), e.Location.Column())
		if !found {
			return nil
		}
		return problem.Invalid(problem.Field{
			Path: "params.expression", Message: "a call has no " + quoted(clip(name, 100)), Suggestion: problem.Nearest(name, namesOf(env)),
		}).WithHint(celNames)
	}
	return nil
}

// nameAt returns the name of the call at a line, counted from 1, and a column, counted in
// characters from 0.
func nameAt(expression string, line, column int) (string, bool) {
	lines := strings.Split(expression, "\n")
	if line < 1 || line > len(lines) {
		return "", false
	}
	letters := []rune(lines[line-1])
	if column < 0 || column > len(letters) {
		return "", false
	}
	name := callName.FindString(string(letters[column:]))
	if function, is := strings.CutSuffix(name, "("); is {
		name = function[:max(strings.LastIndexByte(function, '.'), 0)]
	}
	return name, name != ""
}

func namesOf(env *cel.Env) []string {
	var names []string
	for _, v := range env.Variables() {
		if strings.HasPrefix(v.Name(), "call.") {
			names = append(names, v.Name())
		}
	}
	return names
}
