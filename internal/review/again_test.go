package review

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/score"
	"github.com/ringtrue/ringtrue/internal/score/judge"
)

// A verdict that a language model has given outlasts its endpoint, and costs its question once.
func TestAReviewAsksNoLanguageModelWhatItHasAnswered(t *testing.T) {
	t.Parallel()
	p := produce(t)
	model := &sage{answers: []string{`{"assertions":[{"number":1,"verdict":"fails","turn":1,"quote":"forty five dollars","why":"It is dear."}]}`}}
	p.service.o.Deps = score.Deps{Judge: judge.With(model), JudgeName: model.Name()}
	plan := func(rubric string) {
		p.store.rows.Plans[id] = score.Plan{Scorers: []score.Config{{ID: "sc_1", Name: "price", Version: 1, Kind: score.KindJudge, Params: json.RawMessage(`{"rubric":["` + rubric + `"]}`)}}}
	}
	p.tell(func(r *call.Reported) { r.Turns[1].Text = "That is forty five dollars." })
	plan("the price is fair")
	_, r := p.work(t)
	if r.Verdict != call.NotPassed || len(model.asked) != 1 {
		t.Fatalf("%s because %q, asked %d times", r.Verdict, r.Reason, len(model.asked))
	}
	first, by := r.Reason, p.store.rows.By[id]
	if _, r = p.work(t); r.Verdict != call.NotPassed || r.Reason != first || len(model.asked) != 1 || by == "" || p.store.rows.By[id] != by {
		t.Errorf("again: %s because %q, asked %d times", r.Verdict, r.Reason, len(model.asked))
	}
	plan("the price is told")
	if _, r = p.work(t); r.Verdict != call.NotEvaluated || !strings.Contains(r.Reason, "did not answer") || len(model.asked) != 2 {
		t.Errorf("another question: %s because %q, asked %d times", r.Verdict, r.Reason, len(model.asked))
	}
	if p.store.rows.By[id] != "" {
		t.Error("a review whose language model did not answer counts as one of the newest")
	}
}

func TestAnotherJudgeMakesReviewsOld(t *testing.T) {
	t.Parallel()
	p := produce(t)
	judged := &material{plan: score.Plan{Scorers: []score.Config{{Kind: score.KindJudge}}}}
	other := &material{plan: score.Plan{Scorers: []score.Config{{Kind: score.KindSay}}}}
	p.service.o.Deps = score.Deps{Judge: judge.With(&sage{}), JudgeName: "sage"}
	before, beside := p.service.basis(judged), p.service.basis(other)
	p.service.o.Deps.JudgeName = "fool"
	if p.service.basis(judged) == before || p.service.basis(other) != beside {
		t.Error("the name of the judge counts for the calls that it judges, and for no others")
	}
}
