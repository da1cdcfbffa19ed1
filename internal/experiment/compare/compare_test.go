package compare

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/experiment"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

func item(id string) scenario.Item {
	return scenario.Item{ID: id, Input: scenario.Input{Goal: "goal of " + id}}
}

// result is a call of an item with a required scorer "books" that decided it.
func result(i scenario.Item, repetition int, v call.Verdict, latency ...float64) experiment.Result {
	id := fmt.Sprintf("call_%s_%d", i.ID, repetition)
	answered := time.UnixMilli(1_700_000_000_000)
	f := &experiment.Found{CallID: id, Scores: []experiment.FoundScore{
		{Name: "books", Version: 1, Verdict: v, Required: true}, {Name: "polite", Version: 2, Verdict: call.Passed},
	}}
	if len(latency) > 0 {
		m := experiment.FoundMetric{Name: "turn_latency", Version: 2, Unit: "s"}
		m.Spread = &experiment.FoundSpread{Values: latency}
		f.Metrics = append(f.Metrics, m, experiment.FoundMetric{Name: "talk_ratio", Unit: "ratio", Value: &latency[0]}, experiment.FoundMetric{Name: "mos", Unit: "MOS"})
	}
	return experiment.Result{
		Call: call.Call{ID: id, Repetition: repetition, Verdict: v, VerdictReason: "because", AnsweredAt: answered, EndedAt: answered.Add(time.Minute)},
		Item: i, Found: f,
	}
}

func over(calls ...experiment.Result) experiment.Results {
	return experiment.Results{Experiment: experiment.Experiment{Status: experiment.Finished}, Calls: calls}
}

func TestSummary(t *testing.T) {
	t.Parallel()
	a, b := item("a"), item("b")
	b.Key = "second"
	r := over(result(a, 2, call.NotPassed, 0.5), result(a, 1, call.Passed, 0.7, 0.9), result(b, 1, call.Void, 99), result(b, 2, ""))
	r.Calls[3].Found = nil
	s := Summarise(r)
	if s.PassRate.Passed != 1 || s.PassRate.Evaluated != 2 || *s.PassRate.Value != 0.5 || *s.PassRate.Low > 0.1 || *s.PassRate.High < 0.9 {
		t.Errorf("%+v", s.PassRate)
	}
	if len(s.Scenarios) != 2 || s.Scenarios[0].Title != "goal of a" || s.Scenarios[1].Title != "second" || s.Scenarios[0].Calls[0].Repetition != 1 {
		t.Fatalf("%+v", s.Scenarios)
	}
	if n := s.Scenarios[1].Counts; n.Void != 1 || n.Open != 1 || s.Scenarios[1].PassRate.Value != nil {
		t.Errorf("%+v", n)
	}
	if len(s.Scorers) != 2 || s.Scorers[0].Counts != (VerdictCounts{Passed: 1, Failed: 1}) || s.Scorers[1].Counts.Passed != 2 {
		t.Errorf("what a void call's scorers said counts for nothing: %+v", s.Scorers)
	}
	if c := s.Scenarios[0].Calls[1]; len(c.Scores) != 2 || c.Scores[0].Verdict != "failed" || *c.DurationMS != 60_000 {
		t.Errorf("%+v", c)
	}
	if c := s.Scenarios[1].Calls[1]; len(c.Scores) != 2 || c.Scores[0] != nil {
		t.Errorf("a call without a review has no cells: %+v", c)
	}
	if len(s.Metrics) != 2 || s.Metrics[0].Values != 3 || s.Metrics[0].Calls != 2 || *s.Metrics[0].Max != 0.9 || *s.Metrics[0].P50.Value != 0.7 || *s.Metrics[0].Better != "lower" {
		t.Errorf("a void call's figures do not count, nor do those that nobody has: %+v", s.Metrics)
	}
	if p := s.Metrics[0].P50; p.Low != nil || p.High != nil {
		t.Errorf("three values bound no median: %+v", p)
	}
	if len(s.Void) != 1 || !slices.Equal(s.Void[0].CallIDs, []string{"call_b_1"}) {
		t.Errorf("%+v", s.Void)
	}
	if empty := Summarise(over()); empty.PassRate.Value != nil || len(empty.Scenarios) != 0 {
		t.Errorf("%+v", empty)
	}
}

// A number that tells two scorers of a name apart must not make a name that a third one has.
func TestScorersWhoseNamesAreAlike(t *testing.T) {
	t.Parallel()
	r := result(item("a"), 1, call.Passed)
	r.Found.Scores = nil
	for i, name := range []string{"books", "books", "books (2)", "books", "books (2)"} {
		r.Found.Scores = append(r.Found.Scores, experiment.FoundScore{ScorerID: fmt.Sprint(i), Name: name, Verdict: call.Passed})
	}
	var names []string
	for _, s := range Summarise(over(r)).Scorers {
		names = append(names, s.ScorerID+": "+s.Name)
	}
	if want := []string{"0: books", "1: books (3)", "2: books (2)", "3: books (4)", "4: books (2) (2)"}; !slices.Equal(names, want) {
		t.Errorf("%q", names)
	}
}

// A scenario is steady when all its calls passed; one with a call of which nobody can tell does not count.
func TestSteadyScenarios(t *testing.T) {
	t.Parallel()
	var calls []experiment.Result
	for id, verdicts := range map[string][3]call.Verdict{
		"steady": {call.Passed, call.Passed, call.Passed}, "wavers": {call.Passed, call.NotPassed, call.Passed}, "fails": {call.NotPassed, call.NotPassed, call.NotPassed},
		"void": {call.Passed, call.Void, call.Passed}, "void and failed": {call.Void, call.NotPassed, call.Passed}, "open": {call.Passed, "", call.Passed},
		"unclear": {call.NotEvaluated, call.NotEvaluated, call.NotEvaluated},
	} {
		for n, v := range verdicts {
			calls = append(calls, result(item(id), n+1, v))
		}
	}
	if got := Summarise(over(calls...)).Steady; got.Passed != 1 || got.Evaluated != 3 || *got.Value > 0.34 || *got.High < 0.5 {
		t.Errorf("%+v", got)
	}
	if empty := Summarise(over()).Steady; empty.Evaluated != 0 || empty.Value != nil {
		t.Errorf("%+v", empty)
	}
}

func TestHistogramHoldsEveryValueOnce(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	for name, of := range map[string]func() float64{
		"spread": rng.ExpFloat64, "far out": func() float64 { return 1 / (0.001 + rng.Float64()*rng.Float64()) },
		"all alike": func() float64 { return 0.4 }, "negative": func() float64 { return -30 + rng.NormFloat64() }, "tiny": func() float64 { return 1e-9 * rng.Float64() },
		"whole": func() float64 { return float64(rng.IntN(4)) },
	} {
		m := &measured{}
		for range 1000 {
			m.calls = append(m.calls, []float64{of()})
		}
		bins := m.result().Histogram
		sum := 0
		for i, b := range bins {
			sum += b.Count
			if b.Until < b.From || i > 0 && b.From != bins[i-1].Until {
				t.Errorf("%s: %+v", name, bins)
				break
			}
		}
		if sum != 1000 || len(bins) > maxBins+4 {
			t.Errorf("%s: %d values in %d stretches", name, sum, len(bins))
		}
	}
}

func TestScenariosAreMatched(t *testing.T) {
	t.Parallel()
	same, keyed, moved, gone := item("same"), item("old_keyed"), item("old_moved"), item("gone")
	keyed.Key, moved.Input.Goal = "k", "the very same words"
	base := over(result(same, 1, call.Passed), result(keyed, 1, call.Passed), result(moved, 1, call.Passed), result(gone, 1, call.Passed))
	edited, rekeyed, copied, fresh := item("same"), item("new_keyed"), item("new_moved"), item("fresh")
	edited.Input.Goal, rekeyed.Key, copied.Input.Goal = "another goal", "k", "the very same words"
	with := over(result(edited, 1, call.NotPassed), result(rekeyed, 1, call.Passed), result(copied, 1, call.Void), result(fresh, 1, call.NotPassed))
	c := Compare(base, with)
	got := map[string][3]string{}
	for _, s := range c.Scenarios {
		how := ""
		if s.Matched != nil {
			how = *s.Matched
		}
		got[s.Title] = [3]string{how, s.Change, fmt.Sprint(s.Edited)}
	}
	want := map[string][3]string{
		"another goal": {"id", "worse", "true"}, "k": {"key", "same", "true"}, "the very same words": {"content", "unclear", "false"},
		"goal of fresh": {"", "added", "false"}, "goal of gone": {"", "removed", "false"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v", got)
	}
	if c.Scenarios[0].Change != "worse" || c.Scenarios[len(c.Scenarios)-1].Change != "same" {
		t.Error("what is worse comes first, what is the same last")
	}
	// What only one side has counts in no difference.
	if c.PassRate.Base.Evaluated != 4 || c.PassRate.With.Evaluated != 3 || *c.PassRate.Difference.Value != -0.5 {
		t.Errorf("%+v", c.PassRate)
	}
	if len(c.Changed) != 2 || c.Changed[0].Change != "worse" || c.Changed[0].BaseCallID != "call_same_1" || c.Changed[1].To != "void" || c.Changed[1].Change != "other" {
		t.Errorf("%+v", c.Changed)
	}
	notes := []string{"Scenarios only in the later one: 1, only in the earlier one: 1. They do not count in the differences.", "Scenarios edited in between: 2."}
	if len(c.BaseVoid) != 0 || len(c.WithVoid) != 1 || !slices.Equal(c.Notes, notes) {
		t.Errorf("%+v %+v %v", c.BaseVoid, c.WithVoid, c.Notes)
	}
}

func TestTwoEqualScenariosAreMatchedOnce(t *testing.T) {
	t.Parallel()
	twin := func(id string) scenario.Item { i := item(id); i.Input.Goal = "twin"; return i }
	c := Compare(over(result(twin("a"), 1, call.Passed), result(twin("b"), 1, call.NotPassed)), over(result(twin("c"), 1, call.Passed), result(twin("d"), 1, call.NotPassed)))
	if len(c.Scenarios) != 2 || len(c.Changed) != 0 || *c.Scenarios[0].BaseItemID == *c.Scenarios[1].BaseItemID {
		t.Errorf("%+v", c.Scenarios)
	}
}

// A side may lack a repetition: each call is still compared with its own one, and with none that
// it was never meant to be like.
func TestVerdictsAreComparedByRepetition(t *testing.T) {
	t.Parallel()
	i := item("a")
	whole := over(result(i, 1, call.NotPassed), result(i, 2, call.Passed), result(i, 3, call.NotPassed))
	lacks := over(result(i, 2, call.Passed), result(i, 3, call.Passed))
	got := Compare(whole, lacks).Changed
	if len(got) != 1 || got[0].Repetition != 3 || got[0].BaseCallID != "call_a_3" || got[0].WithCallID != "call_a_3" || got[0].Change != "better" {
		t.Errorf("the later one lacks the first repetition: %+v", got)
	}
	got = Compare(lacks, whole).Changed
	if len(got) != 1 || got[0].Repetition != 3 || got[0].BaseCallID != "call_a_3" || got[0].Change != "worse" {
		t.Errorf("the earlier one lacks it: %+v", got)
	}
}

// planted makes an experiment of scenarios of their own difficulty and speed.
func planted(rng *rand.Rand, scenarios, repetitions int, harder, slower float64) experiment.Results {
	var calls []experiment.Result
	for s := range scenarios {
		pass, base := []float64{0.97, 0.8, 0.5}[s%3]-harder, 0.5+0.4*float64(s%5)
		for r := range repetitions {
			v := call.NotPassed
			if rng.Float64() < pass {
				v = call.Passed
			}
			var latency []float64
			for range 6 {
				latency = append(latency, base+slower+0.15*rng.NormFloat64())
			}
			calls = append(calls, result(item(fmt.Sprintf("i%03d", s)), r+1, v, latency...))
		}
	}
	return over(calls...)
}

// A change that was planted is found with its direction and size, and where none
// was none is told, but for a few by chance.
func TestPlantedChangesAreFound(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(11, 4))
	const rounds = 40
	falseRates, falseMetrics, rates, latencies, held := 0, 0, 0, 0, 0
	for range rounds {
		base := planted(rng, 30, 3, 0, 0)
		alike, worse := Compare(base, planted(rng, 30, 3, 0, 0)), Compare(base, planted(rng, 30, 3, 0.3, 0.2))
		if c := alike.PassRate.Change; c == "better" || c == "worse" {
			falseRates++
		}
		if c := alike.Metrics[0].Change; c == "better" || c == "worse" {
			falseMetrics++
		}
		if worse.PassRate.Change == "worse" {
			rates++
		}
		m := worse.Metrics[0]
		if m.Name == "turn_latency" && m.Change == "worse" && m.Scenarios == 30 {
			latencies++
		}
		if m.ByScenario.Low != nil && *m.ByScenario.Low <= 0.2 && *m.ByScenario.High >= 0.2 {
			held++
		}
	}
	if falseRates > 5 || falseMetrics > 5 || rates < rounds*9/10 || latencies < rounds*9/10 || held < rounds*8/10 {
		t.Errorf("false %d and %d, found %d and %d, held %d of %d", falseRates, falseMetrics, rates, latencies, held, rounds)
	}
	again := func() Comparison {
		r := rand.New(rand.NewPCG(5, 5))
		return Compare(planted(r, 12, 2, 0, 0), planted(r, 12, 2, 0.2, 0.1))
	}
	if !reflect.DeepEqual(again(), again()) {
		t.Error("the same experiments compare differently a second time")
	}
}

// Of scenarios that pass sometimes those that failed do better the next time, with the very same
// agent. A rerun of all of them, or one of other scenarios, is compared as ever.
func TestARerunOfWhatFailedTellsOfNoChange(t *testing.T) {
	t.Parallel()
	base, failed, all := over(), over(), over()
	failed.Experiment.RerunOf, all.Experiment.RerunOf = "vex_base", "vex_base"
	for s := range 60 {
		i, v := item(fmt.Sprint(s)), call.Passed
		if s%2 == 0 {
			v = call.NotPassed
			failed.Calls = append(failed.Calls, result(i, 1, call.Passed))
		}
		base.Calls, all.Calls = append(base.Calls, result(i, 1, v)), append(all.Calls, result(i, 1, call.Passed))
	}
	c := Compare(base, failed)
	if r := c.PassRate; r.Change != "unclear" || r.Difference.Outcome != "not_enough" || r.Difference.P != 1 || *r.Difference.Value != 1 {
		t.Errorf("told of a rerun of what failed: %+v", r)
	}
	if s := c.Scorers[0]; s.Name != "books" || s.Change != "unclear" {
		t.Errorf("%+v", s)
	}
	if !slices.ContainsFunc(c.Notes, func(note string) bool { return strings.Contains(note, "passes by chance") }) {
		t.Errorf("notes: %q", c.Notes)
	}
	if c := Compare(base, all); c.PassRate.Change != "better" || len(c.Notes) != 0 {
		t.Errorf("a rerun of all: %+v %q", c.PassRate, c.Notes)
	}
	// What a later review says of the earlier calls does not change how the scenarios were chosen.
	base.Experiment.ID, failed.Experiment.Plan.OnlyFailed = "vex_base", true
	base.Calls[0] = result(base.Calls[0].Item, 1, call.Passed)
	if c := Compare(base, failed); c.PassRate.Change != "unclear" {
		t.Errorf("after another review: %+v", c.PassRate)
	}
	failed.Experiment.RerunOf, failed.Experiment.Plan.OnlyFailed = "", false
	if c := Compare(base, failed); c.PassRate.Change != "better" {
		t.Errorf("scenarios that somebody else chose: %+v", c.PassRate)
	}
}

// A metric is compared where both sides have it: the slow scenarios that only one of them called, or
// whose calls are all void there, make the agent neither slower nor faster.
func TestMetricsOfOneSideAloneAreNoChange(t *testing.T) {
	t.Parallel()
	base, with := over(), over()
	for s := range 5 {
		for r := range 10 {
			quick := func() float64 { return 0.5 + 0.01*float64((s+r)%7) }
			base.Calls, with.Calls = append(base.Calls, result(item(fmt.Sprint(s)), r, call.Passed, quick())), append(with.Calls, result(item(fmt.Sprint(s)), r, call.Passed, quick()))
			base.Calls = append(base.Calls, result(item(fmt.Sprint("gone", s)), r, call.Passed, 3), result(item(fmt.Sprint("void", s)), r, call.Passed, 3))
			with.Calls = append(with.Calls, result(item(fmt.Sprint("void", s)), r, call.Void, 3))
		}
	}
	m := Compare(base, with).Metrics[0]
	if m.Name != "turn_latency" || m.Change != "same" || *m.P50.Value != 0 || *m.P95.Value != 0 || m.P50.P < 0.05 || m.Scenarios != 5 {
		t.Errorf("%+v", m)
	}
	if *m.Base.P50.Value != 3 || m.Base.Calls != 150 || m.With.Calls != 50 {
		t.Errorf("each side shows all that it has: %+v %+v", m.Base, m.With)
	}
}

// A new scenario that fails makes the rate of all calls worse although what both have got better.
func TestTheRatesOfADifferenceAreTold(t *testing.T) {
	t.Parallel()
	a, b, fresh := item("a"), item("b"), item("fresh")
	base := over(result(a, 1, call.NotPassed), result(b, 1, call.Passed))
	with := over(result(a, 1, call.Passed), result(b, 1, call.Void), result(fresh, 1, call.NotPassed), result(fresh, 2, call.NotPassed))
	c := Compare(base, with)
	both := c.PassRate.Both
	if both == nil || both.Scenarios != 1 || *both.Base.Value != 0 || *both.With.Value != 1 || c.PassRate.With.Evaluated != 3 {
		t.Fatalf("the difference is of one scenario alone: %+v", both)
	}
	if c.Scorers[0].Both == nil {
		t.Errorf("a scorer's difference too: %+v", c.Scorers[0])
	}
	if same := Compare(base, base); same.PassRate.Both != nil {
		t.Errorf("all calls count: %+v", same.PassRate.Both)
	}
	if other := Compare(base, over(result(fresh, 1, call.Passed))); other.PassRate.Both != nil || other.PassRate.Difference.Value != nil {
		t.Errorf("nothing is in both: %+v", other.PassRate)
	}
}

func TestScorersAreComparedByName(t *testing.T) {
	t.Parallel()
	base, with := over(), over()
	for s := range 20 {
		base.Calls = append(base.Calls, result(item(fmt.Sprint(s)), 1, call.Passed))
		now := result(item(fmt.Sprint(s)), 1, call.Passed)
		now.Found.Scores[1] = experiment.FoundScore{Name: "polite", Version: 3, Verdict: call.NotPassed}
		now.Found.Scores = append(now.Found.Scores, experiment.FoundScore{Name: "polite", Version: 1, Verdict: call.Passed}, experiment.FoundScore{Name: "new", Verdict: call.Passed})
		with.Calls = append(with.Calls, now)
	}
	c := Compare(base, with)
	got := map[string]string{}
	for _, s := range c.Scorers {
		got[s.Name] = s.Change
	}
	want := map[string]string{"books": "same", "polite": "worse", "polite (2)": "unclear", "new": "unclear"}
	if !reflect.DeepEqual(got, want) || *c.Scorers[1].BaseVersion != 2 || *c.Scorers[1].WithVersion != 3 || c.Scorers[3].BaseVersion != nil {
		t.Errorf("%v %+v", got, c.Scorers)
	}
}

// The values of a metric are not kept by scenario: thousands of scenarios have one each.
//
//nolint:paralleltest // what others allocate would be counted
func TestValuesAreNotKeptByScenario(t *testing.T) {
	const calls, metrics = 500, 20
	r := over()
	for i := range calls {
		one := result(item(fmt.Sprint("item", i)), 1, call.Passed)
		for k := range metrics {
			one.Found.Metrics = append(one.Found.Metrics, experiment.FoundMetric{Name: fmt.Sprint("metric", k), Spread: &experiment.FoundSpread{Values: []float64{float64(i)}}})
		}
		r.Calls = append(r.Calls, one)
	}
	const values = calls * metrics
	if n := testing.AllocsPerRun(1, func() { Summarise(r) }); n > values {
		t.Errorf("a summary of %d values allocates %.0f times", values, n)
	}
	if n := testing.AllocsPerRun(1, func() { Compare(r, r) }); n > 6*values {
		t.Errorf("a comparison of twice %d values allocates %.0f times", values, n)
	}
}
