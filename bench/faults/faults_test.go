package main

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ringtrue/ringtrue/internal/experiment"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/practice"
	"github.com/ringtrue/ringtrue/internal/scenario"
	"github.com/ringtrue/ringtrue/internal/score"
)

// TestTheMatrixIsWhole compares the lists: every fault of the practice agent must be planted, every
// metric bounded, and every kind of scorer used.
func TestTheMatrixIsWhole(t *testing.T) {
	t.Parallel()
	planted := map[string]bool{}
	for _, f := range agentFaults() {
		planted[f.name] = true
		if _, text, err := f.planted(rand.New(rand.NewPCG(1, 2))); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		if (f.sizes == "") != (f.draw == nil) || len(f.finders) == 0 || len(f.where) == 0 || (len(f.also) > 0) != (f.why != "") {
			t.Errorf("%s is not whole: %+v", f.name, f)
		}
	}
	for _, f := range practice.KnownFaults() {
		if !planted[f.Name] {
			t.Errorf("the fault %s of the practice agent is not planted", f.Name)
		}
	}
	if len(planted) != len(practice.KnownFaults()) || len(planted) < 12 || len(ownFaults()) < 6 {
		t.Errorf("%d faults of the agent and %d of our own are planted", len(planted), len(ownFaults()))
	}
	bounded := map[string]bool{}
	for _, b := range bounds() {
		bounded[b.metric] = true
	}
	for _, m := range score.Metrics() {
		if !bounded[m.Name] {
			t.Errorf("the metric %s is not bounded", m.Name)
		}
	}
	asked := map[string]bool{}
	for _, name := range names(t) {
		asked[kindOf(kindsOf(), name)] = true
	}
	for _, k := range kinds() {
		if !asked[k] {
			t.Errorf("no scorer of the kind %s is asked", k)
		}
	}
}

// names returns the names of all scores that the scenarios yield.
func names(t *testing.T) []string {
	t.Helper()
	items, bad := scenario.ParseItems(dataset, scenario.YAML)
	if bad != nil {
		t.Fatal(bad)
	}
	var out []string
	for _, s := range scorers() {
		out = append(out, s.Slug)
	}
	for _, item := range items {
		for _, c := range score.FromOutput(item) {
			out = append(out, c.Name)
		}
	}
	return out
}

// TestNobodyNamesAScoreThatIsNotThere checks that every check in the lists exists.
func TestNobodyNamesAScoreThatIsNotThere(t *testing.T) {
	t.Parallel()
	all := names(t)
	for _, f := range agentFaults() {
		for _, check := range append(slices.Clone(f.finders), f.also...) {
			if !slices.ContainsFunc(all, func(name string) bool { return meant([]string{check}, name) }) {
				t.Errorf("%s names the check %s, which does not exist", f.name, check)
			}
		}
	}
}

// TestAFewFindingsAreTrue plays a part of the matrix.
func TestAFewFindingsAreTrue(t *testing.T) {
	t.Parallel()
	o := options{
		plan:     plan{seed: 3, seeds: 1, perFault: 1, workers: 2, only: "ignore_interruption,recording lacks the agent,caller hangs up early"},
		ownSeeds: 1, data: t.TempDir(), line: linePhone,
	}
	r, err := play(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if f := r.figures(); !r.good() || f["agent_faults_found"] != 1 || f["own_faults_void"] != 2 || f["own_calls"] != 4 {
		var b bytes.Buffer
		r.print(&b)
		t.Errorf("%v\n%s", f, b.String())
	}
	if page := r.page(); !strings.Contains(page, "| `ignore_interruption` |  | 1 of 1 |") {
		t.Errorf("the page is\n%s", page)
	}
	o.played = true
	again, err := play(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(r.figures(), again.figures()); diff != "" || r.page() != again.page() {
		t.Errorf("the results read from the folder are others than those of the calls (-placed +read):\n%s", diff)
	}
}

// planted is a caller that speaks in the frames of its plan that are not 0.
type planted struct {
	experiment.Party
	plan []int16
}

func (p *planted) Step(_, out *leg.Frame) {
	for i := range out.PCM {
		out.PCM[i] = p.plan[0]
	}
	p.plan = p.plan[1:]
}

// TestTheCallerIsStoppedWhereItBeginsToSpeak checks that the process is only stopped at the
// beginnings of the caller's speech: a breath is not one, and after a few of them no more are
// reported.
func TestTheCallerIsStoppedWhereItBeginsToSpeak(t *testing.T) {
	t.Parallel()
	begun := make(chan struct{}, 100)
	p := &planted{}
	var want []int
	for n := range 5 {
		p.plan = append(p.plan, make([]int16, 20)...)
		if n < stops {
			want = append(want, len(p.plan))
		}
		p.plan = append(p.plan, 4000, 4000, 0, 0, 0, 4000, 4000)
	}
	caller := &talker{Party: p, begun: begun}
	var got []int
	for i := range len(p.plan) {
		caller.Step(nil, &leg.Frame{PCM: make([]int16, 160)})
		if len(begun) > 0 {
			<-begun
			got = append(got, i)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("it told of its beginnings in other frames (-want +got):\n%s", diff)
	}
}

// TestThePageTellsEachCheckOnce checks that the page lists what may fail besides the checks meant
// for a fault, each once, by its own name or that of a group, and nothing else.
func TestThePageTellsEachCheckOnce(t *testing.T) {
	t.Parallel()
	members := map[string][]string{}
	for _, g := range groups() {
		members["*"+g.name+"*"] = quoted(g.checks)
	}
	for _, f := range agentFaults() {
		told := map[string]bool{}
		for _, name := range f.besides() {
			if told[name] {
				t.Errorf("%s: %s stands twice", f.name, name)
			}
			told[name] = true
			for _, member := range members[name] {
				told[member] = true
			}
		}
		for _, check := range quoted(f.also) {
			if !told[check] && !slices.Contains(quoted(f.finders), check) {
				t.Errorf("%s: %s is missing", f.name, check)
			}
		}
		for name := range told {
			if members[name] == nil && !slices.Contains(quoted(f.also), name) {
				t.Errorf("%s: %s may not fail", f.name, name)
			}
		}
	}
}
