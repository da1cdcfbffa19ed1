package review

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/chat"
	"github.com/ringtrue/ringtrue/internal/problem"
)

// sage is a language model with preset answers.
type sage struct {
	answers []string
	asked   []chat.Request
}

func (*sage) Name() string { return "sage" }

func (s *sage) Complete(_ context.Context, r chat.Request, _ func(string)) (chat.Message, error) {
	s.asked = append(s.asked, r)
	if len(s.answers) == 0 {
		return chat.Message{}, errors.New("https://secret.example is down")
	}
	answer := s.answers[0]
	s.answers = s.answers[1:]
	return chat.Message{Content: answer}, nil
}

const goodOpinion = `{"turns":[{"turn":1,"valence":-0.8,"frustration":0.6},{"turn":3,"valence":0.1,"frustration":0.2}],
	"frustration":0.7,"upset":true,"upset_turn":1,"why":"The price angers them."}`

func TestLanguageModelJudgesFeelingToo(t *testing.T) {
	t.Parallel()
	p := produce(t)
	s := &sage{answers: []string{"I think they were angry.", "```json\n" + goodOpinion + "\n```"}}
	p.service.o.FeelingModel = s
	_, r := p.work(t)
	f := r.Feeling.Judged
	if f == nil || !f.Upset || f.UpsetTurn != 1 || f.Frustration != 0.7 || len(f.Turns) != 2 || f.Sentiment != call.Neutral || f.Worst != -0.8 {
		t.Fatalf("judged %+v", f)
	}
	if r.Feeling.Upset || len(r.Notes) != 0 || len(s.asked) != 2 || !s.asked[0].JSON || !strings.Contains(s.asked[0].Messages[1].Content, "forty five dollars") {
		t.Errorf("ours %+v, notes %q, asked %d times", r.Feeling, r.Notes, len(s.asked))
	}
	// A replay does not ask about the same words again.
	if _, r = p.work(t); len(s.asked) != 2 || r.Feeling.Judged == nil || !r.Feeling.Judged.Upset {
		t.Errorf("asked %d times: %+v", len(s.asked), r.Feeling.Judged)
	}
	p.tell(func(r *call.Reported) { r.Turns[1].Text = "That is outrageous." })
	if _, r = p.work(t); len(s.asked) != 4 || r.Feeling.Judged != nil || len(r.Notes) != 1 || strings.Contains(r.Notes[0], "secret") {
		t.Errorf("asked %d times: %+v, notes %q", len(s.asked), r.Feeling.Judged, r.Notes)
	}
}

// failing is a language model whose every answer is this error.
type failing struct{ err error }

func (failing) Name() string { return "sage" }

func (f failing) Complete(context.Context, chat.Request, func(string)) (chat.Message, error) {
	return chat.Message{}, f.err
}

// Whoever reads the note learns what to put right, and nothing of what only the log may hold.
func TestWhyTheLanguageModelDidNotAnswer(t *testing.T) {
	t.Parallel()
	for why, err := range map[string]error{
		"the endpoint rejected the key": problem.New(problem.Unavailable, "the endpoint rejected the key").Because(errors.New("secret")),
		"the request failed":            errors.New("https://secret.example is down"),
	} {
		p := produce(t)
		p.service.o.FeelingModel = failing{err}
		_, r := p.work(t)
		if len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "it did not answer: "+why+".") {
			t.Errorf("notes %q", r.Notes)
		}
	}
}

// A review that only lacks the model's answer about the feeling is worth repeating; one whose answer
// could not be used was answered.
func TestAFeelingThatNobodyJudgedIsWorthAskingAgain(t *testing.T) {
	t.Parallel()
	p := produce(t)
	s := &sage{}
	p.service.o.FeelingModel = s
	if p.work(t); p.store.rows.By[id] != "" {
		t.Error("it counts as reviewed by a model that did not answer")
	}
	for _, answer := range []string{goodOpinion, "no"} {
		s.answers = []string{answer, answer}
		p.tell(func(r *call.Reported) { r.Turns[1].Text = answer[:2] })
		if p.work(t); p.store.rows.By[id] == "" {
			t.Errorf("it does not count as reviewed, although the model answered %q", answer)
		}
	}
}

func TestOpinionsThatCannotBeUsed(t *testing.T) {
	t.Parallel()
	turns := map[int]int{1: 4, 3: 10}
	for _, answer := range []string{
		"", "no", "{}", "}{", `{"turns":[],"frustration":0.1,"upset":false}`, `{"turns":[{"turn":1,"valence":0,"frustration":0}],"upset":false}`,
		`{"turns":[{"turn":1,"valence":0,"frustration":0}],"frustration":2,"upset":false}`,
		`{"turns":[{"turn":0,"valence":0,"frustration":0}],"frustration":0,"upset":false}`,
		`{"turns":[{"turn":1,"valence":0,"frustration":0},{"turn":1,"valence":0,"frustration":0}],"frustration":0,"upset":false}`,
		`{"turns":[{"turn":1,"valence":-3,"frustration":0}],"frustration":0,"upset":false}`, `{"turns":[{"turn":1}],"frustration":0,"upset":false}`,
		strings.Repeat("{", maxOpinionBytes+1),
	} {
		if f, err := readOpinion(answer, turns); err == nil {
			t.Errorf("%.80q gave %+v", answer, f)
		}
	}
}

func TestLongTranscriptsLoseTheirMiddle(t *testing.T) {
	t.Parallel()
	var turns []call.Turn
	for i := range 2000 {
		turns = append(turns, call.Turn{Index: i, Speaker: call.Caller, Text: strings.Repeat("word ", 20)})
	}
	q := opinionQuestion(turns)
	if len(q) > maxAsked || !strings.Contains(q, `"turn":0,`) || !strings.Contains(q, `"turn":1999,`) {
		t.Errorf("%d bytes", len(q))
	}
}

func FuzzOpinion(f *testing.F) {
	f.Add(goodOpinion)
	f.Add(`{{}}`)
	f.Add(`{"turns":[{"turn":1,"valence":1e999}]}`)
	f.Fuzz(func(t *testing.T, answer string) {
		got, err := readOpinion(answer, map[int]int{1: 4, 3: 10})
		if err == nil && (got.Valence < -1 || got.Valence > 1 || got.Frustration < 0 || got.Frustration > 1 || len(got.Turns) == 0) {
			t.Fatalf("%+v", got)
		}
	})
}
