// Package callers provides the people who call in bench/calls and bench/rooms: they answer whenever
// the agent has finished a turn, in synthetic voices made here. It is used next to bench/meter,
// which measures the processes they run in.
package callers

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/caller"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

// scripts is the number of different people who call; calls share their lines.
const scripts = 16

// People are callers whose lines are synthesised.
type People struct {
	seed  uint64
	items []scenario.Item
	lines []*caller.Lines
}

// New makes the people for a seed; they speak at the given rate.
func New(ctx context.Context, seed uint64, rate int) (*People, error) {
	p, cache := &People{seed: seed}, caller.NewCache(0)
	rng := rand.New(rand.NewPCG(seed, 0x63616c6c))
	for i := range scripts {
		item := person(i, rng)
		lines, err := caller.Prepare(ctx, voiced{rate}, cache, item)
		if err != nil {
			return nil, err
		}
		p.items, p.lines = append(p.items, item), append(p.lines, lines)
	}
	return p, nil
}

// Caller returns the caller of the call with this number, for at most the given time. It must be
// closed.
func (p *People) Caller(number int, length time.Duration) (*caller.Caller, error) {
	k := number % scripts
	item := p.items[k]
	item.Input.Limits.MaxDurationMS = int(length / time.Millisecond)
	return caller.New(caller.Options{Item: item, Seed: p.seed + uint64(number), Lines: p.lines[k]})
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

// voiced is their mouth: a second or two of vowels that depend on the text.
type voiced struct{ rate int }

// Say implements caller.Mouth.
func (v voiced) Say(_ context.Context, _ scenario.Persona, _, text string) (audio.Clip, error) {
	seed := uint64(len(text))
	for _, b := range []byte(text) {
		seed = Mix(seed ^ uint64(b))
	}
	return audio.Clip{PCM: Vowels(seed, v.rate, v.rate+int(seed%uint64(v.rate)), -20), Rate: v.rate}, nil
}

// Vowels returns the harmonics of a gliding voice: n samples at the rate, at the level (dBFS).
func Vowels(seed uint64, rate, n int, db float64) []int16 {
	pcm := make([]int16, n)
	pitch := 105 + float64(seed%7)*13
	phase := 0.0
	for i := range pcm {
		t := float64(i) / float64(rate)
		phase += 2 * math.Pi * pitch * (1 + 0.08*math.Sin(2*math.Pi*1.3*t)) / float64(rate)
		sum := 0.0
		for h := 1; h <= 18; h++ {
			f := pitch * float64(h)
			gain := 1/(1+math.Pow((f-600)/250, 2)) + 0.5/(1+math.Pow((f-1500)/300, 2))
			sum += gain * math.Sin(float64(h)*phase)
		}
		pcm[i] = int16(2000 * sum * (0.6 + 0.4*math.Sin(2*math.Pi*4*t)))
	}
	audio.Gain(pcm, db-audio.Level(pcm))
	return pcm
}

// Mix spreads the bits of x (the finaliser of SplitMix64).
func Mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
