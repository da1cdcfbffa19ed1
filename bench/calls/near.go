package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ringtrue/ringtrue/bench/callers"
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/line/sip"
)

// near is our calling side: the real caller on the real line.
type near struct {
	o      options
	line   *sip.Line
	people *callers.People
	up     atomic.Int64
	// remember calculates, afterwards, how much memory the calls took.
	remember func()
}

// nearCall is what our side knows of one call afterwards.
type nearCall struct {
	number  int
	attempt call.Attempt
	tape    *leg.Tape
	// answered is the wall time (ns) of the answer, 0 before.
	answered atomic.Int64
}

// recorded returns how many bytes of samples the recording held at a moment of the call: one byte
// per sample, in whole pages of memory, without pages of pure silence. The latest audio of the far
// end has not been stored by then.
func (c *nearCall) recorded(now time.Time) (bytes int64) {
	const page, settling = 4096, rate / 2
	at := c.answered.Load()
	if at == 0 {
		return 0
	}
	until := (now.UnixNano() - at) / frameTime * frameSize
	for channel, end := range [2]int64{leg.CallerChannel: until, leg.AgentChannel: until - settling} {
		pcm := c.tape.Channel(channel)
		pcm = pcm[:max(min(int(end), len(pcm)), 0)]
		for ; len(pcm) > 0; pcm = pcm[min(page, len(pcm)):] {
			if slices.ContainsFunc(pcm[:min(page, len(pcm))], func(v int16) bool { return v != 0 }) {
				bytes += page
			}
		}
	}
	return bytes
}

// servicesGrowth is the percentage by which the service lets its heap grow between collections
// (cmd/ringtrue), so that what is measured here is what is shipped.
const servicesGrowth = 400

// nearMain is the calling process. It prints "up" when every call is on the line, "down" when they
// are over, and after "compare FILE" what became of every frame.
func nearMain(args []string) error {
	o, host, err := callingFlags("part-near", args)
	if err != nil {
		return err
	}
	debug.SetGCPercent(servicesGrowth)
	n, err := newNear(o, host)
	if err != nil {
		return err
	}
	defer n.line.Close()
	stop, err := profiled(o.profile)
	if err != nil {
		return err
	}
	used := begin()
	var calls []*nearCall
	var result result
	if o.overload > 0 {
		calls = n.flood(&result)
	} else {
		calls = n.all(&result)
	}
	used.end(&result)
	stop()
	if n.remember != nil {
		n.remember()
	}
	fmt.Println("down")
	in := bufio.NewScanner(os.Stdin)
	in.Scan()
	if err := compareNear(in.Text(), o.seed, calls, &result); err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(result)
}

// callingFlags parses the flags of every calling process.
func callingFlags(name string, args []string) (o options, host string, err error) {
	flags := flag.NewFlagSet(name, flag.ContinueOnError)
	flags.IntVar(&o.calls, "calls", 1, "")
	flags.IntVar(&o.seconds, "seconds", 1, "")
	flags.Float64Var(&o.rate, "rate", 1, "")
	flags.Uint64Var(&o.seed, "seed", 1, "")
	flags.StringVar(&o.profile, "profile", "", "")
	flags.IntVar(&o.overload, "overload", 0, "")
	flags.BoolVar(&o.trace, "trace", false, "")
	flags.StringVar(&host, "far", "", "")
	err = flags.Parse(args)
	return o, host, err
}

func profiled(file string) (stop func(), err error) {
	if file == "" {
		return func() {}, nil
	}
	f, err := os.Create(file)
	if err != nil {
		return nil, err
	}
	if err := pprof.StartCPUProfile(f); err != nil {
		return nil, err
	}
	return func() { pprof.StopCPUProfile(); f.Close() }, nil
}

func newNear(o options, host string) (*near, error) {
	line, err := sip.New(sip.Options{
		Trunks: []sip.Trunk{{Name: "far", Host: host, Transport: sip.UDP, From: "+15550100"}}, Shards: 1, Now: time.Now,
	})
	if err != nil {
		return nil, err
	}
	people, err := callers.New(context.Background(), o.seed, rate)
	if err != nil {
		return nil, err
	}
	runtime.GC()
	return &near{o: o, line: line, people: people}, nil
}

// all places every call and waits until they are over. It measures the memory when all of them have
// been on the line for the whole time.
func (n *near) all(out *result) (calls []*nearCall) {
	begun, before := time.Now(), memory()
	var wg sync.WaitGroup
	for i := range n.o.calls {
		c := &nearCall{number: i, tape: leg.NewTape(n.o.wholeCall() + 20*time.Second)}
		calls = append(calls, c)
		wait(begun.Add(time.Duration(float64(i) / n.o.rate * 1e9)))
		wg.Go(func() { n.place(c, n.o.wholeCall()) })
	}
	for int(n.up.Load()) < n.o.calls && time.Since(begun) < n.o.ramp()+10*time.Second {
		wait(time.Now().Add(10 * time.Millisecond))
	}
	fmt.Println("up")
	wait(begun.Add(n.o.ramp() + time.Duration(n.o.seconds)*time.Second - 500*time.Millisecond))
	atPeak, peak := memory(), time.Now()
	fmt.Println("peak")
	wg.Wait()
	n.remember = func() {
		tapes := int64(0)
		for _, c := range calls {
			tapes += c.recorded(peak)
		}
		out.MemoryKB = float64(atPeak-before-tapes/1024) / float64(n.o.calls)
		out.TapeKB = float64(tapes) / 1024 / float64(n.o.calls)
	}
	return calls
}

func wait(until time.Time) {
	t := time.NewTimer(time.Until(until))
	<-t.C
}

func (n *near) place(c *nearCall, length time.Duration) {
	person, err := n.people.Caller(c.number, length)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return
	}
	defer person.Close()
	c.attempt = n.line.Place(context.Background(), leg.Dial{
		CallID: fmt.Sprint("call_", c.number), To: fmt.Sprintf("+15550%d", c.number),
		RingTimeout: 20 * time.Second, MaxDuration: length + 10*time.Second,
		OnState: func(s leg.State) {
			if s == leg.Answered {
				c.answered.Store(time.Now().UnixNano())
				n.up.Add(1)
			}
		},
	}, person, c.tape)
}
