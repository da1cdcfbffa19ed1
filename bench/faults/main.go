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
	flag.Parse()
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
	all, err := h.agents(ctx, p)
	fmt.Println(len(all), err)
}
