package review

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/score"
)

func TestProductionCallIsFetchedHeardAndJudged(t *testing.T) {
	t.Parallel()
	p := produce(t)
	c, r := p.work(t)
	planted(t, r)
	if c.ScoringStatus != call.Scored || c.Verdict != call.Passed || c.Recording == nil || c.Recording.Roles != call.RolesTranscript {
		t.Errorf("the call is %+v", c)
	}
	if len(r.Notes) != 0 || r.Heard.Engines["stt"] != platformTranscript || len(p.scribe.asked) != 0 {
		t.Errorf("notes %q, engines %v, transcribed %d times", r.Notes, r.Heard.Engines, len(p.scribe.asked))
	}
	if r.Feeling == nil || len(r.Feeling.Turns) != 2 || r.Feeling.Engines["voice"] != "heard" {
		t.Errorf("the feeling is %+v", r.Feeling)
	}
	// Once fetched, it is not fetched again, and a replay gives the same result.
	_, again := p.work(t)
	x, _ := json.Marshal(r)
	again.At = r.At
	y, _ := json.Marshal(again)
	if p.web.asked != 1 || string(x) != string(y) {
		t.Errorf("fetched %d times;\n%s\n%s", p.web.asked, x, y)
	}
}

// A recogniser for synthetic voices writes down words, but nothing is judged by them.
func TestSelfTestWordsAreNotJudged(t *testing.T) {
	t.Parallel()
	p := produce(t)
	p.service.o.Transcriber = selfTest{p.scribe}
	p.tell(func(r *call.Reported) {
		r.HasTranscript, r.Timed, r.Turns, r.CallerChannel, r.Channels = false, false, nil, 0, 2
	})
	p.store.rows.Plans[id] = score.Plan{Scorers: []score.Config{{Slug: "greets", Name: "greets", Kind: score.KindSay, Params: json.RawMessage(`{"phrase":"welcome"}`)}}}
	c, r := p.work(t)
	if s := named(r, "greets"); s.Verdict != call.NotEvaluated || c.Verdict != call.NotEvaluated {
		t.Errorf("%s, %+v", c.Verdict, s)
	}
	if !r.Heard.SelfTestGrade || len(r.Notes) != 1 || r.Heard.Turns[0].Text == "" || len(r.Feeling.Turns) != 0 {
		t.Errorf("notes %q, turns %+v", r.Notes, r.Heard.Turns)
	}
	p.work(t)
	if len(p.scribe.asked) != 2 {
		t.Errorf("transcribed %d times", len(p.scribe.asked))
	}
}

// A failing recogniser does not void a production call: what needs no words is computed, and notes
// say what is missing, even if the call had been reviewed before its recording came.
func TestAProductionCallWithoutItsWords(t *testing.T) {
	t.Parallel()
	for name, first := range map[string]error{"at once": nil, "when the recording has come": errors.New("busy")} {
		p := produce(t)
		p.tell(func(r *call.Reported) {
			r.HasTranscript, r.Timed, r.Turns, r.CallerChannel, r.Channels = false, false, nil, 0, 2
		})
		p.store.rows.Plans[id] = score.Plan{Scorers: []score.Config{{Slug: "greets", Name: "greets", Kind: score.KindSay, Params: json.RawMessage(`{"phrase":"welcome"}`)}}}
		p.scribe.err = problem.New(problem.Unavailable, "the endpoint rejected the key").Because(errors.New("secret"))
		if p.web.err = first; first != nil {
			_ = p.service.Review(t.Context(), id)
			for range patientTries {
				_ = p.service.Fetch(t.Context(), id)
			}
			p.web.err = nil
		}
		_ = p.service.Review(t.Context(), id)
		_ = p.service.Fetch(t.Context(), id)
		for range defaultTries {
			_ = p.service.Review(t.Context(), id)
		}
		c, r := p.store.rows.Calls[id], p.store.rows.Reviews[id]
		if c.ScoringStatus != call.Scored || c.Verdict != call.NotEvaluated || r.Metric("turn_latency") == nil || len(r.Heard.Turns) != 5 {
			t.Errorf("%s: %s, %s with %+v", name, c.ScoringStatus, c.Verdict, r.Metrics)
		}
		notes := strings.Join(r.Notes, " ")
		if !strings.Contains(notes, "could not be transcribed (the endpoint rejected the key)") || strings.Contains(notes, "tried again") || strings.Contains(notes, "secret") {
			t.Errorf("%s: notes %q", name, r.Notes)
		}
		// A replay of the reviews that are older than the engines repeats it.
		if newest, err := p.service.newest(t.Context(), id); err != nil || newest {
			t.Errorf("%s: without its words the review counts as the newest (%v)", name, err)
		}
		// Known words are kept, whatever fails later.
		p.scribe.err = nil
		if _, r = p.work(t); r.Heard.Turns[0].Text == "" {
			t.Errorf("%s: a later review heard %+v", name, r.Heard.Turns)
		}
		if newest, err := p.service.newest(t.Context(), id); err != nil || !newest {
			t.Errorf("%s: with its words the review does not count as the newest (%v)", name, err)
		}
		p.service.o.Transcriber, p.scribe.err = selfTest{p.scribe}, errors.New("gone")
		for range defaultTries {
			_ = p.service.Review(t.Context(), id)
		}
		if r = p.store.rows.Reviews[id]; r.Heard.Turns[0].Text == "" {
			t.Errorf("%s: the words are gone", name)
		}
	}
}

type selfTest struct{ *scribe }

func (selfTest) Engine() (string, bool) { return "sphinx", true }

// Scorers are applied to the platform's words.
func TestScorersOfProductionCalls(t *testing.T) {
	t.Parallel()
	p := produce(t)
	p.store.rows.Plans[id] = score.Plan{Scorers: []score.Config{
		{Slug: "price", Name: "price", Kind: score.KindSay, Params: json.RawMessage(`{"phrase":"forty five dollars"}`)},
		{Slug: "sorry", Name: "sorry", Kind: score.KindSay, Params: json.RawMessage(`{"phrase":"I am sorry"}`)},
	}}
	c, r := p.work(t)
	if c.Verdict != call.NotPassed || named(r, "price").Verdict != call.Passed || named(r, "sorry").Verdict != call.NotPassed {
		t.Errorf("%s: %+v", c.Verdict, r.Scores)
	}
	if e := named(r, "price").Evidence; len(e) != 1 || e[0].Turn != 2 || e[0].Start < 5*time.Second {
		t.Errorf("the evidence is %+v", e)
	}
}

// A call that nobody answered has nothing to hear.
func TestUnansweredProductionCall(t *testing.T) {
	t.Parallel()
	p := produce(t)
	p.change(func(c *call.Call, _ *call.Attempt, _ *score.Plan) {
		c.Status, c.AnsweredAt, c.EndReason = call.Failed, time.Time{}, call.EndOf(call.EndBusy, "dial_busy")
	})
	c, r := p.work(t)
	if c.Verdict != call.NotPassed || len(r.Notes) != 0 || p.web.asked != 0 || r.Metrics != nil {
		t.Errorf("%s, notes %q", c.Verdict, r.Notes)
	}
}

// Timed words that span two turns are divided between them.
func TestWordsAreSharedOut(t *testing.T) {
	t.Parallel()
	word := func(text string, at int) call.Word {
		return call.Word{Text: text, Start: time.Duration(at) * ms, End: time.Duration(at+300) * ms}
	}
	told := call.Reported{Timed: true, HasTranscript: true, Turns: []call.Turn{
		{Speaker: call.Agent, Start: 1000 * ms, End: 6000 * ms, Text: "One moment, please. Here we are.", Words: []call.Word{
			word("One", 1000), word("moment,", 1400), word("please.", 1800), word("Here", 5000), word("we", 5300), word("are.", 5600),
		}},
		{Speaker: call.Caller, Start: 3000 * ms, End: 3500 * ms, Text: "Sure."},
		{Speaker: call.Caller, Start: 90_000 * ms, End: 90_500 * ms, Text: "Never recorded."},
	}}
	heard := []call.Turn{
		{Speaker: call.Agent, Start: 1000 * ms, End: 2100 * ms}, {Speaker: call.Caller, Start: 3000 * ms, End: 3500 * ms},
		{Speaker: call.Agent, Start: 5000 * ms, End: 6000 * ms},
	}
	var texts []string
	for _, turn := range layTurns(&told, heard, 0) {
		texts = append(texts, turn.Text)
	}
	if !slices.Equal(texts, []string{"One moment, please.", "Sure.", "Here we are.", "Never recorded."}) {
		t.Errorf("the turns are %q", texts)
	}
}
