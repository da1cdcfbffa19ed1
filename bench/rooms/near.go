package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"runtime/pprof"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ringtrue/ringtrue/bench/callers"
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/line/room"
)

func contextOf() context.Context { return context.Background() }

// nearCall is what our side knows of one call afterwards.
type nearCall struct {
	number  int
	attempt call.Attempt
	tape    *leg.Tape
}

// near is our calling side: the real caller on the real line.
type near struct {
	o      options
	line   *room.Line
	people *callers.People
	up     atomic.Int64
}

// nearMain is the calling process. It prints "up" when every call is in progress, "peak" before the
// first ends, "down" when they are over, and, after the name of the agents' file, what became of
// every frame.
func nearMain(args []string) error {
	o, err := partOptions("part-near", args)
	if err != nil {
		return err
	}
	n, err := newNear(o)
	if err != nil {
		return err
	}
	if o.profile != "" {
		f, err := os.Create(o.profile)
		if err != nil {
			return err
		}
		defer f.Close()
		if err := pprof.StartCPUProfile(f); err != nil {
			return err
		}
	}
	calls := n.all()
	pprof.StopCPUProfile()
	if err := n.line.Close(contextOf()); err != nil {
		return err
	}
	fmt.Println("down")
	in := bufio.NewScanner(os.Stdin)
	in.Scan()
	var out result
	if err := out.compare(in.Text(), o.seed, calls); err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(out)
}

func newNear(o options) (*near, error) {
	s, err := o.connect()
	if err != nil {
		return nil, err
	}
	people, err := callers.New(contextOf(), o.seed, rate)
	if err != nil {
		return nil, err
	}
	runtime.GC()
	return &near{o: o, line: room.New(room.Options{Server: s, Now: time.Now}), people: people}, nil
}

// all places every call and waits until they are over.
func (n *near) all() (calls []*nearCall) {
	begun := time.Now()
	var wg sync.WaitGroup
	for i := range n.o.rooms {
		c := &nearCall{number: i, tape: leg.NewTape(n.o.wholeCall() + 20*time.Second)}
		calls = append(calls, c)
		wait(begun.Add(time.Duration(float64(i) / n.o.rate * 1e9)))
		wg.Go(func() { n.place(c, begun.Add(n.o.wholeCall())) })
	}
	for int(n.up.Load()) < n.o.rooms && time.Since(begun) < n.o.ramp()+20*time.Second {
		wait(time.Now().Add(10 * time.Millisecond))
	}
	fmt.Println("up")
	wait(begun.Add(n.o.wholeCall() - 500*time.Millisecond))
	fmt.Println("peak")
	wg.Wait()
	return calls
}

func (n *near) place(c *nearCall, end time.Time) {
	length := time.Until(end)
	person, err := n.people.Caller(c.number, length)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return
	}
	defer person.Close()
	c.attempt = n.line.Place(contextOf(), leg.Dial{
		CallID: fmt.Sprint("call_", c.number), Room: roomName(c.number), RingTimeout: 20 * time.Second, MaxDuration: length + 10*time.Second,
		OnState: func(s leg.State) {
			if s == leg.Answered {
				n.up.Add(1)
			}
		},
	}, person, c.tape)
}
