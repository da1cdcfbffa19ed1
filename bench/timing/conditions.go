package main

import (
	"math/rand/v2"

	"github.com/ringtrue/ringtrue/internal/audio"
)

// condition is what happens to the agent's sound in transit.
type condition struct {
	name string
	// figure is the part of the figures' names that this condition counts for, "" for none.
	figure string
	noise  noiseMaker // nil means none
	snr    float64    // dB, of active speech to noise
	// lost is the share of packets lost, burst the mean number lost in a row (1: independently).
	lost, burst float64
	aLaw        bool
	// echo is how many dB fainter the caller comes back on the agent's line; 0 for not at all.
	echo float64
	// timed makes the caller speak at given times instead of by what it hears.
	timed bool
}

func conditions() []condition {
	all := []condition{
		{name: "clean, PCMU", figure: "clean"},
		{name: "clean, PCMA", figure: "clean", aLaw: true},
	}
	for _, n := range []struct {
		name, suffix string
		maker        noiseMaker
	}{{"white", "", white}, {"pink", "", pink}, {"babble", "_babble", babble}} {
		for _, db := range []struct {
			name, figure string
			snr          float64
		}{{"20 dB", "20db", 20}, {"10 dB", "10db", 10}, {"5 dB", "5db", 5}} {
			all = append(all, condition{name: n.name + " " + db.name, figure: db.figure + n.suffix, noise: n.maker, snr: db.snr, timed: n.name == "babble"})
		}
	}
	for _, burst := range []float64{1, 3} {
		for _, p := range []struct {
			name, figure string
			share        float64
		}{{"1 % lost", "lost_1", 0.01}, {"3 % lost", "lost_3", 0.03}, {"5 % lost", "lost_5", 0.05}} {
			c := condition{name: p.name + ", one by one", figure: p.figure, lost: p.share, burst: burst}
			if burst > 1 {
				c.name, c.figure = p.name+", in bursts", p.figure+"_bursts"
			}
			all = append(all, c)
		}
	}
	for _, e := range []condition{{name: "echo, 15 dB fainter", echo: 15}, {name: "echo, 25 dB fainter", echo: 25}} {
		e.figure = "echo"
		all = append(all, e)
	}
	return all
}

// noiseLoop is how much noise is generated for a call; it is repeated.
const noiseLoop = 40 * telephone

// hiss returns a function that fills frames with the condition's noise, nil if there is none.
func (c condition) hiss(s *stock, rng *rand.Rand) func([]int16) {
	if c.noise == nil {
		return nil
	}
	loop := make([]int16, noiseLoop)
	c.noise(s.crowd, rng, loop)
	audio.Gain(loop, speechDB-c.snr-audio.Level(loop))
	pos := 0
	return func(pcm []int16) {
		for i := range pcm {
			pcm[i] = loop[pos]
			pos = (pos + 1) % len(loop)
		}
	}
}

// loser returns a function that says whether the next packet is lost, nil if none is.
func (c condition) loser(rng *rand.Rand) func() bool {
	if c.lost <= 0 {
		return nil
	}
	// The probability that a burst continues follows from its mean length, the probability that one
	// begins from the share.
	goesOn := 1 - 1/c.burst
	begins := c.lost * (1 - goesOn) / (1 - c.lost*goesOn)
	losing := false
	return func() bool {
		if losing {
			losing = rng.Float64() < goesOn
		}
		if !losing {
			losing = rng.Float64() < begins
		}
		return losing
	}
}
