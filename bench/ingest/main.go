// Command ingest measures how many call logs the service accepts per second, each on disk before
// its answer, and how long the slowest take, over 32 connections. For comparison, with the same
// client in the same run, there are a handler that only parses and discards, and PocketBase
// creating a record of each call.
//
//	go run ./bench/ingest [--quick] [--json] [--seed 1] [--seconds 10] [--long 60] [--body 4kb|50kb|both] [--database sqlite|postgres|both] [--over 300h] [--no-peers]
//
// The calls have just ended, like those that webhooks report; with --over they ended at any time
// within that period, like those of an import, which makes the indices more expensive.
//
// Everything that was acknowledged is read back afterwards; what is missing counts as lost. Then
// the service on SQLite is loaded for --long seconds, and its memory is read every ten. The last
// column of the table says how much of the machine was used by neither the server nor the clients:
// if that is more than a few percent, the ratios mean little (for PostgreSQL it includes the
// database server itself). PostgreSQL is measured as if it had been in use for a while, with log
// files that are reused.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/ringtrue/ringtrue/bench/peer"
	"github.com/ringtrue/ringtrue/internal/store/postgres/pgtest"
)

type options struct {
	seed        uint64
	seconds     time.Duration
	long        time.Duration
	connections int
	database    string
	peers       bool
	asJSON      bool
	binary      string
	body        string
	over        time.Duration
}

func main() {
	if len(os.Args) == 3 && os.Args[1] == discardWord {
		fail(serveDiscard(os.Args[2]))
		return
	}
	var o options
	var seconds, long float64
	flag.Uint64Var(&o.seed, "seed", 1, "seed of what is said in the calls")
	flag.Float64Var(&seconds, "seconds", 10, "how long each server is measured with each size")
	flag.Float64Var(&long, "long", 60, "how long SQLite is loaded to see its memory; 0 for not at all")
	flag.IntVar(&o.connections, "connections", 32, "connections at a time")
	flag.StringVar(&o.database, "database", "both", "sqlite, postgres or both")
	flag.StringVar(&o.body, "body", "both", "4kb, 50kb or both")
	flag.DurationVar(&o.over, "over", 0, "the time before now in which the calls ended, as an import brings them (default: each has just ended, as a webhook brings it)")
	flag.StringVar(&o.binary, "binary", "", "the ringtrue to measure (default: built from this source)")
	flag.BoolVar(&o.asJSON, "json", false, "print one JSON object")
	noPeers := flag.Bool("no-peers", false, "leave PocketBase out")
	quick := flag.Bool("quick", false, "3 seconds each, SQLite alone, and no long load")
	flag.Parse()
	if *quick {
		seconds, long, o.database = 3, 0, "sqlite"
	}
	o.long = time.Duration(long * float64(time.Second))
	o.seconds, o.peers = time.Duration(seconds*float64(time.Second)), !*noPeers
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	fail(run(ctx, o))
}

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "ingest:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, o options) error {
	folder, err := os.MkdirTemp("", "ringtrue-ingest-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder) //nolint:errcheck // a temporary folder
	if o.binary == "" {
		o.binary = filepath.Join(folder, "ringtrue")
		if err := build(ctx, ".", o.binary, "github.com/ringtrue/ringtrue/cmd/ringtrue"); err != nil {
			return err
		}
	}
	starts, stop, err := targets(ctx, o, folder)
	if err != nil {
		return err
	}
	defer stop()
	var results []result
	for _, size := range sizes() {
		if o.body != "both" && o.body != size.name {
			continue
		}
		for _, t := range starts {
			r, err := measure(ctx, o, t, size)
			if err != nil {
				return fmt.Errorf("%s with %s: %w", t.name, size.name, err)
			}
			results = append(results, r)
			fmt.Fprintf(os.Stderr, "%s\n", r.line())
		}
	}
	var m memories
	if o.long > 0 && o.database != "postgres" {
		if m.samples, m.lost, err = watch(ctx, o, ringtrueTarget("long", o.binary, folder, nil), sizes()[0]); err != nil {
			return fmt.Errorf("the long load: %w", err)
		}
	}
	report(o, results, m)
	return nil
}

// memories is what a long load showed.
type memories struct {
	// samples are the resident memory in MB, a longStep apart.
	samples []float64
	lost    int
}

// growth returns the memory of the last third relative to that of the second sample: 1 if it stays
// the same, 0 if there are too few samples to tell.
func (m memories) growth() float64 {
	if len(m.samples) < 3 {
		return 0
	}
	last := m.samples[len(m.samples)-len(m.samples)/3:]
	sum := 0.0
	for _, mb := range last {
		sum += mb
	}
	return sum / float64(len(last)) / m.samples[1]
}

// targets returns the servers to be measured; stop stops what they need.
func targets(ctx context.Context, o options, folder string) (list []target, stop func(), err error) {
	stop = func() {}
	list = append(list, discardTarget())
	if o.database != "postgres" {
		list = append(list, ringtrueTarget("sqlite", o.binary, folder, nil))
	}
	if o.database != "sqlite" {
		server, err := pgtest.Begin(true)
		if err != nil {
			return nil, stop, fmt.Errorf("start PostgreSQL: %w", err)
		}
		stop = server.Stop
		if err := settle(ctx, server); err != nil {
			return nil, stop, err
		}
		list = append(list, ringtrueTarget("postgres", o.binary, folder, server.Create))
	}
	if o.peers {
		dir, err := peer.Dir()
		if err != nil {
			return nil, stop, err
		}
		binary := filepath.Join(folder, "pocketbase")
		if err := build(ctx, dir, binary, "./pocketbase"); err != nil {
			return nil, stop, err
		}
		list = append(list, pocketbaseTarget(binary, folder))
	}
	return list, stop, nil
}

func report(o options, results []result, m memories) {
	figures := figuresOf(results)
	if len(m.samples) > 0 {
		figures["rss_mb_long"], figures["rss_growth_long"] = m.samples[len(m.samples)-1], m.growth()
		figures["lost"] += float64(m.lost)
	}
	if o.asJSON {
		_ = json.NewEncoder(os.Stdout).Encode(map[string]any{"figures": figures})
		return
	}
	fmt.Printf("%-10s %-6s %9s %8s %8s %8s %8s %8s %9s %9s %8s\n", "server", "body", "per s", "p50 ms", "p99 ms", "max ms", "refused", "µs CPU", "rss MB", "peak MB", "others %")
	for _, r := range results {
		fmt.Println(r.line())
	}
	for _, size := range sizes() {
		for _, engine := range []string{"sqlite", "postgres"} {
			if d, ok := figures["ratio_discard_"+engine+"_"+size.name]; ok {
				fmt.Printf("%s, %s: %.0f %% of parse and discard", engine, size.name, 100*d)
				if p, ok := figures["ratio_pocketbase_"+engine+"_"+size.name]; ok {
					fmt.Printf(", %.1f times PocketBase", p)
				}
				fmt.Println()
			}
		}
	}
	if len(m.samples) > 0 {
		fmt.Printf("memory every %s of a longer load: %.0f MB", longStep, m.samples)
		if g := m.growth(); g > 0 {
			fmt.Printf("; the end is %.2f times the beginning", g)
		}
		fmt.Println()
	}
	fmt.Printf("lost: %.0f of %.0f acknowledged\n", figures["lost"], figures["acknowledged"])
}

// figuresOf names what was measured. The names without engine and size are those of SQLite at 4 KB.
func figuresOf(results []result) map[string]float64 {
	out := map[string]float64{"lost": 0, "acknowledged": 0}
	per := map[string]float64{}
	for _, r := range results {
		per[r.server+"_"+r.size] = r.perSecond()
	}
	for _, r := range results {
		name := r.server + "_" + r.size
		out["per_second_"+name], out["p99_ms_"+name], out["p50_ms_"+name] = r.perSecond(), r.ms(0.99), r.ms(0.5)
		out["rss_mb_"+name], out["cpu_us_"+name], out["others_percent_"+name] = r.rssAfter, r.cpuEach(), r.others
		if !r.ours {
			continue
		}
		out["lost"] += float64(r.lost)
		out["acknowledged"] += float64(r.acknowledged)
		if d := per["discard_"+r.size]; d > 0 {
			out["ratio_discard_"+name] = r.perSecond() / d
		}
		if p := per["pocketbase_"+r.size]; p > 0 {
			out["ratio_pocketbase_"+name] = r.perSecond() / p
		}
	}
	for _, f := range []string{"ratio_discard", "ratio_pocketbase", "p99_ms", "per_second"} {
		for _, engine := range []string{"postgres", "sqlite"} {
			if v, ok := out[f+"_"+engine+"_4kb"]; ok {
				out[f] = v
			}
		}
	}
	return out
}
