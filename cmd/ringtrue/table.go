package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/ringtrue/ringtrue/client"
)

// printReport prints a table of the calls, then every failed or void verdict
// with the evidence for it. files are the recordings' files by call id, and
// may be nil.
func printReport(out io.Writer, r client.Report, files map[string]string) error {
	fmt.Fprintln(out)
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "SCENARIO\tVERDICT\tEND\tLENGTH\tTURN LATENCY p50 / p95\tSCORES")
	for _, c := range r.Calls {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\n", itemName(c), text(c.Call.Verdict, "-"), text(c.Call.EndReason.Code, "-"),
			seconds(c.Call.DurationMS), latency(c.Call), tally(c.Call.Scores))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	for _, c := range r.Calls {
		printFindings(out, c, files[c.Call.ID])
	}
	e := r.Experiment
	fmt.Fprintf(out, "\n%s: %s (%s)\n", e.ID, text(e.Verdict, e.Status), e.Reason)
	if engine := heardBy(r); engine != "" {
		fmt.Fprintf(out, "Transcribed by %s.\n", engine)
	}
	return nil
}

// printFindings tells what is wrong with one call, if anything.
func printFindings(out io.Writer, c client.ReportCall, file string) {
	verdict := text(c.Call.Verdict, "")
	if verdict == "passed" || verdict == "" {
		return
	}
	fmt.Fprintf(out, "\n%s: %s\n", itemName(c), verdict)
	if verdict == "void" || len(c.Call.Scores) == 0 {
		fmt.Fprintf(out, "  %s\n", c.Call.VerdictReason)
	}
	for _, s := range c.Call.Scores {
		if s.Verdict == "failed" || verdict == "not_evaluated" && s.Verdict == verdict {
			printScore(out, s)
		}
	}
	switch {
	case file != "":
		fmt.Fprintf(out, "  recording: %s\n", file)
	case c.Call.RecordingURL != nil:
		fmt.Fprintf(out, "  recording: %s\n", *c.Call.RecordingURL)
	}
}

// printScore tells what a scorer found and where.
func printScore(out io.Writer, s client.Score) {
	aside := ""
	if !s.Required {
		aside = " (for information)"
	}
	fmt.Fprintf(out, "  %s%s: %s\n", s.Name, aside, s.Reason)
	for _, e := range s.Evidence {
		fmt.Fprintf(out, "    %s%s\n", place(e), quoted(e.Quote))
	}
}

func text(s *string, otherwise string) string {
	if s == nil || *s == "" {
		return otherwise
	}
	return *s
}

func seconds(ms *int64) string {
	if ms == nil {
		return "-"
	}
	return fmt.Sprintf("%.1f s", float64(*ms)/1000)
}

// place begins a line about evidence with where it is: its time, or its turn if that has none. A
// tool call that the agent reports without a time has neither.
func place(e client.Evidence) string {
	switch {
	case e.StartMS < 0 && e.Turn == nil:
		return ""
	case e.StartMS < 0:
		return fmt.Sprintf("in turn %d ", *e.Turn)
	case e.EndMS <= e.StartMS:
		return fmt.Sprintf("at %.1f s ", float64(e.StartMS)/1000)
	}
	return fmt.Sprintf("at %.1f-%.1f s ", float64(e.StartMS)/1000, float64(e.EndMS)/1000)
}

func quoted(words string) string {
	if words == "" {
		return ""
	}
	return "\u201c" + words + "\u201d"
}

// latency is the middle and the 95th percentile of the call's turn latencies.
func latency(c client.Call) string {
	m, ok := c.Metrics["turn_latency"]
	if !ok || m.Spread == nil {
		return "-"
	}
	return fmt.Sprintf("%.2f / %.2f s (n=%d)", m.Spread.P50, m.Spread.P95, m.Spread.N)
}

// tally counts the scores by verdict: "5 passed, 1 failed".
func tally(scores []client.Score) string {
	count := map[string]int{}
	for _, s := range scores {
		count[s.Verdict]++
	}
	var parts []string
	for _, verdict := range []string{"passed", "failed", "void", "not_evaluated"} {
		if n := count[verdict]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, strings.ReplaceAll(verdict, "_", " ")))
		}
	}
	return strings.Join(parts, ", ")
}

// heardBy names the engine that recognised the words of the calls.
func heardBy(r client.Report) string {
	for _, c := range r.Calls {
		if engine := c.Call.Engines["stt"]; engine != "" {
			if c.Call.SelfTestGrade {
				engine += ", self-test grade: fit for synthetic voices only"
			}
			return engine
		}
	}
	return ""
}
