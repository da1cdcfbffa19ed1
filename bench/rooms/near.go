package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"runtime/pprof"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/caller"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/line/room"
	"github.com/ringtrue/ringtrue/internal/scenario"
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
	o     options
	line  *room.Line
	items []scenario.Item
	lines []*caller.Lines
	up    atomic.Int64
}

// nearMain is the calling process. It prints "up" when every call is going on, "peak"
// before the first ends, "down" when they are over, and after the name of the
// agents' file what became of every frame.
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

// scripts is how many different people call; they share their lines.
const scripts = 16

func newNear(o options) (*near, error) {
	s, err := o.connect()
	if err != nil {
		return nil, err
	}
	n := &near{o: o, line: room.New(room.Options{Server: s, Now: time.Now})}
	cache := caller.NewCache(0)
	rng := rand.New(rand.NewPCG(o.seed, 0x63616c6c))
	for i := range scripts {
		n.items = append(n.items, person(i, rng))
		lines, err := caller.Prepare(contextOf(), voiced{}, cache, n.items[i])
		if err != nil {
			return nil, err
		}
		n.lines = append(n.lines, lines)
	}
	runtime.GC()
	return n, nil
}

// person answers whenever the agent has finished a turn.
func person(i int, rng *rand.Rand) scenario.Item {
	var steps []scenario.Step
	for k := range 400 {
		steps = append(steps, scenario.Step{WaitForAgent: &scenario.WaitForAgent{}},
			scenario.Step{Say: fmt.Sprintf("line %d of person %d", k%4, i)})
	}
	return scenario.Item{Input: scenario.Input{Script: steps, Persona: scenario.Persona{PatienceMS: 500 + rng.IntN(400)}}}
}

// voiced is the mouth of all of them: a second or two of a gliding voice.
type voiced struct{}

// Say implements caller.Mouth.
func (voiced) Say(_ context.Context, _ scenario.Persona, _, text string) (audio.Clip, error) {
	seed := uint64(len(text))
	for _, b := range []byte(text) {
		seed = mix(seed ^ uint64(b))
	}
	pcm := make([]int16, rate+int(seed%rate))
	pitch, phase := 105+float64(seed%7)*13, 0.0
	for i := range pcm {
		t := float64(i) / rate
		phase += 2 * math.Pi * pitch * (1 + 0.08*math.Sin(2*math.Pi*1.3*t)) / rate
		sum := 0.0
		for h := 1; h <= 18; h++ {
			f := pitch * float64(h)
			sum += math.Sin(float64(h)*phase) / (1 + math.Pow((f-600)/250, 2))
		}
		pcm[i] = int16(2000 * sum * (0.6 + 0.4*math.Sin(2*math.Pi*4*t)))
	}
	audio.Gain(pcm, -20-audio.Level(pcm))
	return audio.Clip{PCM: pcm, Rate: rate}, nil
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
	k, length := c.number%scripts, time.Until(end)
	item := n.items[k]
	item.Input.Limits.MaxDurationMS = int(length / time.Millisecond)
	person, err := caller.New(caller.Options{Item: item, Seed: n.o.seed + uint64(c.number), Lines: n.lines[k]})
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
