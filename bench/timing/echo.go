package main

import (
	"math"
	"math/rand/v2"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/leg"
)

// echoing is a Party whose line sends back what it hears, fainter and later, together with the party's own voice.
type echoing struct {
	leg.Party
	gain float64
	// past is what was heard last, in a ring; at is the place of the next sample, delay that of the echo behind it.
	past      []int16
	at, delay int
	back      [telephone / 50]int16
}

// echoed gives a party's line the condition's echo, if it has one. It is 40 to 400 ms late.
func (c condition) echoed(p leg.Party, rng *rand.Rand) leg.Party {
	if c.echo == 0 {
		return p
	}
	return &echoing{Party: p, gain: math.Pow(10, -c.echo/20), past: make([]int16, telephone/2), delay: telephone/25 + rng.IntN(telephone*9/25)}
}

// Step implements leg.Party.
func (e *echoing) Step(in, out *leg.Frame) {
	e.Party.Step(in, out)
	back := e.back[:len(out.PCM)]
	for i := range back {
		e.past[e.at] = in.PCM[i]
		back[i] = int16(e.gain * float64(e.past[(e.at-e.delay+len(e.past))%len(e.past)]))
		e.at = (e.at + 1) % len(e.past)
	}
	audio.Mix(out.PCM, back)
}
