// Command faults shows that findings are true: it plants every fault of the practice agent, one at
// a time and with a random size, behind a telephone number of its own, calls it with scenarios and
// scorers that were written down before and know nothing of it, and examines which checks fail.
// Each fault must be found by the check meant for it, a sound agent must cause no findings, and no
// fault may be blamed on the wrong side. Then it plants faults of our own side, each as near to its
// source as possible: they must make the call void whatever the agent does, and never failed.
//
// The calls run in virtual time over line/loop, with real synthesis, the recognisers of caller,
// agent and review, and the services of a whole installation over SQLite; starvation is a call over
// SIP in a process of its own. With --line wide the line in memory has the bandwidth of rooms, and
// with --line room agents are met in rooms of a real media server, in real time; our own faults,
// which are not on the line, are left out there.
//
//	go run ./bench/faults [--seed N] [--seeds 5] [--line phone|wide|room] [--quick] [--json] [--write FILE]
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"runtime"
	"time"
)

// options are those of the command line.
type options struct {
	plan
	ownSeeds    int
	asJSON      bool
	quick       bool
	played      bool
	write, data string
	line        string
	// child and childFault make this process the one that is starved.
	child, childFault string
}

func main() {
	o := options{plan: plan{workers: runtime.GOMAXPROCS(0)}}
	flag.Uint64Var(&o.seed, "seed", 1, "seed of everything drawn by chance")
	flag.IntVar(&o.seeds, "seeds", 5, "how often every fault of the agent is drawn")
	flag.IntVar(&o.ownSeeds, "own-seeds", 2, "how often every fault of ours is drawn")
	flag.IntVar(&o.perFault, "scenarios", 2, "scenarios that a faulty agent is phoned with at each seed, of four")
	flag.BoolVar(&o.quick, "quick", false, "every third fault, once, in one scenario")
	flag.BoolVar(&o.asJSON, "json", false, "print one JSON object")
	flag.StringVar(&o.write, "write", "", "write the findings to this page")
	flag.StringVar(&o.line, "line", linePhone, "how calls travel: phone (in memory, 8 kHz), wide (in memory, the 16 kHz of rooms), room (a media server, in real time)")
	flag.StringVar(&o.only, "only", "", "these faults alone, parted by commas; none is the sound agent")
	flag.BoolVar(&o.trace, "trace", false, "print every call with what failed in it")
	flag.StringVar(&o.data, "data", "", "folder in which database, recordings and results are kept; a temporary one unless given. What has been played there with the same seed is not played again")
	flag.BoolVar(&o.played, "played", false, "play nothing, tell what has been played in the folder --data")
	flag.StringVar(&o.child, "sip-call", "", "for the benchmark itself: place one call over SIP with its data in this folder")
	flag.StringVar(&o.childFault, "agent-fault", "", "for the benchmark itself: the fault of that call's agent")
	flag.Parse()
	if err := run(context.Background(), o); err != nil {
		fmt.Fprintln(os.Stderr, "faults:", err)
		os.Exit(1)
	}
}

var errNotTrue = errors.New("not everything is as it must be")

func run(ctx context.Context, o options) error {
	if o.child != "" {
		return sipCall(ctx, o.child, o.childFault, os.Stdout)
	}
	if rateOf(o.line) == 0 {
		return fmt.Errorf("there is no line %q", o.line)
	}
	if o.line == lineRoom {
		o.workers = roomsAtATime
	}
	if o.quick {
		o.seeds, o.ownSeeds, o.perFault, o.third = 1, 1, 1, true
	}
	if o.data == "" {
		dir, err := os.MkdirTemp("", "ringtrue-faults-")
		if err != nil {
			return err
		}
		defer func() { _ = os.RemoveAll(dir) }()
		o.data = dir
	}
	begun := time.Now()
	r, err := play(ctx, o)
	if err != nil {
		return err
	}
	if o.write != "" {
		if err := os.WriteFile(o.write, []byte(r.page()), 0o644); err != nil { //nolint:gosec // the page is public
			return err
		}
	}
	if o.asJSON {
		err = json.NewEncoder(os.Stdout).Encode(map[string]any{"figures": r.figures()})
	} else {
		r.print(os.Stdout)
		fmt.Printf("\n%.0f s on %d processors\n", time.Since(begun).Seconds(), runtime.GOMAXPROCS(0))
	}
	if err == nil && !r.good() {
		err = errNotTrue
	}
	return err
}

// play places all calls.
func play(ctx context.Context, o options) (result, error) {
	if err := os.MkdirAll(o.data, 0o700); err != nil {
		return result{}, err
	}
	book, err := openNotebook(o.data)
	if err != nil {
		return result{}, err
	}
	defer book.close()
	if !o.played {
		if err := playRest(ctx, o, book); err != nil {
			return result{}, err
		}
	}
	agents, own := book.calls(o.plan)
	return judged(o.plan, agents, own), nil
}

// playRest places the calls that are not in the notebook yet.
func playRest(ctx context.Context, o options, book *notebook) error {
	h, err := newHouse(ctx, o.data, o.line)
	if err != nil {
		return err
	}
	defer h.close()
	err = h.agents(ctx, o.plan, book)
	if n := h.again.Load(); n > 0 {
		fmt.Fprintf(os.Stderr, "%d calls were placed again because this machine was too busy for them\n", n)
	}
	if err != nil {
		return err
	}
	if o.line != linePhone {
		return nil
	}
	return h.own(ctx, o.plan, o.ownSeeds, book)
}
