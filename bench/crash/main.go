// Command crash kills the service with SIGKILL at random moments of its work and looks for
// everything that it had acknowledged. It exits with 1 if something was lost, doubled or otherwise
// wrong, and keeps the folder that shows it.
//
//	go run ./bench/crash [-n 20] [--seed 1] [--database sqlite|postgres|both] [--json] [--quick]
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"github.com/ringtrue/ringtrue/bench/crash/crashloop"
	"github.com/ringtrue/ringtrue/internal/store/postgres/pgtest"
)

type options struct {
	kills, epoch          int
	seed                  uint64
	database, folder, bin string
	asJSON                bool
}

func main() {
	var o options
	flag.IntVar(&o.kills, "n", 20, "kills per database")
	flag.IntVar(&o.epoch, "epoch", 50, "kills before everything is settled and audited")
	flag.Uint64Var(&o.seed, "seed", 1, "seed of the moments and the writes")
	flag.StringVar(&o.database, "database", "both", "sqlite, postgres or both")
	flag.StringVar(&o.folder, "folder", "", "where the evidence of a violation is kept (default: a temporary folder)")
	flag.StringVar(&o.bin, "binary", "", "the ringtrue to kill (default: built from this source)")
	flag.BoolVar(&o.asJSON, "json", false, "print one JSON object")
	quick := flag.Bool("quick", false, "six kills on SQLite")
	flag.Parse()
	if *quick {
		o.kills, o.database = 6, "sqlite"
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	sound, err := run(ctx, o)
	if err != nil {
		fmt.Fprintln(os.Stderr, "crash:", err)
	}
	if err != nil || !sound {
		stop()
		os.Exit(1)
	}
}

func run(ctx context.Context, o options) (sound bool, err error) {
	if o.folder == "" {
		if o.folder, err = os.MkdirTemp("", "ringtrue-crash-"); err != nil {
			return false, err
		}
	}
	if o.bin == "" {
		o.bin = filepath.Join(o.folder, "ringtrue")
		if out, err := exec.CommandContext(ctx, "go", "build", "-o", o.bin, "github.com/ringtrue/ringtrue/cmd/ringtrue").CombinedOutput(); err != nil {
			return false, fmt.Errorf("build the service: %w\n%s", err, out)
		}
	}
	engines := []string{"sqlite", "postgres"}
	if o.database != "both" {
		engines = []string{o.database}
	}
	all, sound := map[string]crashloop.Figures{}, true
	for _, engine := range engines {
		f, err := one(ctx, o, engine)
		if err != nil {
			return false, fmt.Errorf("%s (see %s): %w", engine, f.Evidence, err)
		}
		all[engine] = f
		sound = sound && len(f.Findings) == 0
	}
	report(o, all)
	if sound {
		return true, os.RemoveAll(o.folder)
	}
	return false, nil
}

// one runs the loop on one kind of database.
func one(ctx context.Context, o options, engine string) (crashloop.Figures, error) {
	loop := crashloop.Options{
		Binary: o.bin, Kills: o.kills, Epoch: o.epoch, Seed: o.seed,
		Folder: filepath.Join(o.folder, engine), Progress: os.Stderr,
	}
	switch engine {
	case "sqlite":
	case "postgres":
		server, err := pgtest.Begin(true)
		if err != nil {
			return crashloop.Figures{}, err
		}
		defer server.Stop()
		loop.Database = server.Create
	default:
		return crashloop.Figures{}, fmt.Errorf("there is no database %q; there are sqlite, postgres and both", engine)
	}
	return crashloop.Run(ctx, loop)
}

// figures returns the numbers of all databases together, and those of each with its name.
func figures(all map[string]crashloop.Figures) map[string]float64 {
	sum := map[string]float64{}
	for engine, f := range all {
		starts := slices.Sorted(slices.Values(f.Starts))
		for name, n := range map[string]int{
			"kills": f.Kills, "stops": f.Stops, "acknowledged": f.Acknowledged, "lost": f.Lost, "doubled": f.Doubled,
			"orphans": f.Orphans, "violations": len(f.Findings), "experiments": f.Experiments, "calls": f.Calls,
			"attempts": f.Attempts, "interrupted": f.Interrupted, "calls_heard": f.Heard, "recordings": f.Recordings, "retried": f.Retried,
			"reruns": f.Reruns, "canceled": f.Canceled,
		} {
			sum[name] += float64(n)
			sum[name+"_"+engine] = float64(n)
		}
		if n := len(starts); n > 0 {
			sum["restarts_ms_p50_"+engine] = float64(starts[n/2]) / float64(time.Millisecond)
			sum["restarts_ms_max_"+engine] = float64(starts[n-1]) / float64(time.Millisecond)
		}
	}
	return sum
}

func report(o options, all map[string]crashloop.Figures) {
	numbers := figures(all)
	if o.asJSON {
		_ = json.NewEncoder(os.Stdout).Encode(map[string]any{"figures": numbers})
	} else {
		for _, name := range slices.Sorted(maps.Keys(numbers)) {
			fmt.Printf("%-26s %.0f\n", name, numbers[name])
		}
		for _, engine := range slices.Sorted(maps.Keys(all)) {
			fmt.Printf("\nkills on %s by phase: %v\ncalls by end: %v\n", engine, all[engine].Phases, all[engine].Codes)
		}
	}
	for engine, f := range all {
		for _, finding := range f.Findings {
			fmt.Fprintf(os.Stderr, "%s: %s\n", engine, finding)
		}
		if f.Evidence != "" {
			fmt.Fprintf(os.Stderr, "the evidence lies in %s\n", f.Evidence)
		}
	}
}
