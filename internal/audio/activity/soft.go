package activity

import (
	"math"
	"slices"

	"github.com/ringtrue/ringtrue/internal/audio"
)

// Soft edges, in hops.
const (
	softReach = 50                 // an edge moves by 250 ms at most
	softSkip  = 1                  // the hop next to an edge, whose window holds louder sound
	softGuard = 40                 // what lies within 200 ms of speech may be a soft sound itself
	softBlock = 2 * hopsPerSecond  // the noise is looked at anew so often,
	softNoise = 5 * hopsPerSecond  // within ±softNoise,
	softChunk = hopsPerSecond / 10 // and how it varies by its means over so long,
	softLeast = 5                  // of which there must be so many
)

// What is believed of soft sounds before they are listened for.
const (
	// softShare is how often there is one beside an edge in loud noise, softMost
	// at most; the less noise there is, the rarer one is hidden.
	softShare, softMost = 0.8, 0.85
	// softCrowdBefore and softCrowdAfter are how often there is one in front of a
	// crowd at least, however faint it is: there an edge lies where the level has
	// risen by most of what speech does, so that nearly always something softer is left outside.
	softCrowdBefore, softCrowdAfter = 0.7, 0.8
	softSwitch                      = 0.08 // how often a hop sounds unlike the one before
)

// How much is learnt from a hop.
const (
	// softHiss times its bins is how much the mean of a band over 100 ms varies in
	// a hiss; what varies more counts for less.
	softHiss = 1 / 0.35
	// softBound is the most that one hop may say (the logarithm of a ratio of likelihoods): a click is no proof.
	softBound = 6.0
)

// softLengths are the mean lengths of a sound before and after, in hops. A longer
// beginning is more often than not a crest of the noise.
//
//nolint:gochecknoglobals // a table
var softLengths = [2]float64{10, 16}

// softTrust is how much is learnt from a hop, see soft.counts.
type softTrust struct {
	// bin is how much a bin of a window counts, because windows overlap, and so do
	// their bins; what varies more than a hiss counts for less, by the power temper.
	bin, temper float64
	// share is how often there is a soft sound at least, whatever the noise.
	share float64
}

// The kinds of edges that trust differs for: in front of a crowd, ends are heard
// better when no single band is trusted much.
const (
	softUsual = iota
	softCrowdStart
	softCrowdEnd
)

//nolint:gochecknoglobals // a table
var softTrusts = [...]softTrust{
	softUsual: {bin: 0.28, temper: 1.3}, softCrowdStart: {bin: 0.28, temper: 1.3, share: softCrowdBefore}, softCrowdEnd: {bin: 0.14, temper: 1, share: softCrowdAfter},
}

// soft finds the soft sounds before and after what stands out of a noise: a
// hiss, a breath, a fading vowel that no single window shows. It compares a
// stretch of windows beside an edge with what soft beginnings and ends sound like
// (see softSounds) at the speaker's level, and moves the edge to where the sound
// as likely begins before as after.
type soft struct {
	f     *features
	shape windows
	// bands holds what has been asked for of the bands of single windows; known says which.
	bands  []bandEnergies
	known  []bool
	silent []bool
	voice  float64 // the mean square of the speaker
	noise  map[softKey]*softLevel
}

// softKey names a softLevel: its block, and the kind of edge.
type softKey struct{ block, kind int }

// softLevel is a noise, and how the energies of a window weigh in for each soft
// sound: the logarithm of the ratio of likelihoods is Σ weight·energy − less.
type softLevel struct {
	enough bool
	mean   bandMeans
	share  float64 // how often there is a soft sound beside an edge
	weight []bandMeans
	less   []float64
}

type bandMeans [bandCount]float64

func newSoft(f *features, shape windows, spans []audio.Span) *soft {
	n := len(f.bands)
	t := &soft{f: f, shape: shape, bands: make([]bandEnergies, n), known: make([]bool, n), noise: map[softKey]*softLevel{}}
	speech := make([]bool, n)
	for _, s := range spans {
		for i := s.Start / shape.hop; i <= min(s.End/shape.hop, n-1); i++ {
			speech[i] = true
		}
	}
	t.silent = guarded(speech, softGuard)
	var sum, less, some, rest float64
	for i, own := range f.own {
		t.silent[i] = t.silent[i] && !f.hole[i]
		switch {
		case speech[i]:
			sum, some = sum+float64(own), some+1
		case t.silent[i]:
			less, rest = less+float64(own), rest+1
		}
	}
	t.voice = max(sum/max(some, 1)-less/max(rest, 1), 0)
	return t
}

// widen moves the edges of spans over soft sounds, where the noise is louder than what can just be heard.
func (t *soft) widen(spans []audio.Span, noise noiseModel, crowd []crowdBlock) []audio.Span {
	hop, out := t.shape.hop, slices.Clone(spans)
	for i, s := range spans {
		first, last := s.Start/hop, (s.End-1)/hop
		if noise[min((first+last)/2/blockHops, len(noise)-1)].power <= audio.AudibleAmplitude*audio.AudibleAmplitude {
			continue
		}
		starts, ends := softUsual, softUsual
		if crowd[min((first+last)/2/blockHops, len(crowd)-1)].changing {
			starts, ends = softCrowdStart, softCrowdEnd
		}
		level := t.level((first+last)/2, starts)
		if !level.enough {
			continue
		}
		before, after := 0, len(t.bands)
		if i > 0 {
			before = spans[i-1].End/hop + 1
		}
		if i+1 < len(spans) {
			after = spans[i+1].Start / hop
		}
		if n := t.lead(first, -1, first-before, level); n > 0 {
			out[i].Start = max((first-n)*hop, 0)
		}
		if n := t.lead(last, 1, after-last-1, t.level((first+last)/2, ends)); n > 0 {
			out[i].End = min((last+n+1)*hop, len(t.shape.pcm))
		}
	}
	return out
}

// lead says by how many hops the edge at the given hop moves in direction d,
// room at most: the median of where the sound ends, by what was believed before
// and what is heard. The sound may turn into another one on its way.
func (t *soft) lead(at, d, room int, l *softLevel) int {
	var state, posterior []float64
	sounds := softSounds()
	for _, s := range sounds {
		state = append(state, s.share[(d+1)/2])
	}
	length := softLengths[(d+1)/2]
	prior, sum, total := l.share/length, 1.0, 1-l.share
	posterior = append(posterior, total)
	for j := 1; j <= min(room, softReach); j++ {
		i := at + d*j
		if i < 0 || i >= len(t.bands) || t.f.hole[i] {
			break
		}
		before := sum
		sum = 0
		for k, s := range sounds {
			state[k] = (1-softSwitch)*state[k] + softSwitch*before*s.share[(d+1)/2]
			if j > softSkip {
				state[k] *= t.ratio(i, k, l)
			}
			sum += state[k]
		}
		posterior = append(posterior, prior*sum)
		total += prior * sum
		prior *= 1 - 1/length
	}
	mass := 0.0
	for j, p := range slices.Backward(posterior) {
		if mass += p; mass >= total/2 {
			return j
		}
	}
	return 0
}

// ratio is how much likelier the window of a hop is when it holds the sound k than when it holds noise alone.
func (t *soft) ratio(i, k int, l *softLevel) float64 {
	if !t.known[i] {
		t.shape.bands(i, &t.bands[i])
		t.known[i] = true
	}
	x := -l.less[k]
	for b, e := range t.bands[i] {
		x += l.weight[k][b] * float64(e)
	}
	return math.Exp(min(max(x, -softBound), softBound))
}

// level is the noise around a hop, from all that is far from speech, as an edge of a kind is judged by it.
func (t *soft) level(hop, kind int) *softLevel {
	key := softKey{hop / softBlock, kind}
	l, known := t.noise[key]
	if known {
		return l
	}
	l = &softLevel{}
	t.noise[key] = l
	hop = key.block*softBlock + softBlock/2
	from, to := max(0, hop-softNoise), min(len(t.silent), hop+softNoise)
	chunks := t.f.chunks(t.silent, from, to)
	count := 0
	for i := from; i < to; i++ {
		if t.silent[i] {
			count++
			for k, e := range t.f.bands[i] {
				l.mean[k] += float64(e)
			}
		}
	}
	if count < enoughHops || len(chunks) < softLeast {
		return l
	}
	power := 0.0
	for k := range l.mean {
		l.mean[k] = max(l.mean[k]/float64(count), lowestNoise/2)
		power += l.mean[k] / bandCount
	}
	l.enough = true
	l.weigh(t.voice, t.counts(chunks, l.mean, softTrusts[kind]))
	ratio := math.Log10(max(t.voice, 1) / max(power, 1)) // half of it is the share in 20 dB
	l.share = max(min(softShare*min(max(1.5-ratio/2, 0.3), 1.5), softMost), softTrusts[kind].share)
	return l
}

// counts is how much each band counts: the more bins it has, and the less its
// noise varies beyond what a hiss does.
func (t *soft) counts(chunks []bandEnergies, mean bandMeans, trust softTrust) (out bandMeans) {
	for k := range out {
		square := 0.0
		for _, c := range chunks {
			x := float64(c[k])/mean[k] - 1
			square += x * x / float64(len(chunks))
		}
		out[k] = trust.bin * t.f.bins[k] / math.Pow(max(t.f.bins[k]*softChunk*square/softHiss, 1), trust.temper)
	}
	return out
}

// weigh works out how energies weigh in for a speaker of the given mean square.
func (l *softLevel) weigh(voice float64, counts bandMeans) {
	for _, s := range softSounds() {
		var weight bandMeans
		less := 0.0
		for b, db := range s.bands {
			g := 0.0
			if db > unheard {
				g = voice * math.Pow(10, float64(db)/10) / l.mean[b]
			}
			weight[b] = counts[b] * g / (1 + g) / l.mean[b]
			less += counts[b] * math.Log1p(g)
		}
		l.weight, l.less = append(l.weight, weight), append(l.less, less)
	}
}
