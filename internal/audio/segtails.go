package audio

import (
	"math"
	"slices"
)

// Soft ends, in hops.
const (
	tailReach  = 50 // an end moves by 250 ms at most
	tailSkip   = 1  // the hop next to an end, whose window holds louder sound
	tailLeast  = 4  // a soft sound has 20 ms
	tailGap    = 12 // and begins within 60 ms of the end, tailStep by tailStep
	tailStep   = 3
	tailGuard  = 40                // what lies within 200 ms of speech may be a soft sound itself
	tailSounds = 3                 // how many soft sounds follow one another, a hiss on a fading vowel
	tailBlock  = 2 * hopsPerSecond // the noise is looked at anew so often, within ±tailNoise,
	tailNoise  = 5 * hopsPerSecond
	trialBlock = 15 * hopsPerSecond // and what it comes to by itself so often, within ±trialBlock,
	trialStep  = 24                 // in places so far apart,
	enoughRuns = 10                 // of which there must be so many
)

// What noise alone comes to in all but one of fifty trials, and as much again
// times tailOver, is needed to move an end.
const (
	tailQuantile = 0.98
	tailOver     = 1.3
)

// tails finds the soft sounds after what stands out of a steady noise: a hiss or
// a fading vowel that no single window shows, but the power of a stretch of
// windows in a range of bands. Beginnings are left as they are: looked for in
// the same way they gain next to nothing, and noise moves one in fifty.
type tails struct {
	f     *features
	shape windows
	// bands holds what has been asked for of the bands of single windows; known says which.
	bands  []bandEnergies
	known  []bool
	silent []bool
	ranges [13]tailRange
	noise  map[int]tailLevel
	least  map[int]float64
}

// tailRange is a range of bands, and how much stands in it up to each hop after an end.
type tailRange struct {
	from, to int
	bins     float64
	sums     [tailReach + 1]float64
}

// tailLevel is the mean of each band of the noise and the score that a soft
// sound must reach; 0 where too little is known.
type tailLevel struct {
	mean  [bandCount]float64
	least float64
}

func newTails(f *features, shape windows, spans []Span) *tails {
	n := len(f.bands)
	t := &tails{f: f, shape: shape, bands: make([]bandEnergies, n), known: make([]bool, n), noise: map[int]tailLevel{}, least: map[int]float64{}}
	for i, r := range [...][2]int{{0, 2}, {2, 4}, {0, 4}, {4, 7}, {2, 7}, {7, 10}, {6, 10}, {10, 13}, {8, 13}, {11, 13}, {12, 13}, {0, 7}, {0, 13}} {
		t.ranges[i] = tailRange{from: r[0], to: r[1], bins: float64(shape.spec.edges[r[1]] - shape.spec.edges[r[0]])}
	}
	speech := make([]bool, n)
	for _, s := range spans {
		for i := s.Start / shape.hop; i <= min(s.End/shape.hop, n-1); i++ {
			speech[i] = true
		}
	}
	t.silent = guarded(speech, tailGuard)
	for i, hole := range f.hole {
		t.silent[i] = t.silent[i] && !hole
	}
	return t
}

// soften moves the ends of spans over soft sounds, where the noise is
// louder than what can just be heard and does not rise and fall.
func (t *tails) soften(spans []Span, noise noiseModel) []Span {
	hop, out := t.shape.hop, slices.Clone(spans)
	for i, s := range spans {
		first, last := s.Start/hop, (s.End-1)/hop
		b := noise[min((first+last)/2/blockHops, len(noise)-1)]
		if b.power <= audibleAmplitude*audibleAmplitude || b.on > 2*leastOn {
			continue
		}
		level := t.level((first + last) / 2)
		if level.least == 0 {
			continue
		}
		after := len(t.bands)
		if i+1 < len(spans) {
			after = spans[i+1].Start / hop
		}
		if n := t.extend(last, after-last-1, &level); n > 0 {
			out[i].End = min((last+n+1)*hop, len(t.shape.pcm))
		}
	}
	return out
}

// extend says by how many hops the end at the given hop moves, room at most.
func (t *tails) extend(at, room int, level *tailLevel) int {
	n := 0
	room = min(room, tailReach)
	for range tailSounds {
		k, score := t.softest(at+n, room-n, level)
		if k == 0 || score < level.least {
			break
		}
		n += k
	}
	return n
}

// level measures the noise around a hop, from all that is far from speech.
func (t *tails) level(hop int) tailLevel {
	key := hop / tailBlock
	l, known := t.noise[key]
	if known {
		return l
	}
	hop = key*tailBlock + tailBlock/2
	count := 0
	for i := max(0, hop-tailNoise); i < min(len(t.silent), hop+tailNoise); i++ {
		if t.silent[i] {
			count++
			for k, e := range t.f.bands[i] {
				l.mean[k] += float64(e)
			}
		}
	}
	for k := range l.mean {
		l.mean[k] = max(l.mean[k]/float64(max(count, 1)), lowestNoise/2)
	}
	if count >= enoughHops {
		l.least = t.leastAt(hop/trialBlock, &l)
	}
	t.noise[key] = l
	return l
}

// leastAt is the score that is needed in a block. It does not depend on how loud the noise is.
func (t *tails) leastAt(block int, level *tailLevel) float64 {
	least, known := t.least[block]
	if !known {
		least = t.trials(block*trialBlock+trialBlock/2, level)
		t.least[block] = least
	}
	return least
}

// trials looks for soft sounds in the noise around a hop, where there are none.
func (t *tails) trials(hop int, level *tailLevel) float64 {
	const length = tailReach + 2
	var found []float64
	run := 0
	for i := max(0, hop-trialBlock); i < min(len(t.silent), hop+trialBlock); i++ {
		if run++; !t.silent[i] {
			run = 0
		}
		if run >= length && (run-length)%trialStep == 0 {
			_, score := t.softest(i-length+1, tailReach, level)
			found = append(found, score)
		}
	}
	if len(found) < enoughRuns {
		return 0
	}
	slices.Sort(found)
	return tailOver * found[int(float64(len(found)-1)*tailQuantile)]
}

// softest finds the likeliest soft sound after an end: the stretch of
// windows and the range of bands whose mean power g, as a multiple of the
// noise's, is the least like noise. The score is the logarithm of the ratio of
// likelihoods, counted in bins: n·(g − 1 − ln g). It returns how many hops later it ends.
func (t *tails) softest(at, room int, level *tailLevel) (hops int, score float64) {
	n := t.gather(at, room, level)
	for r := range t.ranges {
		bins, sums := t.ranges[r].bins, &t.ranges[r].sums
		for a := 0; a <= tailGap; a += tailStep {
			for z := a + tailLeast; z <= n; z++ {
				m := float64(z-a) * bins
				x := sums[z] - sums[a] - m
				if x <= 0 || x*x <= 2*m*score { // the score is never more than x²/2m
					continue
				}
				g := 1 + x/m
				if s := m * (g - 1 - math.Log(g)); s > score {
					score, hops = s, z+tailSkip
				}
			}
		}
	}
	return hops, score
}

// gather sums up the ranges over the windows after an end and returns how many these are.
func (t *tails) gather(at, room int, level *tailLevel) int {
	n := 0
	for q := 1 + tailSkip; q <= room; q++ {
		i := at + q
		if i >= len(t.bands) {
			break
		}
		if !t.known[i] {
			t.shape.bands(i, &t.bands[i])
			t.known[i] = true
		}
		var upTo [bandCount + 1]float64
		for k, e := range t.bands[i] {
			bins := float64(t.shape.spec.edges[k+1] - t.shape.spec.edges[k])
			upTo[k+1] = upTo[k] + bins*float64(e)/level.mean[k]
		}
		for r := range t.ranges {
			b := &t.ranges[r]
			b.sums[n+1] = b.sums[n] + upTo[b.to] - upTo[b.from]
		}
		n++
	}
	return n
}
