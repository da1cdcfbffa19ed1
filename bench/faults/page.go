package main

import (
	"fmt"
	"strings"
)

// page is the findings as a page of the documentation.
func (r *result) page() string {
	var b strings.Builder
	f := r.figures()
	fmt.Fprintf(&b, `# Are findings true?

Made by `+"`go run ./bench/faults --write docs/metrics/findings.md`"+` with --seed %d, --seeds %d and --scenarios %d: every fault of the
[practice agent](../practice-agent.md) on its own, its size drawn at random, against scenarios and scorers that are the same for every agent and
were written down before (`+"`bench/faults/dataset.yaml`, `checks.go`"+`): each kind of scorer, and a bound on each metric. Calls run in virtual time with the real
speech engines, services and database. The agent speaks with these voices in turn: %s.

| figure | |
|---|---|
| faults of the agent, found at every seed by the check meant for them | %g of %g |
| faults planted, found | %g of %g |
| faults of our own, void in every call | %g of %g |
| calls that we spoilt, void | %g of %g |
| scores given | %g |
| scores left open, for want of a figure or of certainty | %g |
| failed scores in %g calls with a sound agent | %g |
| findings put down to the wrong side, or not explained by the fault | %g |
| of these, findings that contradict what the agent really said | %g |

## Faults of the agent

| fault | sizes drawn from | found | by | fails as well | because |
|---|---|---|---|---|---|
`, r.plan.seed, r.plan.seeds, r.plan.perFault, strings.Join(r.plan.spoken(), ", "), f["agent_faults_found"], f["agent_faults"], f["agent_plants_found"], f["agent_plants"], f["own_faults_void"], f["own_faults"],
		f["own_calls_void"], f["own_calls"], f["checks"], f["not_evaluated"], f["sound_calls"], f["false_alarms"], f["wrongly_blamed"], f["misheard"])
	for _, a := range r.agents {
		also := make([]string, 0, len(a.fault.also))
		for _, name := range a.fault.also {
			also = append(also, "`"+strings.TrimRight(name, "-:")+"`")
		}
		finders := make([]string, 0, len(a.fault.finders))
		for _, name := range a.fault.finders {
			finders = append(finders, "`"+strings.TrimRight(name, "-:")+"`")
		}
		fmt.Fprintf(&b, "| `%s` | %s | %d of %d | %s | %s | %s |\n", a.fault.name, a.fault.sizes, len(a.found), len(a.seeds), strings.Join(finders, ", "), strings.Join(also, ", "), a.fault.why)
	}
	r.pageKinds(&b)
	fmt.Fprintf(&b, "\n## Faults of our own\n\nEach is played with a sound agent and with a faulty one.\n\n| fault | what happens | void | verdict's reason, for example |\n|---|---|---|---|\n")
	for _, o := range r.own {
		fmt.Fprintf(&b, "| %s | %s | %d of %d | %s |\n", o.fault.name, o.fault.explanation, o.void, o.calls, strings.Join(o.reasons, " "))
	}
	for _, list := range []struct {
		title string
		lines []string
	}{{"False alarms", r.alarms}, {"Blamed on the wrong side, or not explained", r.wrong}} {
		fmt.Fprintf(&b, "\n## %s\n\n", list.title)
		for _, line := range list.lines {
			fmt.Fprintf(&b, "- %s\n", line)
		}
		if len(list.lines) == 0 {
			b.WriteString("None.\n")
		}
	}
	return b.String()
}

// pageKinds is the matrix of fault and scorer kind.
func (r *result) pageKinds(b *strings.Builder) {
	fmt.Fprintf(b, "\n## Failed scores by kind\n\nFailed of those given. The kind `judge` reads with a stand-in that counts turns: it shows the way from transcript to verdict, not how well a model reads.\n\n| fault |")
	for _, k := range kinds() {
		fmt.Fprintf(b, " `%s` |", k)
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(kinds())) + "\n")
	for _, a := range append(append([]agentRow(nil), r.agents...), r.sound) {
		fmt.Fprintf(b, "| %s |", orElse(a.fault.name, "none"))
		for _, k := range kinds() {
			fmt.Fprintf(b, " %d/%d |", a.failed[k], a.given[k])
		}
		b.WriteString("\n")
	}
}
