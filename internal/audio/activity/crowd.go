package activity

import (
	"math"
	"slices"

	"github.com/ringtrue/ringtrue/internal/audio"
)

// Parameters for fluctuating noise, in hops.
const (
	crowdHops = 10 // the level is averaged over ±50 ms,
	closeHops = 2  // and over ±10 ms to find the edges
)

const (
	// crowdVaries is how much more than white noise the bands of a noise must vary from one 100 ms to the next to count as
	// fluctuating (white noise gives at most 0.13, six voices at least 1.7). At least crowdChunks such stretches are needed.
	crowdVaries, crowdChunks = 0.6, 8
	// crowdSpread is how far in dB the level of such a noise falls below its mode.
	crowdSpread = 0.9
	// Speech is what exceeds the mean of the noise by at least crowdOver dB, by crowdSigma
	// times its spread until more is known, and by crowdShare of the speaker's excess.
	crowdOver, crowdSigma, crowdShare = 3.3, 3.0, 0.45
	// crowdCrest is how far in dB the threshold is above the level below which the share crowdMost
	// of the noise stays.
	crowdMost, crowdCrest = 0.98, 0.5
	// crowdOff and crowdClose are the shares of that excess above which speech goes on, and at which its edges lie.
	crowdOff, crowdClose = 0.6, 0.75
)

// crowdBlock is what is known of a fluctuating noise around a block. Thresholds are in level steps.
type crowdBlock struct {
	changing       bool
	on, off, close float64
}

// crowd finds speech in front of fluctuating noise, such as other voices and music, by its level
// over the whole band: there, excess in single bands means little, and the speaker is the one who
// is louder. speech is the result based on bands, which is kept where the noise is steady.
func (f *features) crowd(speech []bool) ([]bool, []crowdBlock) {
	blocks := make([]crowdBlock, (len(f.own)+blockHops-1)/blockHops)
	if !f.changing(speech, blocks) {
		return speech, blocks
	}
	c := &crowd{f: f, wide: levelSteps(smooth(f.own, crowdHops)), near: levelSteps(smooth(f.own, closeHops)), blocks: blocks}
	c.step = make([]uint8, len(c.wide))
	for i, x := range c.wide {
		c.step[i] = uint8(min(x+0.5, steps-1))
	}
	c.guess()
	for range 2 {
		c.learn(c.marks(speech))
	}
	return c.marks(speech), blocks
}

type crowd struct {
	f          *features
	wide, near []float64 // levels in steps
	step       []uint8   // wide, for counting
	blocks     []crowdBlock
}

// levelSteps converts mean squares to level steps, see stepOf.
func levelSteps(squares []float32) []float64 {
	out := make([]float64, len(squares))
	for i, e := range squares {
		out[i] = max(math.Log10(max(float64(e), 1)/lowestNoise)*10/stepDB, 0)
	}
	return out
}

// changing marks the blocks with fluctuating noise, based on what is not speech within ±15 s.
func (f *features) changing(speech []bool, blocks []crowdBlock) (any bool) {
	silent := guarded(speech, guardHops)
	for i, hole := range f.hole {
		silent[i] = silent[i] && !hole
	}
	const reach, every = scoreReach * blockHops, 4
	for i := range blocks {
		if i%every > 0 {
			blocks[i].changing = blocks[i-1].changing
			continue
		}
		chunks := f.chunks(silent, max(0, i*blockHops-reach), min(len(silent), i*blockHops+reach))
		blocks[i].changing = f.variation(chunks) > crowdVaries
		any = any || blocks[i].changing
	}
	return any
}

// chunks returns the mean band energies of every 100 ms without speech.
func (f *features) chunks(silent []bool, from, to int) []bandEnergies {
	var out []bandEnergies
	for c := from; c+softChunk <= to; {
		if i := slices.Index(silent[c:c+softChunk], false); i >= 0 {
			c += i + 1
			continue
		}
		var mean bandEnergies
		for _, b := range f.bands[c : c+softChunk] {
			for k, e := range b {
				mean[k] += e / softChunk
			}
		}
		out = append(out, mean)
		c += softChunk
	}
	return out
}

// variation returns how much chunks vary, as the median of the bands; 0 if nothing is audible
// or too little is known.
func (f *features) variation(chunks []bandEnergies) float64 {
	var mean, square bandMeans
	n, all := float64(len(chunks)), 0.0
	for _, c := range chunks {
		for k, e := range c {
			mean[k] += float64(e) / n
			square[k] += float64(e) * float64(e) / n
			all += float64(e) / n / bandCount
		}
	}
	if n < crowdChunks || all < audio.AudibleAmplitude*audio.AudibleAmplitude/2 {
		return 0
	}
	var v bandMeans
	for k := range v {
		v[k] = f.bins[k] * (square[k]/max(mean[k]*mean[k], 1) - 1)
	}
	slices.Sort(v[:])
	return v[bandCount/2]
}

// guess sets the thresholds from the distribution of the level alone: its lower mode is the
// noise, which spreads upward as it does downward.
func (c *crowd) guess() {
	var h histogram
	take := func(hop, by int) {
		if !c.f.hole[hop] {
			h.add(c.step[hop], by)
		}
	}
	slide(len(c.step), scoreReach, take, func(block, _, _ int) {
		b := &c.blocks[block]
		mode, square := h.lowMode(h.split())
		spread := math.Sqrt(square)
		b.changing = b.changing && spread*stepDB >= crowdSpread
		b.over(float64(mode), max(crowdOver/stepDB, crowdSigma*spread))
	})
}

// over sets the thresholds from how far speech exceeds the noise.
func (b *crowdBlock) over(noise, rise float64) {
	b.on, b.off, b.close = noise+rise, noise+crowdOff*rise, noise+crowdClose*rise
}

// learn sets the thresholds from the speech found.
func (c *crowd) learn(marks []bool) {
	silent := guarded(marks, guardHops)
	var noise, voice histogram
	take := func(hop, by int) {
		switch {
		case c.f.hole[hop]:
		case marks[hop]:
			voice.add(c.step[hop], by)
		case silent[hop]:
			noise.add(c.step[hop], by)
		}
	}
	slide(len(c.step), scoreReach, take, func(block, _, _ int) {
		if noise.n < enoughHops {
			return
		}
		middle := noise.quantile(0.5)
		rise := max(crowdOver/stepDB, noise.quantile(crowdMost)-middle+crowdCrest/stepDB)
		if voice.n > 0 {
			rise = max(rise, crowdShare*(voice.quantile(0.75)-middle))
		}
		c.blocks[block].over(middle, rise)
	})
}

// marks returns what exceeds the threshold, extended to adjacent sound. Where the noise is
// steady, speech is kept.
func (c *crowd) marks(speech []bool) []bool {
	marks := make([]bool, len(speech))
	for i := range marks {
		b := &c.blocks[i/blockHops]
		if !b.changing {
			marks[i] = speech[i]
			continue
		}
		if marks[i] || c.wide[i] <= b.on {
			continue
		}
		from, to := c.reach(i, -1), c.reach(i, 1)
		for from < to && c.near[from] <= b.close {
			from++
		}
		for to > from && c.near[to] <= b.close {
			to--
		}
		for j := from; j <= to; j++ {
			marks[j] = true
		}
	}
	return marks
}

// reach returns how far speech extends from a hop in direction d.
func (c *crowd) reach(at, d int) int {
	for i := at + d; i >= 0 && i < len(c.wide); i += d {
		if b := &c.blocks[i/blockHops]; !b.changing || c.wide[i] <= b.off {
			break
		}
		at = i
	}
	return at
}
