package review

import (
	"context"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/chat"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/score"
	"github.com/ringtrue/ringtrue/internal/score/judge"
)

func config(kind, params string) score.Config {
	return score.Config{Slug: "try", Name: "try", Kind: kind, Params: json.RawMessage(params)}
}

// A preview says what a review would have said, and stores nothing.
func TestPreviewSaysWhatAReviewWouldAndKeepsNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.review(t)
	before := b.rowsAsText(t)
	for name, c := range map[string]struct {
		kind, params string
		verdict      call.Verdict
		reason       string
	}{
		"heard":              {"say", `{"phrase":"willow clinic"}`, call.Passed, "willow clinic"},
		"not heard":          {"do_not_say", `{"phrase":"forty five"}`, call.NotPassed, ""},
		"measured":           {"timing", `{"metric":"turn_latency","max":0.5}`, call.NotPassed, ""},
		"an expression":      {"cel", `{"expression":"call.turns == 3 && call.turn_latency.p50 < 1.0"}`, call.Passed, ""},
		"the end":            {"end_reason", `{"script_done":true}`, call.Passed, ""},
		"without a record":   {"tool_called", `{"name":"book"}`, call.NotEvaluated, "record"},
		"without a judge":    {"judge", `{"rubric":["It is polite."]}`, call.NotEvaluated, "language model"},
		"without the figure": {"timing", `{"metric":"mos","min":4}`, call.NotEvaluated, ""},
	} {
		got, err := b.service.Preview(t.Context(), "ws_1", id, config(c.kind, c.params))
		if err != nil || got.Verdict != c.verdict || got.Reason == "" || !strings.Contains(strings.ToLower(got.Reason), c.reason) || got.Name != "try" {
			t.Errorf("%s: %+v %v", name, got, err)
		}
		b.change(func(_ *call.Call, _ *call.Attempt, p *score.Plan) {
			p.Scorers = []score.Config{config(c.kind, c.params)}
		})
	}
	b.change(func(_ *call.Call, _ *call.Attempt, p *score.Plan) { p.Scorers = nil })
	if after := b.rowsAsText(t); after != before {
		t.Error("a preview changed what is kept")
	}
	if len(b.scribe.asked) != 1 || len(b.settled) != 1 {
		t.Error("a preview listened or settled")
	}
	b.change(func(_ *call.Call, _ *call.Attempt, p *score.Plan) {
		p.Scorers = []score.Config{config("say", `{"phrase":"forty five"}`)}
	})
	preview, err := b.service.Preview(t.Context(), "ws_1", id, config("say", `{"phrase":"forty five"}`))
	_, r := b.review(t)
	if err != nil || !reflect.DeepEqual(preview, r.Scores[1]) {
		t.Errorf("the preview said %+v, the review %+v; %v", preview, r.Scores[1], err)
	}
}

func (b *bundle) rowsAsText(t *testing.T) string {
	t.Helper()
	text, err := json.Marshal(b.store.rows)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestPreviewOfCallsThatCannotBeJudged(t *testing.T) {
	t.Parallel()
	say := config("say", `{"phrase":"hello"}`)
	for name, c := range map[string]struct {
		change  func(*bundle)
		verdict call.Verdict
		reason  string
	}{
		"not over": {func(b *bundle) {
			b.change(func(c *call.Call, _ *call.Attempt, _ *score.Plan) { c.Status = call.InProgress })
		}, call.NotEvaluated, "not over"},
		"not reviewed": {func(*bundle) {}, call.NotEvaluated, "not been reviewed"},
		"void": {func(b *bundle) {
			b.store.rows.Reviews[id] = call.Review{CallID: id, Verdict: call.Void, Reason: "Our own speech left late."}
		}, call.Void, "The call is void. Our own speech left late."},
		"never answered": {func(b *bundle) {
			b.store.rows.Reviews[id] = call.Review{CallID: id, Verdict: call.NotPassed}
			b.change(func(c *call.Call, _ *call.Attempt, _ *score.Plan) { c.AnsweredAt, c.Status = time.Time{}, call.Failed })
		}, call.NotEvaluated, "never answered"},
		"words that are not known": {func(b *bundle) {
			b.store.rows.Reviews[id] = call.Review{CallID: id, Verdict: call.Passed, Heard: call.Heard{Engines: map[string]string{"stt": "x"}, SelfTestGrade: true}}
			b.change(func(c *call.Call, _ *call.Attempt, _ *score.Plan) { c.Origin = call.Production })
		}, call.NotEvaluated, "not known well enough"},
	} {
		b := setup(t)
		c.change(b)
		got, err := b.service.Preview(t.Context(), "ws_1", id, say)
		if err != nil || got.Verdict != c.verdict || !strings.Contains(got.Reason, c.reason) {
			t.Errorf("%s: %+v %v", name, got, err)
		}
	}
	b := setup(t)
	_, err := b.service.Preview(t.Context(), "ws_1", id, config("say", `{"phrase":"","more":1}`))
	if p := problem.As(err); p == nil || p.Code != problem.InvalidFields || len(p.Fields) == 0 {
		t.Errorf("a scorer that does not build: %v", err)
	}
	if _, err := b.service.Preview(t.Context(), "ws_1", "call_0", say); !problem.Is(err, problem.NotFound) {
		t.Errorf("a call that is not there: %v", err)
	}
}

// stuck is a language model that never answers.
type stuck struct{}

func (stuck) Name() string { return "stuck" }

func (stuck) Complete(ctx context.Context, _ chat.Request, _ func(string)) (chat.Message, error) {
	<-ctx.Done()
	return chat.Message{}, ctx.Err()
}

func TestPreviewIsBoundedInTime(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.review(t)
	b.service.o.Deps, b.service.o.PreviewTime = score.Deps{Judge: judge.With(stuck{})}, 20*time.Millisecond
	got, err := b.service.Preview(t.Context(), "ws_1", id, config("judge", `{"rubric":["It is polite."]}`))
	if err != nil || got.Verdict != call.NotEvaluated || !strings.Contains(got.Reason, "did not answer") {
		t.Errorf("%+v %v", got, err)
	}
}
