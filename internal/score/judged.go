package score

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

func buildJudge(params json.RawMessage, m Mark, deps Deps) (Scorer, *problem.Error) {
	var p JudgeParams
	if e := decode(params, &p); e != nil {
		return nil, e
	}
	if len(p.Rubric) == 0 || len(p.Rubric) > scenario.MaxAssertions {
		return nil, invalid("params.rubric", fmt.Sprintf("1 to %d assertions are needed", scenario.MaxAssertions))
	}
	for i, a := range p.Rubric {
		if strings.TrimSpace(a) == "" || utf8.RuneCountInString(a) > maxTextLength {
			return nil, invalid(fmt.Sprintf("params.rubric[%d]", i), "an assertion of 1 to 1000 characters is needed")
		}
	}
	if len(p.Instruction) > 20*maxTextLength {
		return nil, invalid("params.instruction", "the instruction is longer than 20000 bytes")
	}
	if deps.Judge == nil {
		return noJudge{m}, nil
	}
	return deps.Judge(p, m), nil
}

// noJudge is the judge when no language model is configured.
type noJudge struct{ mark Mark }

// Score implements Scorer.
func (j noJudge) Score(context.Context, *Input) call.Score {
	return j.mark.Score(call.NotEvaluated, "No language model is configured, so the rubric could not be judged.")
}
