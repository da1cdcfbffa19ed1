package caller

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

// anySteps returns a random script.
func anySteps(r *rand.Rand, depth int) []scenario.Step {
	var steps []scenario.Step
	for range 1 + r.IntN(4) {
		s := anyStep(r, depth)
		steps = append(steps, s)
		if s.HangUp {
			break
		}
	}
	return steps
}

func anyStep(r *rand.Rand, depth int) scenario.Step {
	kinds := 8
	if depth > 0 {
		kinds = 10
	}
	line := fmt.Sprintf("line %d", r.IntN(30))
	interject := &scenario.Interject{AfterMS: r.IntN(3000), Say: line}
	switch r.IntN(kinds) {
	case 0, 1:
		return say(line)
	case 2:
		return waitAgent()
	case 3:
		return scenario.Step{Press: "1#"}
	case 4:
		return scenario.Step{StaySilentMS: 1 + r.IntN(4000)}
	case 5:
		return scenario.Step{Interrupt: interject}
	case 6:
		return scenario.Step{Backchannel: interject}
	case 7:
		if r.IntN(3) == 0 {
			return hangUp()
		}
		return scenario.Step{RepeatIfMisunderstood: &scenario.Repeat{Words: []string{"yes"}}}
	case 8:
		return scenario.Step{WaitForWords: &scenario.WaitForWords{
			Any: []string{"yes"}, TimeoutMS: 500 + r.IntN(9000), Otherwise: anySteps(r, depth-1)[:r.IntN(2)],
		}}
	}
	return scenario.Step{Branch: &scenario.Branch{
		Cases: []scenario.Case{{Any: []string{"yes"}, Then: anySteps(r, depth-1)}}, Otherwise: anySteps(r, depth-1),
	}}
}

func anyAgent(r *rand.Rand) *farAgent {
	a := &farAgent{}
	for range r.IntN(6) {
		u := utterance{long: time.Duration(100+r.IntN(5000)) * ms, text: []string{"yes", "no", ""}[r.IntN(3)]}
		if r.IntN(2) == 0 {
			u.at = time.Duration(20+r.IntN(30_000)) * ms
		} else {
			u.after = time.Duration(r.IntN(6000)) * ms
		}
		a.lines = append(a.lines, u)
	}
	return a
}

// FuzzAnyScript checks that with any script and any agent, the call ends in time and with a reason,
// and that the caller never says two things at once.
func FuzzAnyScript(f *testing.F) {
	for seed := range uint64(8) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 1))
		item := script(anySteps(r, 2)...)
		item.Input.Limits.MaxDurationMS = 60_000
		o := (&stage{item: item, agent: anyAgent(r)}).play(t)
		if !o.hungUp || o.length > 60*second+leg.FrameTime || o.caller.Ending().Code == "" {
			t.Fatalf("the call lasted %s and ended as %+v\n%s", o.length, o.caller.Ending(), o.story())
		}
		end := time.Duration(0)
		for _, e := range o.of(call.KindSaid) {
			if e.At < end || e.End <= e.At {
				t.Fatalf("%q was said from %s to %s, the line before ended at %s", e.Text, e.At, e.End, end)
			}
			end = e.End
		}
		if n := len(o.of(call.KindOurFault)); n != 0 {
			t.Fatalf("our own fault\n%s", o.story())
		}
	})
}

func BenchmarkStep(b *testing.B) {
	m := &fakeMouth{}
	lines, err := Prepare(b.Context(), m, NewCache(0), script(say("one")))
	if err != nil {
		b.Fatal(err)
	}
	c, err := New(Options{Item: script(waitAgent()), Lines: lines})
	if err != nil {
		b.Fatal(err)
	}
	c.Begin(8000)
	talk := voiceLike(4*second, 120, 8000)
	noise := audio.NewNoise(1)
	noise.White(talk[8000:16000], -60)
	in, out := &leg.Frame{}, &leg.Frame{PCM: make([]int16, 160)}
	b.ReportAllocs()
	for i := range b.N {
		at := i * 160 % len(talk)
		in.PCM = talk[at : at+160]
		c.Step(in, out)
	}
}
