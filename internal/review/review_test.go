package review

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/scenario"
	"github.com/ringtrue/ringtrue/internal/score"
)

func TestGoodCallIsHeardMeasuredJudgedAndSettled(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c, r := b.review(t)
	if c.ScoringStatus != call.Scored || c.Verdict != call.Passed || c.VerdictReason == "" {
		t.Errorf("the call is %s, %s because %q", c.ScoringStatus, c.Verdict, c.VerdictReason)
	}
	if len(r.Heard.Turns) != 3 || r.Heard.Turns[1].Text != "What does a visit cost?" || r.Heard.Turns[2].Text != "that is forty five dollars" {
		t.Fatalf("the turns are %+v", r.Heard.Turns)
	}
	if got := r.Heard.Turns[2].Start; got < 5180*ms || got > 5220*ms {
		t.Errorf("the answer begins at %s, planted at 5.2 s", got)
	}
	m := r.Metric("turn_latency")
	if m == nil || m.Value == nil || *m.Value < 0.68 || *m.Value > 0.72 {
		t.Errorf("the turn latency is %+v, planted at 0.7 s", m)
	}
	if len(b.settled) != 1 || b.settled[0].Verdict != call.Passed {
		t.Errorf("settled: %+v", b.settled)
	}
	if r.Heard.Engines["stt"] != "scribe 1" || r.Heard.Engines["segments"] == "" || r.Heard.SelfTestGrade {
		t.Errorf("the engines are %+v", r.Heard.Engines)
	}
	if hints := b.scribe.asked[0].Hints; len(hints) == 0 {
		t.Error("the recogniser was given no hints")
	}
}

// Words that must not be said are not among the recogniser's hints.
func TestForbiddenWordsAreNoHints(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.change(func(_ *call.Call, _ *call.Attempt, p *score.Plan) { p.Item.Output.DoNotSay = []string{"no refunds"} })
	b.review(t)
	if asked := b.scribe.asked[0]; slices.Contains(asked.Hints, "no refunds") || !slices.Equal(asked.Maybe, []string{"no refunds"}) {
		t.Errorf("the hints are %q, what may be said %q", asked.Hints, asked.Maybe)
	}
}

// A price that was not clearly heard is not held against the agent.
func TestUnclearPriceIsLeftOpen(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.scribe.texts[1] = "that is pretty find"
	b.scribe.sure, b.scribe.readings = 0.3, []string{"that is forty five dollars"}
	c, r := b.review(t)
	if s := named(r, "fact_stated:price"); s.Verdict != call.NotEvaluated || c.Verdict == call.NotPassed {
		t.Errorf("%s because %q, the fact %s because %q", c.Verdict, c.VerdictReason, s.Verdict, s.Reason)
	}
	if got := r.Heard.Turns[2].Readings; !slices.Equal(got, []string{"that is forty five dollars"}) {
		t.Errorf("the readings are %q", got)
	}
}

// Readings of a turn heard in parts are readings of the whole turn.
func TestReadingsAreOfWholeTurns(t *testing.T) {
	t.Parallel()
	turns := []call.Turn{{Text: "one two"}, {Text: "three"}}
	heard := []Transcript{{Text: "one", Readings: []string{"won"}}, {Text: "two", Readings: []string{"to", "too"}}, {Text: "three", Readings: []string{"free"}}}
	fillReadings(turns, []utterance{{turn: 0}, {turn: 0}, {turn: 1}}, heard)
	if !slices.Equal(turns[0].Readings, []string{"won two", "one to", "one too"}) || !slices.Equal(turns[1].Readings, []string{"free"}) {
		t.Errorf("the readings are %q and %q", turns[0].Readings, turns[1].Readings)
	}
}

func TestWrongPriceFails(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.scribe.texts[1] = "that is sixty five dollars"
	c, r := b.review(t)
	if c.Verdict != call.NotPassed || !strings.Contains(c.VerdictReason, "sixty five dollars") {
		t.Errorf("%s because %q", c.Verdict, c.VerdictReason)
	}
	if e := r.Scores[0].Evidence; len(e) != 1 || e[0].Turn != 2 || e[0].Start < 5*time.Second {
		t.Errorf("the evidence is %+v", e)
	}
}

func TestReplayDoesNotTranscribeAgain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, first := b.review(t)
	_, second := b.review(t)
	if len(b.scribe.asked) != 1 {
		t.Errorf("transcribed %d times", len(b.scribe.asked))
	}
	x, _ := json.Marshal(first)
	y, _ := json.Marshal(second)
	if string(x) != string(y) {
		t.Errorf("the replay differs:\n%s\n%s", x, y)
	}
	if len(b.settled) != 2 {
		t.Errorf("settled %d times", len(b.settled))
	}
}

// A canceled call is reviewed when its agent sends a record of it, and keeps the verdict that the
// others of its experiment have: none.
func TestCanceledCallIsSkipped(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.change(func(c *call.Call, _ *call.Attempt, _ *score.Plan) { c.Status, c.Recording = call.Canceled, nil })
	b.store.rows.Tools[id] = []call.ToolCall{{Name: "book"}}
	c, r := b.review(t)
	if c.ScoringStatus != call.ScoringSkipped || c.Verdict != "" || c.VerdictReason == "" || len(r.ToolCalls) != 1 {
		t.Errorf("%s, %q because %q with %d tool calls", c.ScoringStatus, c.Verdict, c.VerdictReason, len(r.ToolCalls))
	}
}

func TestCallsThatAreNotOverOrGoneAreLeftAlone(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.change(func(c *call.Call, _ *call.Attempt, _ *score.Plan) { c.Status = call.Queued })
	c, _ := b.review(t)
	if c.ScoringStatus != call.ScoringPending || len(b.settled) != 0 {
		t.Errorf("the call was reviewed: %+v", c)
	}
	if err := b.service.Review(t.Context(), "call_gone"); err != nil {
		t.Errorf("a call that is gone: %v", err)
	}
}

func TestWaitsForTheRecordThenScoresWithoutIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.change(func(_ *call.Call, _ *call.Attempt, p *score.Plan) {
		p.Item.Output.ToolCalls = []scenario.ToolExpectation{{Name: "book"}}
	})
	var wait Wait
	if err := b.service.Review(t.Context(), id); !errors.As(err, &wait) || wait.After <= 0 || wait.After > 5*time.Second {
		t.Fatalf("the review came to %v", err)
	}
	if c := b.store.rows.Calls[id]; c.ScoringStatus != call.ScoringNow || len(b.settled) != 0 {
		t.Fatalf("while waiting the call is %s", c.ScoringStatus)
	}
	b.now = answered.Add(8*time.Second + 31*time.Second)
	c, r := b.review(t)
	if c.Verdict != call.Passed || len(b.scribe.asked) != 1 {
		t.Errorf("%s because %q after %d transcriptions", c.Verdict, c.VerdictReason, len(b.scribe.asked))
	}
	if s := named(r, "tool_called:1"); s.Verdict != call.NotEvaluated || s.Waits {
		t.Errorf("the score is %+v", s)
	}
	// The record arrives after all: the call is reviewed again and stays settled.
	b.store.rows.Tools[id] = []call.ToolCall{{Name: "cancel"}}
	c, r = b.review(t)
	if c.Verdict != call.NotPassed || named(r, "tool_called:1").Verdict != call.NotPassed || c.ScoringStatus != call.Scored {
		t.Errorf("with the record: %s because %q", c.Verdict, c.VerdictReason)
	}
	if len(r.ToolCalls) != 1 {
		t.Errorf("the review keeps %d tool calls", len(r.ToolCalls))
	}
}

// A review that waits for the agent's record begins anew every two seconds, and each question to a
// language model costs.
func TestAsksTheModelOnceHoweverLongItWaits(t *testing.T) {
	t.Parallel()
	b := setup(t)
	asked := 0
	b.service.o.Deps.Judge = func(_ score.JudgeParams, mark score.Mark) score.Scorer {
		return judgeFunc(func() call.Score {
			asked++
			return mark.Score(call.Passed, "It was polite.")
		})
	}
	b.change(func(_ *call.Call, _ *call.Attempt, p *score.Plan) {
		p.Item.Output.Rubric = []string{"the agent is polite"}
		p.Scorers = []score.Config{{Slug: "books", Name: "books", Kind: score.KindToolCalled, Params: json.RawMessage(`{"name":"book"}`)}}
	})
	reviews := 0
	for ; b.store.rows.Calls[id].ScoringStatus != call.Scored; reviews++ {
		var wait Wait
		if err := b.service.Review(t.Context(), id); err != nil && !errors.As(err, &wait) {
			t.Fatal(err)
		}
		b.now = b.now.Add(wait.After)
	}
	r := b.store.rows.Reviews[id]
	if reviews < 10 || asked != 1 || named(r, "rubric").Verdict != call.Passed || r.Scores[len(r.Scores)-1].Name == "rubric" {
		t.Errorf("asked %d times in %d reviews, which came to %+v", asked, reviews, r.Scores)
	}
}

// judgeFunc is a scorer made of a function.
type judgeFunc func() call.Score

func (f judgeFunc) Score(context.Context, *score.Input) call.Score { return f() }

func TestVoidCallsDoNotWait(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.change(func(_ *call.Call, a *call.Attempt, p *score.Plan) {
		p.Item.Output.ToolCalls = []scenario.ToolExpectation{{Name: "book"}}
		a.Stats.SendMissed = 1
	})
	if c, _ := b.review(t); c.Verdict != call.Void {
		t.Errorf("the verdict is %s", c.Verdict)
	}
}

// A panic counts as a failed review: otherwise the queue would drop its job, Rescue would queue
// another a minute later, and so on for ever.
func TestAReviewThatPanicsIsGivenUp(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.service.o.Recordings = nil // makes the review panic
	for try := 1; try < defaultTries; try++ {
		if err := b.service.Review(t.Context(), id); !errors.Is(err, errPanicked) {
			t.Fatalf("try %d: %v", try, err)
		}
	}
	c, _ := b.review(t)
	if c.ScoringStatus != call.ScoringFailed || c.Verdict != call.Void || !strings.Contains(c.VerdictReason, "see the service's log") {
		t.Errorf("%s, %s because %q", c.ScoringStatus, c.Verdict, c.VerdictReason)
	}
	if len(b.service.ledger.atWork) != 0 {
		t.Error("the review is still at work")
	}
}

func TestFailingRecogniserIsRetriedThenGivenUp(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.scribe.err = errors.New("no such program /secret/path")
	for try := 1; try < defaultTries; try++ {
		if err := b.service.Review(t.Context(), id); err == nil {
			t.Fatalf("try %d came to nothing", try)
		}
	}
	c, _ := b.review(t)
	if c.ScoringStatus != call.ScoringFailed || c.Verdict != call.Void || strings.Contains(c.VerdictReason, "secret") {
		t.Errorf("%s, %s because %q", c.ScoringStatus, c.Verdict, c.VerdictReason)
	}
	// A later successful review repairs it.
	b.scribe.err = nil
	if c, _ = b.review(t); c.ScoringStatus != call.Scored || c.Verdict != call.Passed {
		t.Errorf("%s, %s because %q", c.ScoringStatus, c.Verdict, c.VerdictReason)
	}
}

// A full database is not the call's fault: its review is postponed, however often, and never given
// up.
func TestAReviewOutlastsTheDatabase(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.settleBy = problem.New(problem.Unavailable, "there is no room left for the database to write")
	for range 3 * defaultTries {
		var wait Wait
		if err := b.service.Review(t.Context(), id); !errors.As(err, &wait) || wait.After != awayPause {
			t.Fatalf("without room the job says %v", err)
		}
	}
	b.settleBy = nil
	if c, _ := b.review(t); c.ScoringStatus != call.Scored || c.Verdict != call.Passed {
		t.Errorf("%s, %s because %q", c.ScoringStatus, c.Verdict, c.VerdictReason)
	}
}

func TestFailingReplayKeepsWhatWasSettled(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.review(t)
	b.shelf.err = errors.New("storage away")
	for try := 1; try < defaultTries; try++ {
		if err := b.service.Review(t.Context(), id); err == nil {
			t.Fatal("the review came to nothing")
		}
	}
	if c, _ := b.review(t); c.ScoringStatus != call.Scored || c.Verdict != call.Passed {
		t.Errorf("%s, %s", c.ScoringStatus, c.Verdict)
	}
}

func TestSettlingIsOneTransaction(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.settleBy = errors.New("the experiment's row is gone")
	if err := b.service.Review(t.Context(), id); err == nil {
		t.Fatal("no error")
	}
	if _, ok := b.store.rows.Reviews[id]; ok || b.store.rows.Calls[id].ScoringStatus.Over() {
		t.Error("half of it was stored")
	}
}

func TestTwoAtOnceAgree(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var w sync.WaitGroup
	other := New(b.service.o)
	other.o.Transcriber = &scribe{texts: b.scribe.texts}
	for _, s := range []*Service{b.service, other} {
		w.Go(func() {
			if err := s.Review(context.Background(), id); err != nil {
				t.Errorf("the review failed: %v", err)
			}
		})
	}
	w.Wait()
	// Once only if the one that began first ended last.
	if c := b.store.rows.Calls[id]; c.ScoringStatus != call.Scored || c.Verdict != call.Passed || len(b.settled) == 0 || len(b.settled) > 2 {
		t.Errorf("%s, %s, settled %d times", c.ScoringStatus, c.Verdict, len(b.settled))
	}
}

func TestOneProcessReviewsACallOnceAtATime(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.service.ledger.begin(id)
	var wait Wait
	if err := b.service.Review(t.Context(), id); !errors.As(err, &wait) || len(b.scribe.asked) != 0 {
		t.Errorf("the second review came to %v", err)
	}
	b.service.ledger.end(id)
	if c, _ := b.review(t); c.ScoringStatus != call.Scored {
		t.Errorf("the call is %s", c.ScoringStatus)
	}
}

func TestRescueQueuesSilentReviews(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.change(func(c *call.Call, _ *call.Attempt, _ *score.Plan) { c.ScoringStatus = call.ScoringNow })
	b.store.rows.Beats[id] = time.Time{}
	if n, err := b.service.Rescue(t.Context(), 2*time.Minute); n != 0 || err != nil {
		t.Errorf("a call that has just ended was rescued: %d, %v", n, err)
	}
	b.now = b.now.Add(3 * time.Minute)
	n, err := b.service.Rescue(t.Context(), 2*time.Minute)
	if err != nil || n != 1 || len(b.store.rows.Jobs) != 1 || b.store.rows.Jobs[0] != "review "+id {
		t.Errorf("%d rescued, jobs %v, %v", n, b.store.rows.Jobs, err)
	}
	if n, err = b.service.Rescue(t.Context(), 2*time.Minute); n != 0 || err != nil {
		t.Errorf("rescued again: %d, %v", n, err)
	}
}

func TestCallsThatWereNeverAnswered(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		end      call.EndReason
		expected []string
		want     call.Verdict
	}{
		{call.EndOf(call.EndBusy, "486 Busy Here"), nil, call.NotPassed},
		{call.EndOf(call.EndNoAnswer, ""), nil, call.NotPassed},
		{call.EndOf(call.EndDeclined, "603"), nil, call.NotPassed},
		{call.EndOf(call.EndBusy, "486 Busy Here"), []string{"busy"}, call.Passed},
		{call.EndOf(call.EndUnreachable, "404"), nil, call.Void},
		{call.EndOf(call.EndCodecMismatch, "488"), nil, call.Void},
		{call.EndOf(call.EndRingtrueError, ""), nil, call.Void},
		{call.EndOf(call.EndInterrupted, ""), nil, call.Void},
		{call.EndOf(call.EndPlatformError, ""), nil, call.NotPassed},
		{call.EndOf(call.EndUnknown, "699"), nil, call.NotEvaluated},
	} {
		b := setup(t)
		b.change(func(x *call.Call, a *call.Attempt, p *score.Plan) {
			x.Status, x.AnsweredAt, x.Recording, x.EndReason = call.Failed, time.Time{}, nil, c.end
			a.AnsweredAt, a.Timeline, a.EndReason = time.Time{}, nil, c.end
			p.Item.Output.Outcome.EndReasons = c.expected
		})
		got, r := b.review(t)
		if got.Verdict != c.want || got.ScoringStatus != call.Scored || got.VerdictReason == "" {
			t.Errorf("%s: %s because %q, want %s", c.end.Code, got.Verdict, got.VerdictReason, c.want)
		}
		if s := named(r, "fact_stated:price"); got.Verdict != call.Void && s.Verdict != call.NotEvaluated {
			t.Errorf("%s: the fact is %+v", c.end.Code, s)
		}
	}
}

func named(r call.Review, name string) call.Score {
	for _, s := range r.Scores {
		if s.Name == name {
			return s
		}
	}
	return call.Score{}
}

// A recogniser that understands nothing at all is not held against the agent, but an agent that
// says nothing intelligible is not excused.
func TestWhoeverIsToBlameForNoWords(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.scribe.texts, b.scribe.control = nil, ""
	if err := b.service.Review(t.Context(), id); err == nil || len(b.store.rows.Heard) != 0 {
		t.Errorf("a recogniser that understood nothing: %v, and %d hearings were kept", err, len(b.store.rows.Heard))
	}
	for range 3 {
		_ = b.service.Review(t.Context(), id)
	}
	if c := b.store.rows.Calls[id]; c.ScoringStatus != call.ScoringFailed || c.Verdict != call.Void {
		t.Errorf("%s, %s because %q", c.ScoringStatus, c.Verdict, c.VerdictReason)
	}
	b.scribe.control = "what does a visit cost"
	if c, _ := b.review(t); c.ScoringStatus != call.Scored || c.Verdict != call.NotPassed {
		t.Errorf("an agent that cannot be understood: %s, %s because %q", c.ScoringStatus, c.Verdict, c.VerdictReason)
	}
}

// Speech during a hold is silence on our channel, and proves nothing about a recogniser.
func TestALineDuringAHoldIsNoProofAgainstTheRecogniser(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.scribe.texts, b.scribe.control = nil, ""
	b.change(func(_ *call.Call, a *call.Attempt, _ *score.Plan) {
		a.Timeline = append(a.Timeline, call.Event{At: 2900 * ms, Kind: call.KindHeld}, call.Event{At: 4600 * ms, Kind: call.KindResumed})
	})
	if c, _ := b.review(t); c.ScoringStatus != call.Scored || c.Verdict != call.NotPassed {
		t.Errorf("%s, %s because %q", c.ScoringStatus, c.Verdict, c.VerdictReason)
	}
}

// A caller that presses keys does not wait: the keys divide what would be one turn of the agent with
// one long silence of both.
func TestPressingKeysIsNoDeadAir(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.record(t, nil, []stretch{{500, 2000}, {5200, 7000}}, 8*time.Second)
	b.change(func(_ *call.Call, a *call.Attempt, p *score.Plan) {
		p.Item = scenario.Item{Input: scenario.Input{Script: []scenario.Step{{Press: "1"}}}}
		a.Timeline[0].Data["step"] = "press"
		a.Timeline[1] = call.Event{At: 3500 * ms, End: 3700 * ms, Kind: call.KindDigitSent, Data: map[string]any{"digits": "1"}}
		a.Timeline = append(a.Timeline, call.Event{At: 3500 * ms, Kind: call.KindDigitSent, Data: map[string]any{"digit": "1"}})
	})
	_, r := b.review(t)
	if len(r.Heard.Turns) != 2 {
		t.Errorf("the agent's turns are %+v, one before and one after the key", r.Heard.Turns)
	}
	if r.Metric("dead_air_count") == nil || r.Metric("dead_air_count").Value == nil || *r.Metric("dead_air_count").Value != 0 {
		t.Errorf("dead air is %+v, of silences of 1.5 and 1.6 s around a key", r.Metric("dead_air_count"))
	}
}
