package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"runtime"
)

func main() {
	p := plan{workers: runtime.GOMAXPROCS(0)}
	flag.Uint64Var(&p.seed, "seed", 1, "seed of everything drawn by chance")
	flag.IntVar(&p.seeds, "seeds", 5, "how often every fault is drawn")
	flag.StringVar(&p.only, "only", "", "faults to play, parted by commas; none is the sound agent")
	flag.IntVar(&p.perFault, "scenarios", 2, "scenarios per fault and seed")
	flag.BoolVar(&p.trace, "trace", false, "print every call")
	data := flag.String("data", "", "folder in which database and recordings are kept; a temporary one unless given")
	child := flag.String("sip-call", "", "for the benchmark itself: place one call over SIP with its data in this folder")
	childFault := flag.String("agent-fault", "", "for the benchmark itself: the fault of that call's agent")
	own := flag.Bool("own", false, "our own faults alone")
	flag.Parse()
	if *child != "" {
		if err := sipCall(context.Background(), *child, *childFault, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	ctx := context.Background()
	dir := *data
	if dir == "" {
		var err error
		if dir, err = os.MkdirTemp("", "ringtrue-faults-"); err != nil {
			panic(err)
		}
		defer os.RemoveAll(dir)
	} else if err := os.MkdirAll(dir, 0o700); err != nil {
		panic(err)
	}
	h, err := newHouse(ctx, dir)
	if err != nil {
		panic(err)
	}
	if *own {
		all, err := h.own(ctx, p, p.seeds)
		fmt.Println(len(all), err)
		return
	}
	all, err := h.agents(ctx, p)
	fmt.Println(len(all), err)
}
