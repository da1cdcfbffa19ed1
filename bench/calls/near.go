package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/caller"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/line/sip"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

// near is our calling side: the real caller on the real line.
type near struct {
	o     options
	line  *sip.Line
	cache *caller.Cache
	items []scenario.Item
	lines []*caller.Lines
	up    atomic.Int64
	// remember works out, afterwards, what memory the calls took.
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

// recorded is how many bytes of samples the recording had taken at a moment of
// the call: a byte a sample, by pages of memory, and no page where there was
// nothing but silence. What came last from the far end is not laid down yet.
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

// servicesGrowth is by how many percent the service lets its heap grow before it is
// collected (cmd/ringtrue): what is measured here is what is shipped.
const servicesGrowth = 400

// nearMain is the calling process. It prints "up" when every call is on the
// line, "down" when they are over, and after "compare FILE" what became of every frame.
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

// callingFlags are what every calling process is told.
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

// scripts is how many different people call; they share their lines.
const scripts = 16

func newNear(o options, host string) (*near, error) {
	line, err := sip.New(sip.Options{
		Trunks: []sip.Trunk{{Name: "far", Host: host, Transport: sip.UDP, From: "+15550100"}}, Shards: 1, Now: time.Now,
	})
	if err != nil {
		return nil, err
	}
	n := &near{o: o, line: line, cache: caller.NewCache(0)}
	rng := rand.New(rand.NewPCG(o.seed, 0x63616c6c))
	for i := range scripts {
		n.items = append(n.items, person(i, rng))
		lines, err := caller.Prepare(context.Background(), voiced{}, n.cache, n.items[i])
		if err != nil {
			return nil, err
		}
		n.lines = append(n.lines, lines)
	}
	runtime.GC()
	return n, nil
}

// person answers whenever the far end has finished a turn.
func person(i int, rng *rand.Rand) scenario.Item {
	var steps []scenario.Step
	for k := range 400 {
		steps = append(steps, scenario.Step{WaitForAgent: &scenario.WaitForAgent{}},
			scenario.Step{Say: fmt.Sprintf("line %d of person %d", k%4, i)})
	}
	return scenario.Item{Input: scenario.Input{Script: steps, Persona: scenario.Persona{PatienceMS: 500 + rng.IntN(400)}}}
}

// voiced is the mouth of all of them: a second or two of vowels that depend on the text.
type voiced struct{}

// Say implements caller.Mouth.
func (voiced) Say(_ context.Context, _ scenario.Persona, _, text string) (audio.Clip, error) {
	seed := uint64(len(text))
	for _, b := range []byte(text) {
		seed = mix(seed ^ uint64(b))
	}
	return audio.Clip{PCM: vowels(seed, rate+int(seed%rate), -20), Rate: rate}, nil
}

// all places every call and waits until they are over. It measures the memory
// when all of them have been on the line for the whole time.
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
	k := c.number % scripts
	item := n.items[k]
	item.Input.Limits.MaxDurationMS = int(length / time.Millisecond)
	person, err := caller.New(caller.Options{Item: item, Seed: n.o.seed + uint64(c.number), Lines: n.lines[k]})
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
