package main

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
)

// pageText is the page without its figures.
//
//go:embed page.md
var pageText string //nolint:gochecknoglobals // an embedded file has to be one

// page returns docs/metrics/accuracy.md: page.md with the figures filled in.
func (r *report) page() string {
	return strings.NewReplacer("{{origin}}", r.origin(), "{{goals}}", written(r.goals), "{{causes}}", written(r.causeTable),
		"{{lines}}", written(r.lineTables), "{{voices}}", written(r.voiceTable), "{{segments}}", written(r.segmentTable)).Replace(pageText)
}

// written returns what a table writes.
func written(table func(*strings.Builder)) string {
	var w strings.Builder
	table(&w)
	return w.String()
}

// origin says how the page was made.
func (r *report) origin() string {
	all := r.total()
	text := fmt.Sprintf("This page was made by `%s`: %d calls, seed %d, voices %s.", r.command(), all.Calls, r.seed, strings.Join(r.voices, ", "))
	if all.Void > 0 {
		text += fmt.Sprintf(" Left out because frames of ours left late (a review would call them void): %d of the calls in real time.", all.Void)
	}
	if r.config.keep != "" {
		text += " The lines were measured one after the other (`--keep`)."
	}
	return text
}

func (r *report) command() string {
	text := fmt.Sprintf("go run ./bench/timing --seed %d", r.seed)
	if r.quick {
		text += " --quick"
	}
	return text + " --write docs/metrics/accuracy.md"
}

// goal is the goal for the errors of turn_latency under a condition.
type goal struct {
	name, figure string
	p50, p95     float64
}

func goals() []goal {
	return []goal{
		{"clean", "clean", 10, 30}, {"20 dB, white and pink", "20db", 10, 30}, {"20 dB, babble", "20db_babble", 10, 30},
		{"10 dB, white and pink", "10db", 20, 60}, {"10 dB, babble", "10db_babble", 20, 60},
	}
}

func (r *report) goals(w *strings.Builder) {
	row(w, "condition", "goal: median", "95th percentile", turnLatency, "ideal", "ideal, sure", yieldTime, deadAirName, overlap)
	rule(w, 9)
	for _, g := range goals() {
		cells := []string{g.name, fmt.Sprintf("%g", g.p50), fmt.Sprintf("%g", g.p95)}
		for _, metric := range []string{turnLatency, yieldTime, deadAirName, overlap} {
			var all []sample
			for _, s := range r.samples {
				if s.Metric == metric && s.Figure == g.figure {
					all = append(all, s)
				}
			}
			cells = append(cells, cell(summarise(all)))
			if metric == turnLatency {
				cells = append(cells, listener(all, likeliest), listener(all, sure))
			}
		}
		row(w, cells...)
	}
}

// likeliest and sure return the errors of the ideal listener, and of one that must be sure.
func likeliest(s sample) float64 { return s.Bound }
func sure(s sample) float64      { return s.Sure }

// listener returns the median and the 95th percentile of the errors of an ideal listener.
func listener(samples []sample, err func(sample) float64) string {
	var all []float64
	for _, s := range samples {
		if !s.Invented {
			all = append(all, err(s))
		}
	}
	if len(all) == 0 {
		return "–"
	}
	return fmt.Sprintf("%.0f / %.0f", at(all, 0.5), at(all, 0.95))
}

// lineTables writes the tables of all lines, each under its title.
func (r *report) lineTables(w *strings.Builder) {
	for i, line := range r.lines {
		if i > 0 {
			w.WriteString("\n")
		}
		fmt.Fprintf(w, "## %s\n\n", lineTitles[line])
		r.lineTable(w, line)
	}
}

func (r *report) lineTable(w *strings.Builder, line string) {
	names := metricNames()
	row(w, append([]string{"condition", names[0], "ideal"}, names[1:]...)...)
	rule(w, 2+len(names))
	for _, c := range conditions() {
		cells := []string{c.name}
		for _, metric := range names {
			all := r.of(metric, line, c.name)
			if cells = append(cells, cell(summarise(all))); metric == turnLatency {
				cells = append(cells, listener(all, likeliest))
			}
		}
		row(w, cells...)
	}
}

func (r *report) voiceTable(w *strings.Builder) {
	const noisy = "10db" // under this condition, hidden sound matters most
	figures := []string{"clean", "20db", noisy, "5db"}
	row(w, "voice", "clean", "20 dB", "10 dB", "ideal", "ideal, sure", "5 dB")
	rule(w, 3+len(figures))
	for _, v := range r.voices {
		cells := []string{v}
		for _, f := range figures {
			all := slices.DeleteFunc(r.of(turnLatency, "", ""), func(s sample) bool { return s.Voice != v || s.Figure != f })
			if cells = append(cells, cell(summarise(all))); f == noisy {
				cells = append(cells, listener(all, likeliest), listener(all, sure))
			}
		}
		row(w, cells...)
	}
}

func (r *report) segmentTable(w *strings.Builder) {
	if len(r.segments.Rows) == 0 {
		w.WriteString("Not measured (`--no-segments`).\n")
		return
	}
	row(w, "condition", "detector", "n", "onset: median", "95th percentile", "offset: median", "95th percentile", "missed", "false s/min", "CPU s/h")
	rule(w, 10)
	for _, x := range r.segments.Rows {
		if strings.HasSuffix(x.Detector, "20 ms") || strings.HasSuffix(x.Detector, "30 ms") {
			continue // a page is for reading; the command prints them all
		}
		row(w, x.Condition, x.Detector, fmt.Sprint(x.N), fmt.Sprintf("%.0f", x.OnsetP50), fmt.Sprintf("%.0f", x.OnsetP95),
			fmt.Sprintf("%.0f", x.OffsetP50), fmt.Sprintf("%.0f", x.OffsetP95), fmt.Sprintf("%.1f %%", 100*x.Missed),
			fmt.Sprintf("%.2f", x.False), fmt.Sprintf("%.2f", x.CPU))
	}
	for _, n := range r.segments.Notes {
		fmt.Fprintf(w, "\n%s\n", n)
	}
}

func row(w *strings.Builder, cells ...string) {
	w.WriteString("| " + strings.Join(cells, " | ") + " |\n")
}

func rule(w *strings.Builder, n int) { w.WriteString("|" + strings.Repeat("---|", n) + "\n") }

//nolint:gochecknoglobals // a table
var lineTitles = map[string]string{
	lineLoop: "In memory (`line/loop`, through G.711)",
	lineSIP:  "Over SIP and RTP on loopback (`line/sip`)",
	lineRoom: "In rooms of a media server on loopback (`line/room`, through Opus in every row)",
}
