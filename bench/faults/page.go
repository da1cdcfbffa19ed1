package main

import (
	"fmt"
	"slices"
	"strings"
)

// page returns the findings as a page of the documentation.
func (r *result) page() string {
	var b strings.Builder
	r.pageSums(&b)
	b.WriteString("\n## Faults of the agent\n\nThe checks are [scorers](../scorers.md); `bound-…` is a bound on the [metric](README.md) of that name. A name can stand for all checks that begin with it. " +
		"Checks that often fail together have one name:\n\n| name | checks |\n|---|---|\n")
	for _, g := range groups() {
		fmt.Fprintf(&b, "| *%s* | %s |\n", g.name, strings.Join(quoted(g.checks), ", "))
	}
	b.WriteString("\n| fault | size drawn from | found | by the check | what else may fail | because |\n|---|---|---|---|---|---|\n")
	for _, a := range r.agents {
		f := a.fault
		fmt.Fprintf(&b, "| `%s` | %s | %d of %d | %s | %s | %s |\n", f.name, f.sizes, len(a.found), len(a.seeds),
			strings.Join(quoted(f.finders), ", "), strings.Join(f.besides(), ", "), f.why)
	}
	r.pageKinds(&b)
	fmt.Fprintf(&b, "\n## Faults of our own\n\nEach is played with a sound agent and with a faulty one. \"Void\" counts the calls with that verdict.\n\n| fault | what happens | void | reason of the verdict, for example |\n|---|---|---|---|\n")
	for _, o := range r.own {
		fmt.Fprintf(&b, "| %s | %s | %d of %d | %s |\n", o.fault.name, o.fault.explanation, o.void, o.calls, strings.Join(o.reasons, " "))
	}
	for _, list := range []struct {
		title, about string
		lines        []string
	}{
		{"False alarms", "Failed scores in calls with a sound agent.", r.alarms},
		{"Blamed on the wrong side, or not explained", "Failed scores in calls with a faulty agent that the tables above do not explain.", r.wrong},
	} {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n", list.title, list.about)
		for _, line := range list.lines {
			fmt.Fprintf(&b, "- %s\n", line)
		}
		if len(list.lines) == 0 {
			b.WriteString("None.\n")
		}
	}
	return b.String()
}

// pageSums writes what the page is about, and the totals.
func (r *result) pageSums(b *strings.Builder) {
	f := r.figures()
	fmt.Fprintf(b, `# Are findings true?

Every fault of the [practice agent](../practice-agent.md) is switched on by itself, and the agent is phoned. This page shows whether the fault is found,
what else fails because of it, and whether a call is void when our own side is at fault.

| figure | |
|---|---|
| faults of the agent that the check meant for them found at every seed | %g of %g |
| planted faults found | %g of %g |
| faults of our own that made every call void | %g of %g |
| calls spoilt by us that are void | %g of %g |
| scores given | %g |
| scores not given, because a figure was missing or uncertain | %g |
| failed scores in %g calls with a sound agent | %g |
| failed scores put down to the wrong side, or not explained by the fault | %g |
| of these, scores that contradict what the agent really said | %g |

## How it was measured

`+"```sh"+`
go run ./bench/faults --seed %d --seeds %d --scenarios %d --write docs/metrics/findings.md
`+"```"+`

- The size of each fault is drawn at random.
- The scenarios (`+"`bench/faults/dataset.yaml`"+`) and scorers (`+"`checks.go`"+`) are the same for every agent and were written down before. They hold each kind of
  scorer, and a bound on each metric.
- Calls run in virtual time with the real speech engines, services and database.
- The agent speaks with these voices in turn: %s.
`, f["agent_faults_found"], f["agent_faults"], f["agent_plants_found"], f["agent_plants"], f["own_faults_void"], f["own_faults"],
		f["own_calls_void"], f["own_calls"], f["checks"], f["not_evaluated"], f["sound_calls"], f["false_alarms"], f["wrongly_blamed"], f["misheard"],
		r.plan.seed, r.plan.seeds, r.plan.perFault, strings.Join(r.plan.spoken(), ", "))
}

// group is a list of checks that has a name on the page.
type group struct {
	name   string
	checks []string
}

// groups returns the lists that faults use as a whole.
func groups() []group {
	return []group{
		{"words", words()},
		{"outcome", done()},
		{"silences", silences()},
		{"overlaps", overlaps()},
		{"yielding", yields()},
		{"talking", talking()},
	}
}

// besides returns the checks that may fail besides those meant for the fault, each once, and whole
// groups by their names.
func (f agentFault) besides() []string {
	var out, told []string
	for _, g := range groups() {
		if !slices.ContainsFunc(g.checks, func(check string) bool { return !slices.Contains(f.also, check) }) {
			out = append(out, "*"+g.name+"*")
			told = append(told, g.checks...)
		}
	}
	for _, check := range f.also {
		if !slices.Contains(told, check) && !slices.Contains(f.finders, check) {
			out = append(out, quoted([]string{check})...)
			told = append(told, check)
		}
	}
	return out
}

// quoted returns the names of checks as they are on the page.
func quoted(checks []string) []string {
	out := make([]string, 0, len(checks))
	for _, name := range checks {
		out = append(out, "`"+strings.TrimRight(name, "-:")+"`")
	}
	return out
}

// pageKinds writes the matrix of faults and scorer kinds.
func (r *result) pageKinds(b *strings.Builder) {
	fmt.Fprintf(b, "\n## Failed scores by kind\n\nEach cell is the number of failed scores and of scores given. The kind `judge` reads with a stand-in that counts turns: it shows the way from transcript to verdict, not how well a model reads.\n\n| fault |")
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
