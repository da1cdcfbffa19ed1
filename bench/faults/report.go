package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/score"
)

// result is the result of the whole matrix.
type result struct {
	plan   plan
	agents []agentRow
	own    []ownRow
	// sound is the row of the agent without faults.
	sound agentRow
	// alarms are the failed scores of sound agents, wrong what was blamed on the wrong side; each
	// with its evidence.
	alarms, wrong []string
	// misheard is how many of the wrong ones contradict what the agent really said.
	misheard int
	// checks is how many scores were given, open how many could not be.
	checks, open int
}

// agentRow is a fault of the agent over all seeds.
type agentRow struct {
	fault agentFault
	calls int
	// sizes are those drawn; found says for which seeds it was found.
	sizes []string
	found map[int]bool
	seeds map[int]bool
	// failed and given count scores by kind.
	failed, given map[string]int
	also          map[string]int
}

func (a *agentRow) all() bool { return len(a.found) == len(a.seeds) && len(a.seeds) > 0 }

// ownRow is a fault of ours over all seeds.
type ownRow struct {
	fault       ownFault
	calls, void int
	// reasons are the distinct sentences of the verdicts.
	reasons []string
}

// kinds returns the columns of the matrix.
func kinds() []string {
	var out []string
	for _, k := range score.Kinds() {
		out = append(out, k.Kind)
	}
	return out
}

// kindsOf returns the kind of each configured scorer by its name.
func kindsOf() map[string]string {
	out := map[string]string{}
	for _, s := range scorers() {
		out[s.Slug] = s.Kind
	}
	return out
}

// kindOf returns the kind for the name of a score.
func kindOf(configured map[string]string, name string) string {
	if kind, ok := configured[name]; ok {
		return kind
	}
	prefix, rest, _ := strings.Cut(name, ":")
	switch {
	case prefix == "outcome":
		return score.KindEndReason
	case prefix == "rubric":
		return score.KindJudge
	case prefix == "timing" && rest == "duration":
		return score.KindDuration
	}
	return prefix
}

// judged turns calls into rows.
func judged(p plan, calls []finding, spoilt []spoiltCall) result {
	r := result{plan: p, sound: newRow(agentFault{})}
	rows := map[string]*agentRow{"": &r.sound}
	for _, f := range agentFaults() {
		row := newRow(f)
		rows[f.name] = &row
	}
	configured := kindsOf()
	slices.SortFunc(calls, func(a, b finding) int {
		return cmp.Or(cmp.Compare(a.seed, b.seed), strings.Compare(a.fault.name, b.fault.name), strings.Compare(a.item.Key, b.item.Key))
	})
	for i := range calls {
		f := &calls[i]
		r.take(rows[f.fault.name], f, configured)
	}
	for _, f := range agentFaults() {
		if row := rows[f.name]; row.calls > 0 {
			r.agents = append(r.agents, *row)
		}
	}
	slices.SortFunc(spoilt, func(a, b spoiltCall) int {
		return cmp.Or(strings.Compare(a.fault.name, b.fault.name), cmp.Compare(a.seed, b.seed), strings.Compare(a.agent, b.agent))
	})
	r.takeOwn(spoilt)
	return r
}

func newRow(f agentFault) agentRow {
	return agentRow{fault: f, found: map[int]bool{}, seeds: map[int]bool{}, failed: map[string]int{}, given: map[string]int{}, also: map[string]int{}}
}

// take counts one call.
func (r *result) take(row *agentRow, f *finding, configured map[string]string) {
	row.calls++
	row.seeds[f.seed] = true
	if _, size, _ := strings.Cut(f.size, "="); size != "" && !slices.Contains(row.sizes, size) {
		row.sizes = append(row.sizes, size)
	}
	if f.found() {
		row.found[f.seed] = true
	}
	who := fmt.Sprintf("%s, voice %s, %s", orElse(f.size, "sound"), f.voice, f.item.Key)
	for _, s := range f.review.Scores {
		if s.Verdict == call.NotPassed || s.Verdict == call.Passed {
			row.given[kindOf(configured, s.Name)]++
			r.checks++
		} else {
			r.open++
		}
	}
	for _, s := range f.failed() {
		row.failed[kindOf(configured, s.Name)]++
		switch {
		case f.fault.name == "":
			r.alarms = append(r.alarms, fmt.Sprintf("%s: %s: %s%s", who, s.Name, s.Reason, evidence(s)))
		case untrue(f.item.Key, s, f.said):
			r.misheard++
			r.wrong = append(r.wrong, fmt.Sprintf("%s: %s, although the agent's own record says otherwise: %s%s", who, s.Name, s.Reason, evidence(s)))
		case meant(f.fault.finders, s.Name):
		case meant(f.fault.also, s.Name):
			row.also[s.Name]++
		default:
			r.wrong = append(r.wrong, fmt.Sprintf("%s: %s: %s%s", who, s.Name, s.Reason, evidence(s)))
		}
	}
	if why := misblamed(f); why != "" {
		r.wrong = append(r.wrong, who+": "+why)
	}
}

// misblamed describes how the end of a call, or the call as a whole, is blamed on the wrong side.
func misblamed(f *finding) string {
	switch blame := f.call.EndReason.Blame; {
	case f.call.Verdict == call.Void:
		return "the call is void: " + f.call.VerdictReason
	case blame == call.BlameNobody, slices.Contains(f.fault.ends, blame):
		return ""
	default:
		return fmt.Sprintf("its end (%s) is blamed on %s", f.call.EndReason.Code, blame)
	}
}

func evidence(s call.Score) string {
	var b strings.Builder
	for _, e := range s.Evidence {
		fmt.Fprintf(&b, " [turn %d, %.1f to %.1f s: %q]", e.Turn, e.Start.Seconds(), e.End.Seconds(), e.Quote)
	}
	return b.String()
}

func (r *result) takeOwn(spoilt []spoiltCall) {
	for _, f := range ownFaults() {
		row := ownRow{fault: f}
		for i := range spoilt {
			s := &spoilt[i]
			if s.fault.name != f.name {
				continue
			}
			row.calls++
			if s.void() {
				row.void++
			} else {
				r.wrong = append(r.wrong, fmt.Sprintf("%s (ours), agent %s: %s, %s, mended %q: %s", f.name, orElse(s.agent, "sound"), s.call.ScoringStatus, s.call.Verdict, s.mended, s.call.VerdictReason))
			}
			if why := s.call.VerdictReason; len(row.reasons) == 0 {
				row.reasons = append(row.reasons, why)
			}
		}
		if row.calls > 0 {
			r.own = append(r.own, row)
		}
	}
}

// figures returns the numbers that are followed over time.
func (r *result) figures() map[string]float64 {
	out := map[string]float64{
		"agent_faults": float64(len(r.agents)), "own_faults": float64(len(r.own)), "false_alarms": float64(len(r.alarms)),
		"wrongly_blamed": float64(len(r.wrong)), "misheard": float64(r.misheard), "not_evaluated": float64(r.open), "sound_calls": float64(r.sound.calls), "checks": float64(r.checks),
	}
	for _, a := range r.agents {
		out["agent_plants"] += float64(len(a.seeds))
		out["agent_plants_found"] += float64(len(a.found))
		out["agent_calls"] += float64(a.calls)
		if a.all() {
			out["agent_faults_found"]++
		}
	}
	for _, o := range r.own {
		out["own_calls"] += float64(o.calls)
		out["own_calls_void"] += float64(o.void)
		if o.calls == o.void {
			out["own_faults_void"]++
		}
	}
	return out
}

// good reports whether everything is as required.
func (r *result) good() bool {
	f := r.figures()
	return len(r.alarms) == 0 && len(r.wrong) == 0 && f["agent_faults_found"] == f["agent_faults"] && f["own_faults_void"] == f["own_faults"]
}

// print prints the tables for people.
func (r *result) print(w io.Writer) {
	fmt.Fprintf(w, "%-21s %-26s %-7s %6s %6s  %s\n", "agent fault", "sizes drawn", "found", "calls", "failed", "found by")
	for _, a := range r.agents {
		fmt.Fprintf(w, "%-21s %-26s %3d / %-2d %6d %6d  %s\n", a.fault.name, orElse(strings.Join(a.sizes, " "), "on"), len(a.found), len(a.seeds),
			a.calls, total(a.failed), strings.Join(a.fault.finders, ", "))
	}
	fmt.Fprintf(w, "%-21s %-26s %-7s %6d %6d\n\n", "(none)", "", "", r.sound.calls, total(r.sound.failed))
	r.printKinds(w)
	fmt.Fprintf(w, "%-30s %-7s  %s\n", "our own fault", "void", "for example")
	for _, o := range r.own {
		fmt.Fprintf(w, "%-30s %3d / %-2d  %s\n", o.fault.name, o.void, o.calls, strings.Join(o.reasons, " "))
	}
	for title, list := range map[string][]string{"False alarms": r.alarms, "Blamed on the wrong side, or not explained": r.wrong} {
		fmt.Fprintf(w, "\n%s: %d\n", title, len(list))
		for _, line := range list {
			fmt.Fprintf(w, "  %s\n", line)
		}
	}
}

// printKinds prints the matrix of faults and scorer kinds: scores that failed.
func (r *result) printKinds(w io.Writer) {
	fmt.Fprintf(w, "%-21s", "failed scores")
	for _, k := range kinds() {
		fmt.Fprintf(w, " %11s", k)
	}
	fmt.Fprintln(w)
	for _, a := range append(slices.Clone(r.agents), r.sound) {
		fmt.Fprintf(w, "%-21s", orElse(a.fault.name, "(none)"))
		for _, k := range kinds() {
			fmt.Fprintf(w, " %11s", fmt.Sprintf("%d/%d", a.failed[k], a.given[k]))
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintln(w)
}

func total(counts map[string]int) int {
	n := 0
	for _, c := range counts {
		n += c
	}
	return n
}
