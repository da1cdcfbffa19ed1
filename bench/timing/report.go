package main

import (
	"fmt"
	"io"
	"maps"
	"strings"
	"text/tabwriter"
)

// report is everything that was measured.
type report struct {
	config
	voices   []string
	tallies  map[string]tally // by line
	samples  []sample
	segments segmentReport
}

// tally counts calls, and those among them that were not evidence.
type tally struct{ Calls, Void int }

// count adds calls over a line.
func (r *report) count(line string, calls, void int) {
	if r.tallies == nil {
		r.tallies = map[string]tally{}
	}
	t := r.tallies[line]
	r.tallies[line] = tally{t.Calls + calls, t.Void + void}
}

// total returns the tally of all lines.
func (r *report) total() (all tally) {
	for _, t := range r.tallies {
		all = tally{all.Calls + t.Calls, all.Void + t.Void}
	}
	return all
}

// of returns the samples of a metric, on a line and under a condition unless these are "".
func (r *report) of(metric, line, cond string) []sample {
	var out []sample
	for _, s := range r.samples {
		if s.Metric == metric && (line == "" || s.Line == line) && (cond == "" || s.Cond == cond) {
			out = append(out, s)
		}
	}
	return out
}

// figures returns the stable names with their values.
func (r *report) figures() map[string]float64 {
	all := r.total()
	out := map[string]float64{"calls": float64(all.Calls), "calls_void": float64(all.Void)}
	maps.Copy(out, r.segments.Figures)
	groups := map[string][]sample{}
	for _, s := range r.samples {
		name := s.Metric + "_error_ms"
		for _, line := range []string{"", "_" + s.Line} {
			groups[name+"|"+s.Figure+line] = append(groups[name+"|"+s.Figure+line], s)
		}
	}
	for key, samples := range groups {
		name, suffix, _ := strings.Cut(key, "|")
		s := summarise(samples)
		out[name+"_p50_"+suffix] = s.p50
		out[name+"_p95_"+suffix] = s.p95
		out[name+"_worst_"+suffix] = s.worst
		out[strings.TrimSuffix(name, "_error_ms")+"_missed_"+suffix] = s.notFound()
	}
	return out
}

// notFound returns the share of planted events of which nothing was measured.
func (s summary) notFound() float64 { return float64(s.missed) / float64(max(s.n, 1)) }

// print writes the tables for people.
func (r *report) print(w io.Writer) error {
	all := r.total()
	fmt.Fprintf(w, "%d calls, seed %d, voices %s; %d calls were no evidence (this machine was too busy)\n",
		all.Calls, r.seed, strings.Join(r.voices, ", "), all.Void)
	for _, line := range r.lines {
		fmt.Fprintf(w, "\nover %s: error in ms, median / p95 / worst (n; share not found; invented)\n", line)
		t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		fmt.Fprintln(t, "condition\t"+strings.Join(metricNames(), "\t"))
		for _, c := range conditions() {
			var cells []string
			for _, metric := range metricNames() {
				cells = append(cells, cell(summarise(r.of(metric, line, c.name))))
			}
			fmt.Fprintln(t, c.name+"\t"+strings.Join(cells, "\t"))
		}
		if err := t.Flush(); err != nil {
			return err
		}
	}
	if len(r.segments.Rows) == 0 {
		return nil
	}
	fmt.Fprintln(w)
	return r.segments.print(w)
}

func cell(s summary) string {
	if s.n+s.invented == 0 {
		return "–"
	}
	text := fmt.Sprintf("%.0f / %.0f / %.0f (%d", s.p50, s.p95, s.worst, s.n)
	if s.missed > 0 {
		text += fmt.Sprintf("; %.0f %% not found", 100*s.notFound())
	}
	if s.invented > 0 {
		text += fmt.Sprintf("; %d invented", s.invented)
	}
	return text + ")"
}
