// Command calls measures many simultaneous real-time calls: a calling process with the real caller
// (live voice activity detection and recording on) over SIP, and a far end in a process of its own,
// each pinned to one processor. The far end speaks coded audio that differs in every frame of every
// call; afterwards every frame that one side sent is looked for at the other. For comparison, in
// the same run and against the same far end, sipp plays the same media, and a bare loop sends and
// receives. sipp 3.6 does not even read the media that it is sent: strace only shows it calling
// sendto. The bare loop shows what sending and receiving cost at least.
//
//	go run ./bench/calls [--calls 1000] [--seconds 30] [--seed 1] [--peers sipp,bare] [--json] [--quick]
//	go run ./bench/calls --overload 4000
//
// The program starts itself again for the parts; see near.go (our side), far.go, bare.go and
// sipp.go.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"time"
)

// options are those of the command line.
type options struct {
	calls    int
	seconds  int
	rate     float64
	seed     uint64
	peers    string
	json     bool
	overload int
	profile  string
	trace    bool
}

func main() {
	if len(os.Args) > 1 {
		if part := parts()[os.Args[1]]; part != nil {
			if err := part(os.Args[2:]); err != nil {
				fmt.Fprintln(os.Stderr, "calls", os.Args[1]+":", err)
				os.Exit(1)
			}
			return
		}
	}
	var o options
	flag.IntVar(&o.calls, "calls", 1000, "calls at a time")
	flag.IntVar(&o.seconds, "seconds", 30, "how long all of them are on the line at once")
	flag.Float64Var(&o.rate, "rate", 100, "new calls per second")
	flag.Uint64Var(&o.seed, "seed", 1, "seed of everything drawn by chance")
	flag.StringVar(&o.peers, "peers", "sipp,bare", "who else is measured; none for nobody")
	flag.BoolVar(&o.json, "json", false, "print one JSON object")
	flag.IntVar(&o.overload, "overload", 0, "ask for so many calls, far more than one processor can pace, and show what admission does")
	flag.StringVar(&o.profile, "profile", "", "write a CPU profile of our calling process to this file")
	flag.BoolVar(&o.trace, "trace", false, "of an overload, print every second what admission goes by")
	quick := flag.Bool("quick", false, "fewer calls for a shorter time: under 50 s")
	flag.Parse()
	if *quick {
		o.calls, o.seconds = min(o.calls, 300), min(o.seconds, 6)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, "calls:", err)
		os.Exit(1)
	}
}

// parts returns the processes that the program starts of itself.
func parts() map[string]func([]string) error {
	return map[string]func([]string) error{"part-far": farMain, "part-near": nearMain, "part-bare": bareMain}
}

func run(ctx context.Context, o options) error {
	dir, err := os.MkdirTemp("", "ringtrue-calls-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if o.overload > 0 {
		return overload(ctx, o, dir)
	}
	ours, err := measure(ctx, o, dir, nearPart)
	if err != nil {
		return err
	}
	all := []outcome{ours}
	for name := range strings.SplitSeq(o.peers, ",") {
		how := map[string]driver{"sipp": sippPart, "bare": barePart}[name]
		if how == nil {
			continue
		}
		peer, err := measure(ctx, o, dir, how)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, peer)
	}
	if o.json {
		return printJSON(os.Stdout, o, all)
	}
	printTable(os.Stdout, o, all)
	return nil
}

// wholeCall returns how long each call lasts: until the last one has been on the line for
// o.seconds.
func (o options) wholeCall() time.Duration {
	return time.Duration(o.seconds)*time.Second + o.ramp()
}

// ramp returns how long it takes to place all calls.
func (o options) ramp() time.Duration {
	return time.Duration(float64(o.calls) / o.rate * float64(time.Second))
}
