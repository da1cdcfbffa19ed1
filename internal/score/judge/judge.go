// Package judge is the scorer that asks a language model: it gives a chat.Model
// the transcript and a rubric of assertions in plain language, and believes an
// answer only if the words it quotes occur in the call.
//
// Its parent score builds all other scorers and gets With from package app;
// package speech implements the model over HTTP.
package judge

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/chat"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/score"
)

const (
	// maxAnswer limits the model's answer, in tokens.
	maxAnswer = 4000
	// seed makes answers reproducible with models that support seeds.
	seed = 1
)

// With returns a score.JudgeMaker for score.Deps whose judges ask the model.
func With(model chat.Model) score.JudgeMaker {
	return func(p score.JudgeParams, mark score.Mark) score.Scorer {
		return judge{model: model, params: p, mark: mark}
	}
}

// judge is a scorer with one rubric.
type judge struct {
	model  chat.Model
	params score.JudgeParams
	mark   score.Mark
}

// Score implements score.Scorer. The call fails if an assertion is refuted with
// words that occur in it, passes if all are confirmed, and is not evaluated
// otherwise.
func (j judge) Score(ctx context.Context, in *score.Input) call.Score {
	if len(in.Heard.Turns) == 0 {
		return j.mark.Score(call.NotEvaluated, "Nothing was said in this call that a language model could judge.")
	}
	messages := question(j.params, in)
	asked := j.digest(messages, in)
	if kept, ok := j.answered(in.Earlier, asked); ok {
		return kept
	}
	answer, err := j.model.Complete(ctx, chat.Request{
		Messages: messages, Temperature: 0, Seed: seed, MaxTokens: maxAnswer, JSON: true,
	}, nil)
	if err != nil {
		s := j.mark.Score(call.NotEvaluated, fmt.Sprintf("The language model %s did not answer: %s.", j.model.Name(), shown(err)))
		s.Unanswered = true
		return s
	}
	found, err := readAnswer(answer.Content, len(j.params.Rubric))
	if err != nil && answer.Cut {
		err = errors.New("it was cut off before its end, at its limit or by a filter")
	}
	if err != nil {
		return j.mark.Score(call.NotEvaluated, fmt.Sprintf("The answer from the language model %s could not be used: %s.", j.model.Name(), err))
	}
	s := j.conclude(in, found)
	if s.Verdict != call.NotEvaluated {
		s.Asked = asked
	}
	return s
}

// conclude combines the findings, one per assertion, into a score.
func (j judge) conclude(in *score.Input, found []finding) call.Score {
	var evidence []call.Evidence
	var failed, open []string
	held := 0
	for i, f := range found {
		e, verdict, why := f.checked(&in.Heard)
		if e != nil {
			evidence = append(evidence, *e)
		}
		text := fmt.Sprintf("%q (%s)", short(j.params.Rubric[i], 200), why)
		switch verdict {
		case call.Passed:
			held++
		case call.NotPassed:
			failed = append(failed, text)
		case call.NotEvaluated, call.Void:
			open = append(open, text)
		}
	}
	s := j.mark.Score(call.Passed, "", evidence...)
	value := float64(held)
	s.Value, s.Unit = &value, "count"
	judged := fmt.Sprintf("The language model %s confirmed %d of %d %s", j.model.Name(), held, len(found), assertions(len(found)))
	switch {
	case len(failed) > 0:
		s.Verdict, s.Reason = call.NotPassed, judged+"; refuted: "+strings.Join(failed, "; ")+"."
	case len(open) > 0:
		s.Verdict, s.Reason = call.NotEvaluated, judged+"; undecided: "+strings.Join(open, "; ")+"."
	default:
		s.Reason = judged + "."
	}
	if in.Heard.SelfTestGrade {
		s.Reason += " (Transcribed by a self-test-grade recogniser.)"
	}
	return s
}

// assertions is the word for n of them.
func assertions(n int) string {
	if n == 1 {
		return "assertion"
	}
	return "assertions"
}

// shown returns the part of an error that people may see.
func shown(err error) string {
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return "it took too long"
	case errors.Is(err, context.Canceled):
		return "the review was stopped"
	}
	if e := problem.As(err); e != nil {
		return e.Message
	}
	return "the request failed"
}

// short shortens a text to about n bytes without splitting a character.
func short(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}
