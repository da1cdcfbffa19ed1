// Command rooms measures many simultaneous rooms of a media server: our calling process with the
// real caller (live voice activity detection and recording on), agents in a process of their own,
// and the embedded media server in a third. The agents' speech is coded: every frame of every room
// has a tone that its neighbours do not have, and afterwards each is looked for on our recordings;
// our frames are counted at the agents. For comparison, in the same run, on the same server and
// against the same agents, there is a bare publisher and subscriber: the same client library sends
// Opus encoded beforehand and reads packets; it neither encodes, decodes, listens nor records.
//
//	go run ./bench/rooms [--rooms 50] [--seconds 60] [--seed 1] [--json] [--quick]
//
// The program starts itself again for the parts; see near.go (our side) and client.go (the agents
// and the bare one).
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"time"
)

// options are those of the command line.
type options struct {
	rooms   int
	seconds int
	rate    float64
	seed    uint64
	json    bool
	profile string

	// For the parts: the media server and the file to write.
	url, key, secret, file string
}

func main() {
	if len(os.Args) > 1 {
		if part := parts()[os.Args[1]]; part != nil {
			if err := part(os.Args[2:]); err != nil {
				fmt.Fprintln(os.Stderr, "rooms", os.Args[1]+":", err)
				os.Exit(1)
			}
			return
		}
	}
	var o options
	o.flags(flag.CommandLine)
	flag.BoolVar(&o.json, "json", false, "print one JSON object")
	quick := flag.Bool("quick", false, "fewer rooms for a shorter time: under 50 s")
	flag.Parse()
	if *quick {
		o.rooms, o.seconds = min(o.rooms, 20), min(o.seconds, 8)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, "rooms:", err)
		os.Exit(1)
	}
}

func (o *options) flags(set *flag.FlagSet) {
	set.IntVar(&o.rooms, "rooms", 50, "rooms at a time")
	set.IntVar(&o.seconds, "seconds", 60, "how long all of them are talking at once")
	set.Float64Var(&o.rate, "rate", 10, "new rooms per second")
	set.Uint64Var(&o.seed, "seed", 1, "seed of everything drawn by chance")
	set.StringVar(&o.profile, "profile", "", "write a CPU profile of our calling process to this file")
}

// parts returns the processes that the program starts of itself.
func parts() map[string]func([]string) error {
	return map[string]func([]string) error{"part-server": serverMain, "part-agents": agentsMain, "part-near": nearMain, "part-bare": bareMain}
}

// partOptions parses the command line of a part.
func partOptions(name string, args []string) (o options, err error) {
	set := flag.NewFlagSet(name, flag.ContinueOnError)
	o.flags(set)
	set.StringVar(&o.url, "url", "", "")
	set.StringVar(&o.key, "key", "", "")
	set.StringVar(&o.secret, "secret", "", "")
	set.StringVar(&o.file, "file", "", "")
	return o, set.Parse(args)
}

// wholeCall returns how long each call lasts: until the last one has been talking for o.seconds.
func (o options) wholeCall() time.Duration {
	return time.Duration(o.seconds)*time.Second + o.ramp()
}

// ramp returns how long it takes to place all calls.
func (o options) ramp() time.Duration {
	return time.Duration(float64(o.rooms) / o.rate * float64(time.Second))
}
