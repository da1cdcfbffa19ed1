package experiment

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/price"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

// charged ends the experiment's calls: answered for so long, the last of them in
// two attempts.
func (w *world) charged(e Experiment, answered time.Duration) {
	for id, c := range w.store.rows.calls {
		if c.ExperimentID != e.ID {
			continue
		}
		c.AnsweredAt, c.EndedAt = w.now, w.now.Add(answered)
		c.Attempts = []call.Attempt{{AnsweredAt: c.AnsweredAt, EndedAt: c.EndedAt}}
		if c.Position == 2 {
			c.Attempts = append(c.Attempts, c.Attempts[0], call.Attempt{EndedAt: c.EndedAt})
		}
		w.store.rows.calls[id] = c
	}
}

func TestAnExperimentCostsWhatItsAttemptsDid(t *testing.T) {
	t.Parallel()
	w := newWorld()
	w.Free = Free{Model: true}
	w.store.rows.prices = price.Prices{Currency: "EUR", Trunks: []price.Trunk{{Name: "main", PerMinute: 0.01, BilledSeconds: 60}}, Speech: new(0.02)}
	estimate, err := w.Estimate(t.Context(), "ws_1", wanted())
	if low, known := estimate.Cost.Low.Total(); err != nil || !known || low < 0.03 || estimate.Cost.Currency != "EUR" || estimate.Cost.High.Line < estimate.Cost.Low.Line {
		t.Fatalf("%+v %v", estimate, err)
	}
	e := start(t, w)
	w.charged(e, 90*time.Second)
	// Whatever prices are later, an experiment keeps those of its start.
	w.store.rows.prices = price.Prices{Currency: "USD", Speech: new(9.0)}
	r, err := w.Results(t.Context(), "ws_1", e.ID)
	// Four attempts of two begun minutes, and of a minute and a half of speech.
	if total, known := r.Cost.Low.Total(); err != nil || !known || total != 4*(2*0.01+1.5*0.02) || r.Cost.Currency != "EUR" {
		t.Errorf("%+v %v", r.Cost, err)
	}
}

func TestWhatHadNoPriceCostsWhatItDoesToday(t *testing.T) {
	t.Parallel()
	w := newWorld()
	w.Free = Free{Speech: true}
	e := start(t, w)
	w.charged(e, time.Minute)
	r, err := w.Results(t.Context(), "ws_1", e.ID)
	if _, known := r.Cost.Low.Total(); err != nil || known || !slices.Equal(r.Cost.Low.Missing, []string{"trunk main"}) {
		t.Fatalf("%+v %v", r.Cost, err)
	}
	w.store.rows.prices = price.Prices{Currency: "EUR", Trunks: []price.Trunk{{Name: "main", PerMinute: 0.25, BilledSeconds: 1}}}
	r, err = w.Results(t.Context(), "ws_1", e.ID)
	if total, known := r.Cost.Low.Total(); err != nil || !known || total != 1 {
		t.Errorf("%+v %v", r.Cost, err)
	}
}

func TestNothingIsPaidOnThisMachine(t *testing.T) {
	t.Parallel()
	w := newWorld()
	w.Free = Free{Speech: true, Model: true}
	w.Trunk = func(string) (Trunk, error) { return Trunk{Name: "main", Local: true}, nil }
	e, err := w.Estimate(t.Context(), "ws_1", wanted())
	if low, known := e.Cost.High.Total(); err != nil || low != 0 || !known || e.Cost.Currency != "USD" {
		t.Errorf("%+v %v", e, err)
	}
}

func TestAModelIsPaidWhereItPlaysOrJudges(t *testing.T) {
	t.Parallel()
	script := scenario.Input{Script: []scenario.Step{{HangUp: true}}}
	for name, c := range map[string]struct {
		item scenario.Item
		want bool
	}{
		"a script":         {scenario.Item{Input: script}, false},
		"a goal":           {scenario.Item{Input: scenario.Input{Goal: "Ask."}}, true},
		"a script, judged": {scenario.Item{Input: script, Output: scenario.Output{Rubric: []string{"is kind"}}}, true},
	} {
		if got := needsModel(Plan{}, c.item); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// Trunks are asked only when somebody wants to know, and not again and again.
func TestTrunksAreAskedSeldom(t *testing.T) {
	t.Parallel()
	w := newWorld()
	asked := make(chan string, 10)
	w.Trunks = []Trunk{{Name: "main"}, {Name: "spare"}}
	w.Probe = func(_ context.Context, trunk string) error {
		asked <- trunk
		if trunk == "spare" {
			return problem.New(problem.Unavailable, "silent")
		}
		return nil
	}
	if list := w.ListTrunks(t.Context(), false); len(list) != 2 || list[0].Answers != nil || len(asked) != 0 {
		t.Errorf("%+v", list)
	}
	for range 3 {
		list := w.ListTrunks(t.Context(), true)
		if list[0].Answers == nil || !*list[0].Answers || list[1].Answers == nil || *list[1].Answers {
			t.Errorf("%+v", list)
		}
	}
	if len(asked) != 2 {
		t.Errorf("asked %d times", len(asked))
	}
	w.now = w.now.Add(freshProbe)
	if w.ListTrunks(t.Context(), true); len(asked) != 4 {
		t.Errorf("asked %d times after a while", len(asked))
	}
}
