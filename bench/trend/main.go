// Command trend measures what package trend finds in histories with known truth: how many planted
// faults, after how long, and how many false alarms it raises in quiet weeks. Thresholds were
// chosen with seeds below 100; the seeds here begin at 1000.
//
//	go run ./bench/trend [--histories 10] [--seed 1000] [--json] [--quick] [--live | --drawn]
//
// With --live, quiet weeks are examined every ten minutes, as in the service, and everything that
// is ever reported counts. With --drawn, the sizes and lengths of the planted faults are random.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/ringtrue/ringtrue/internal/trend/departure"
	"github.com/ringtrue/ringtrue/internal/trend/trendtest"
)

func main() {
	histories := flag.Int("histories", 10, "histories of each sort")
	seed := flag.Uint64("seed", 1000, "first seed")
	asJSON := flag.Bool("json", false, "print one JSON object")
	quick := flag.Bool("quick", false, "two histories of each sort")
	verbose := flag.Bool("verbose", false, "list every false alarm")
	looking := flag.Bool("live", false, "look at quiet histories every ten minutes of four weeks")
	sized := flag.Bool("drawn", false, "plant faults of drawn sizes")
	flag.Parse()
	if *quick {
		*histories = 2
	}
	what := run
	switch {
	case *looking:
		what = live
	case *sized:
		what = drawn
	}
	if err := what(*histories, *seed, *asJSON, *verbose); err != nil {
		fmt.Fprintln(os.Stderr, "trend:", err)
		os.Exit(1)
	}
}

// results are those of all histories.
type results struct {
	quiet, faulty   []trendtest.Watched
	specs           []trendtest.Spec // faulty
	quietSpecs      []trendtest.Spec
	weeks           float64
	alarms          []departure.Incident
	alarmsByHistory []int
}

func run(histories int, seed uint64, asJSON, verbose bool) error {
	r := results{
		quiet: make([]trendtest.Watched, histories), faulty: make([]trendtest.Watched, histories),
		specs: make([]trendtest.Spec, histories), quietSpecs: make([]trendtest.Spec, histories),
	}
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i := range histories {
		g.Go(func() error {
			r.quietSpecs[i], r.specs[i] = trendtest.Quiet(seed+uint64(i)), trendtest.Faulty(seed+uint64(i))
			r.quiet[i], r.faulty[i] = r.quietSpecs[i].Watch(), r.specs[i].Watch()
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	for i := range histories {
		alarms := r.quietSpecs[i].FalseAlarms(r.quiet[i])
		r.weeks += r.quiet[i].Weeks
		r.alarms = append(r.alarms, alarms...)
		r.alarmsByHistory = append(r.alarmsByHistory, len(alarms))
	}
	if asJSON {
		return json.NewEncoder(os.Stdout).Encode(map[string]any{"figures": r.figures()})
	}
	r.print(verbose)
	return nil
}

// cell is one kind of fault at one level of traffic.
type cell struct {
	n, found int
	delays   []time.Duration
}

func (c *cell) add(f trendtest.Found) {
	c.n++
	if f.Found {
		c.found++
		c.delays = append(c.delays, f.Delay)
	}
}

func (c *cell) delay() time.Duration {
	if len(c.delays) == 0 {
		return 0
	}
	slices.Sort(c.delays)
	return c.delays[len(c.delays)/2]
}

// table groups the faults by kind and traffic, in the order in which they are planted.
func (r *results) table() [][]cell {
	kinds, traffics := trendtest.Kinds(), trendtest.Traffics()
	out := make([][]cell, len(kinds))
	for k := range out {
		out[k] = make([]cell, len(traffics))
	}
	for i, s := range r.specs {
		for n, f := range s.Results(r.faulty[i]) {
			out[n/len(traffics)][n%len(traffics)].add(f)
		}
	}
	return out
}

func (r *results) figures() map[string]float64 {
	out := map[string]float64{"quiet_agent_weeks": r.weeks, "false_alarms": float64(len(r.alarms)), "false_alarms_per_agent_week": float64(len(r.alarms)) / r.weeks}
	traffics := trendtest.Traffics()
	for k, row := range r.table() {
		name := strings.NewReplacer(" ", "_", "+_", "", "−_", "", "%", "percent", ".", "").Replace(trendtest.Kinds()[k].Label)
		for t, c := range row {
			out[fmt.Sprintf("found_%s_at_%.0f_a_day", name, traffics[t])] = float64(c.found) / float64(c.n)
			if c.found > 0 {
				out[fmt.Sprintf("delay_hours_%s_at_%.0f_a_day", name, traffics[t])] = c.delay().Hours()
			}
		}
	}
	return out
}

func (r *results) print(verbose bool) {
	fmt.Printf("quiet: %.0f agent-weeks, %d metrics each: %d false alarms (%.5f per agent-week); by history %v\n\n",
		r.weeks, len(trendtest.Names()), len(r.alarms), float64(len(r.alarms))/r.weeks, r.alarmsByHistory)
	if verbose {
		for _, in := range r.alarms {
			show(in)
		}
	}
	fmt.Printf("%-38s", "found of planted, median delay")
	for _, t := range trendtest.Traffics() {
		fmt.Printf("%14.0f/d", t)
	}
	fmt.Println()
	for k, row := range r.table() {
		fmt.Printf("%-38s", trendtest.Kinds()[k].Label)
		for _, c := range row {
			text := fmt.Sprintf("%d/%d", c.found, c.n)
			if c.found > 0 {
				text += fmt.Sprintf(" %.0f h", c.delay().Hours())
			}
			fmt.Printf("%16s", text)
		}
		fmt.Println()
	}
}
