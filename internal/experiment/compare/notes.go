package compare

import (
	"fmt"
	"slices"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/experiment"
)

// notes say what makes two experiments hard to compare.
func notes(base, with experiment.Results, pairs []pair, metrics []MetricCompared) []string {
	out := []string{}
	b, w := base.Experiment, with.Experiment
	if !b.Status.Over() || !w.Status.Over() {
		out = append(out, "At least one of the experiments is not over yet, so this is what is known so far.")
	}
	if b.DatasetID != w.DatasetID {
		out = append(out, "They ran different datasets.")
	}
	if b.AgentID != w.AgentID {
		out = append(out, "They called different agents.")
	}
	if b.Line != w.Line {
		out = append(out, fmt.Sprintf("Their calls used different lines (%s and %s), which changes what is measured.", b.Line, w.Line))
	}
	edited, added, removed := 0, 0, 0
	for _, p := range pairs {
		switch {
		case p.base == nil:
			added++
		case p.with == nil:
			removed++
		case p.edited:
			edited++
		}
	}
	if added+removed > 0 {
		out = append(out, fmt.Sprintf("Scenarios only in the later one: %d, only in the earlier one: %d. They do not count in the differences.", added, removed))
	}
	if chosenByFailing(b, w, pairs) {
		out = append(out, "The later one repeats only what did not pass in the earlier one. Some of that passes by chance, so the difference does not show whether anything changed. Compare two runs of all scenarios instead.")
	}
	if edited > 0 {
		out = append(out, fmt.Sprintf("Scenarios edited in between: %d.", edited))
	}
	if note := judgedDifferently(pairs); note != "" {
		out = append(out, note)
	}
	return append(out, measuredDifferently(metrics)...)
}

// chosenByFailing tells whether the later experiment is a rerun of what had not passed. Of
// scenarios that pass sometimes those are the ones whose luck was bad, and a second throw is
// better on the whole with the very same agent. A rerun of the earlier one itself has written down
// how its scenarios were chosen, by verdicts that may be others since. Of a rerun of a rerun the
// verdicts tell.
func chosenByFailing(base, with experiment.Experiment, pairs []pair) bool {
	if with.RerunOf == "" {
		return false
	}
	known := with.RerunOf == base.ID && with.Plan.OnlyFailed
	leftOut := false
	for _, p := range pairs {
		switch {
		case p.base == nil:
			return false
		case p.with == nil:
			leftOut = true
		case known:
		case !slices.ContainsFunc(p.base.calls, func(r experiment.Result) bool { return r.Call.Verdict != call.Passed }):
			return false
		}
	}
	return leftOut
}

func measuredDifferently(metrics []MetricCompared) (out []string) {
	for _, m := range metrics {
		if m.Base.Calls > 0 && m.With.Calls > 0 && m.Base.Version != m.With.Version {
			out = append(out, fmt.Sprintf("%s was measured differently (version %d, then %d).", m.Name, m.Base.Version, m.With.Version))
		}
	}
	return out
}
