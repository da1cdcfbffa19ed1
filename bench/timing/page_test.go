package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// madeUp returns a report with a known error of 4 ms in every cell.
func madeUp() *report {
	r := &report{config: config{seed: 3, lines: []string{lineLoop, lineSIP}}, voices: []string{"slt", "recorded 1"}, tallies: map[string]tally{lineLoop: {6, 0}, lineSIP: {6, 0}}}
	for _, line := range r.lines {
		for _, c := range conditions() {
			for _, metric := range metricNames() {
				for _, v := range r.voices {
					r.samples = append(r.samples, sample{Metric: metric, Line: line, Cond: c.name, Figure: c.figure, Voice: v, Truth: 300, Measured: 304, Bound: 1, Sure: 2})
				}
			}
		}
	}
	r.segments = segmentReport{
		Rows:    []segmentRow{{Condition: "voices, clean", Detector: segmentsOurs, N: 5}},
		Figures: map[string]float64{"onset_error_ms_p50_20db": 6}, Notes: []string{"the peer is left out"},
	}
	return r
}

func TestPageHasWholeTables(t *testing.T) {
	t.Parallel()
	page := madeUp().page()
	columns, tables := 0, 0
	for i, line := range strings.Split(page, "\n") {
		if !strings.HasPrefix(line, "|") {
			columns = 0
			continue
		}
		n := strings.Count(line, "|")
		if columns == 0 {
			columns, tables = n, tables+1
		}
		if n != columns {
			t.Errorf("line %d has %d bars where its table has %d: %s", i+1, n, columns, line)
		}
	}
	if tables != 7 {
		t.Errorf("%d tables, want goals, causes, two lines, voices, segments and what was tried", tables)
	}
	if strings.Contains(page, "{{") {
		t.Error("a place of the page is not filled in")
	}
	for _, want := range []string{
		"# Timing accuracy", "`go run ./bench/timing --seed 3 --write docs/metrics/accuracy.md`: 12 calls, seed 3",
		lineTitles[lineLoop], lineTitles[lineSIP], "| recorded 1 |", "4 / 4 / 4 (2)", "the peer is left out",
		"| 60 | 4 / 4 / 4 (8) | 1 / 1 | 2 / 2 |", "(8) | 1 / 1 | 2 / 2 | 4 / 4",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	for _, c := range conditions() {
		if n := strings.Count(page, "| "+c.name+" | "); n != 2 {
			t.Errorf("the condition %s stands in %d tables, want 2", c.name, n)
		}
	}
}

func TestFiguresHaveTheirNames(t *testing.T) {
	t.Parallel()
	got := madeUp().figures()
	for _, name := range []string{
		"turn_latency_error_ms_p50_clean", "turn_latency_error_ms_p95_clean", "turn_latency_error_ms_p50_10db", "turn_latency_error_ms_p95_10db",
		"turn_latency_error_ms_p50_20db", "turn_latency_error_ms_p95_5db", "turn_latency_error_ms_p50_clean_sip", "turn_latency_error_ms_p95_10db_loop",
		"overlap_seconds_error_ms_p50_clean", "yield_time_error_ms_p50_clean", "dead_air_error_ms_p50_clean", "turn_latency_missed_lost_5_bursts",
	} {
		if _, ok := got[name]; !ok {
			t.Errorf("no figure %s", name)
		}
	}
	if got["turn_latency_error_ms_p95_10db"] != 4 || got["onset_error_ms_p50_20db"] != 6 || got["calls"] != 12 {
		t.Errorf("the figures are %v, want an error of 4 at 10 dB, 6 of the segments, and 12 calls", got)
	}
}

func TestSummary(t *testing.T) {
	t.Parallel()
	s := summarise([]sample{
		{Truth: 100, Measured: 90}, {Truth: 100, Measured: 120}, {Truth: 100, Measured: 130}, {Truth: 5, Missed: true}, {Measured: 9, Invented: true},
	})
	if s.n != 4 || s.missed != 1 || s.invented != 1 || s.p50 != 20 || s.worst != 30 || s.notFound() != 0.25 {
		t.Errorf("%+v, want 4 values, of which 1 is missed, and 1 invented, a median of 20 and a worst of 30", s)
	}
	if got, want := cell(s), "20 / 30 / 30 (4; 25 % not found; 1 invented)"; got != want {
		t.Errorf("its cell is %q, want %q", got, want)
	}
}

func TestLosersKeepTheirShare(t *testing.T) {
	t.Parallel()
	for _, c := range conditions() {
		lose := c.loser(newRand(5, 6))
		if (lose != nil) != (c.lost > 0) {
			t.Errorf("%s: a share of %g is to be lost, and it loses: %v", c.name, c.lost, lose != nil)
		}
		if lose == nil {
			continue
		}
		const n = 200_000
		lost, bursts, before := 0, 0, false
		for range n {
			now := lose()
			if now {
				lost++
				if !before {
					bursts++
				}
			}
			before = now
		}
		if share := float64(lost) / n; share < 0.93*c.lost || share > 1.07*c.lost {
			t.Errorf("%s: a share of %.4f is lost, want %g", c.name, share, c.lost)
		}
		mean := float64(lost) / float64(bursts)
		if c.burst > 1 && (mean < 2.7 || mean > 3.5) || c.burst == 1 && mean > 1.1 {
			t.Errorf("%s: bursts of %.2f, want %g", c.name, mean, c.burst)
		}
	}
}

func TestKeptReportsAreJoined(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "kept.json")
	whole := madeUp()
	parts := map[string]*report{}
	for _, line := range whole.lines {
		part := &report{config: config{seed: 3, lines: []string{line}}, voices: whole.voices, tallies: map[string]tally{line: {6, 1}}}
		part.samples = whole.of(turnLatency, line, "")
		parts[line] = part
	}
	parts[lineSIP].segments = whole.segments
	for _, line := range []string{lineSIP, lineLoop} {
		if err := parts[line].keep(path); err != nil {
			t.Fatal(err)
		}
	}
	got := parts[lineLoop]
	again := &report{config: parts[lineLoop].config, voices: whole.voices, samples: parts[lineLoop].samples, tallies: map[string]tally{lineLoop: {6, 0}}}
	again.lines = []string{lineLoop}
	if err := again.keep(path); err != nil || again.total() != (tally{12, 1}) {
		t.Errorf("measured again, %v: %+v, want 12 calls and 1 void", err, again.total())
	}
	if got.total() != (tally{12, 2}) || len(got.of(turnLatency, "", "")) != len(whole.of(turnLatency, "", "")) || len(got.segments.Rows) != 1 || len(got.lines) != 2 {
		t.Errorf("%+v, %d samples, lines %v, want 12 calls, 2 void, all samples and both lines", got.total(), len(got.samples), got.lines)
	}
	other := &report{config: config{seed: 4, lines: []string{lineLoop}}, voices: whole.voices}
	if err := other.keep(path); err == nil {
		t.Error("reports with different seeds were joined")
	}
}
