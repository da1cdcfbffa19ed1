package score

import (
	"fmt"
	"regexp"
	"regexp/syntax"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/env"
	"github.com/google/cel-go/common/overloads"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
)

// maxRegex limits the size of a regular expression: its letters, classes and operators with
// repetitions expanded. Each may be tried at every letter of a turn, and a running match cannot be
// interrupted.
const maxRegex = 5000

// compileRegex compiles a regular expression from an untrusted source, refusing one that is too
// costly.
func compileRegex(pattern string) (*regexp.Regexp, error) {
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil, err
	}
	if n := regexSize(parsed); n > maxRegex {
		return nil, fmt.Errorf("with its repetitions written out it has %d parts, more than %d", n, maxRegex)
	}
	return regexp.Compile(pattern)
}

// regexSize returns the number of parts of a regular expression with repetitions expanded.
func regexSize(re *syntax.Regexp) int {
	if re.Op == syntax.OpLiteral {
		return len(re.Rune)
	}
	n := 0
	for _, part := range re.Sub {
		n += regexSize(part)
	}
	if re.Op == syntax.OpRepeat {
		n *= max(re.Min, re.Max, 1) // without the operator itself, which is not there when it is written out
	}
	return n + 1
}

// boundedMatches returns CEL's standard functions with a "matches" that uses compileRegex, since
// its pattern may be computed by the expression.
func boundedMatches() []cel.EnvOption {
	without := env.NewLibrarySubset().AddExcludedFunctions(env.NewFunction(overloads.Matches))
	two := []*cel.Type{cel.StringType, cel.StringType}
	return []cel.EnvOption{
		cel.StdLib(cel.StdLibSubset(without)),
		cel.Function(overloads.Matches,
			cel.Overload(overloads.Matches, two, cel.BoolType), cel.MemberOverload(overloads.MatchesString, two, cel.BoolType),
			cel.SingletonBinaryBinding(matches)),
	}
}

// matches implements "matches" of an expression.
func matches(text, pattern ref.Val) ref.Val {
	in, isText := text.Value().(string)
	source, isPattern := pattern.Value().(string)
	if !isText || !isPattern {
		return types.MaybeNoSuchOverloadErr(pattern)
	}
	re, err := compileRegex(source)
	if err != nil {
		return types.NewErr("%s", "the pattern of matches is not taken: "+err.Error())
	}
	return types.Bool(re.MatchString(in))
}
