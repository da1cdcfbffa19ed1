// Command timing measures how accurate the timing metrics are. An agent with planted behaviour
// (package practice) talks with the real caller: it answers after given delays, talks over the
// caller, goes silent and yields, in several voices, on a clean line, in noise and on a line that
// loses packets, in memory, over SIP and RTP, and in rooms of a media server. Both sides record the
// first and last audible clean sample that they really sent, and when; the recording is processed
// like that of every review; the table shows the difference. The edges of segments are measured
// separately and compared with those of WebRTC's voice activity detector.
//
//	go run ./bench/timing [--seed 1] [--quick] [--json] [--speech FILE.wav,…] [--voices rms,slt] [--line loop,sip,room] [--worst 20] [--keep FILE] [--write FILE]
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

func main() {
	var c config
	flag.Uint64Var(&c.seed, "seed", 1, "seed of everything drawn by chance")
	flag.BoolVar(&c.quick, "quick", false, "fewer and shorter calls, under 50 s")
	asJSON := flag.Bool("json", false, "print one JSON object")
	speech := flag.String("speech", "", "WAV files of recorded speech, with commas between")
	voices := flag.String("voices", "rms,slt,awb,kal16", "voices to synthesise")
	lines := flag.String("line", "loop,sip", "lines to call over")
	flag.StringVar(&c.only, "condition", "", "only conditions whose names contain this")
	flag.BoolVar(&c.noSegments, "no-segments", false, "leave out the edges of segments by themselves")
	flag.StringVar(&c.show, "show", "", "print who really spoke and what was heard in the call of this id")
	worst := flag.Int("worst", 0, "print so many of the greatest errors of each metric")
	flag.StringVar(&c.keep, "keep", "", "keep what was measured in this file, together with what it holds of other lines")
	write := flag.String("write", "", "write the page with all tables to this file")
	flag.Parse()
	c.speech, c.voices, c.lines = list(*speech), list(*voices), list(*lines)
	if err := run(context.Background(), c, *asJSON, *worst, *write); err != nil {
		fmt.Fprintln(os.Stderr, "timing:", err)
		os.Exit(1)
	}
}

// config holds the settings of the command.
type config struct {
	seed                  uint64
	quick, noSegments     bool
	speech, voices, lines []string
	only, show, keep      string
}

func list(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' })
}

func run(ctx context.Context, c config, asJSON bool, worst int, write string) error {
	r, err := measure(ctx, c, time.Now)
	if err != nil {
		return err
	}
	if c.keep != "" {
		if err := r.keep(c.keep); err != nil {
			return err
		}
	}
	if write != "" {
		if err := os.WriteFile(write, []byte(r.page()), 0o644); err != nil {
			return err
		}
	}
	if asJSON {
		return json.NewEncoder(os.Stdout).Encode(map[string]any{"figures": r.figures()})
	}
	if err := r.print(os.Stdout); err != nil {
		return err
	}
	return r.printWorst(os.Stdout, worst)
}

// printWorst lists the largest errors of each metric.
func (r *report) printWorst(w io.Writer, n int) error {
	if n <= 0 {
		return nil
	}
	for _, metric := range metricNames() {
		fmt.Fprintf(w, "\nthe greatest errors of %s\n", metric)
		for _, s := range worstOf(r.of(metric, "", ""), n) {
			what := fmt.Sprintf("%+7.1f ms", s.error())
			if s.Missed {
				what = "not found "
			} else if s.Invented {
				what = "invented  "
			}
			fmt.Fprintf(w, "  %s  %-4s %-22s %-10s %-24s at %6.2f s: true %7.1f ms, measured %7.1f\n",
				what, s.Line, s.Cond, s.Voice, s.Call, s.At, s.Truth, s.Measured)
		}
	}
	return nil
}
