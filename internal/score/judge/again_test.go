package judge_test

import (
	"errors"
	"reflect"
	"testing"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/score"
)

func TestTheSameIsNotAskedTwice(t *testing.T) {
	t.Parallel()
	const held = `{"assertions":[{"number":1,"verdict":"holds","turn":0,"quote":"welcome","why":"It greets."}]}`
	first := scorer(t, &oracle{answer: held}, "greets the caller").Score(t.Context(), input())
	if first.Verdict != call.Passed || first.Unanswered {
		t.Fatalf("the first score is %+v", first)
	}
	away := &oracle{err: errors.New("down")}
	again := func(change func(*score.Input), rubric string, m *oracle) call.Score {
		in := input()
		in.Earlier = []call.Score{{Name: "another"}, first}
		change(in)
		return scorer(t, m, rubric).Score(t.Context(), in)
	}
	same := func(*score.Input) {}
	if s := again(same, "greets the caller", away); !reflect.DeepEqual(s, first) || away.asked.JSON {
		t.Errorf("asked again about the same: %+v", s)
	}
	for what, s := range map[string]call.Score{
		"another rubric": again(same, "names a price", away),
		"other words":    again(func(in *score.Input) { in.Heard.Turns[0].Text = "welcome to the bakery" }, "greets the caller", away),
		"other times":    again(func(in *score.Input) { in.Heard.Turns[0].End += 10 }, "greets the caller", away),
		"a record":       again(func(in *score.Input) { in.HasRecord = true }, "greets the caller", away),
	} {
		if s.Verdict != call.NotEvaluated || !s.Unanswered {
			t.Errorf("%s: an answer to another question was kept: %+v", what, s)
		}
	}
	undecided := scorer(t, &oracle{answer: `{"assertions":[{"number":1,"verdict":"unclear"}]}`}, "greets the caller").Score(t.Context(), input())
	first = undecided
	if s := again(same, "greets the caller", &oracle{answer: held}); s.Verdict != call.Passed {
		t.Errorf("what was undecided is asked again: %+v", s)
	}
}
