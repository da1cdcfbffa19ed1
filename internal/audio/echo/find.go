package echo

import (
	"math"
	"slices"

	"github.com/ringtrue/ringtrue/internal/audio"
)

const (
	// longest is the longest delay that is looked for, in frames: two mobile networks and a room.
	longest = 80
	// step is the distance of the delays that are tried.
	step = 2
	// swing is how far below its loudest moments a side still counts as loud, in dB.
	swing = 20
	// quietest is how far a frame has to be above the noise of its channel to tell anything, in dB.
	quietest = 3
	// near is how close to the usual loss that of a frame is where it is an echo, in dB.
	near = 5
	// enough is in how many frames both sides have to be heard.
	enough = 200
	// least is the least share of them that have the usual loss in an echo. The rest must be at most odd of what it is by
	// chance, which can be seen where the echo would come before its sound, by more than causal frames. Where nearly all have
	// the same loss by chance, levels tell nothing. Of voices that had nothing to do with one another none had such a share
	// and less than 0.55 of it left; echoes had at most 0.39, in calls where all interrupted all, and up to 0.56 through Opus.
	// Where an echo that should have been heard and was not counts too, such voices left 0.64 and more, and echoes through
	// Opus at most 0.42. The first way finds an echo that a canceller ends, the second one that a codec mars.
	least, odd, dull = 0.65, 0.5, 0.9
	causal           = 10
	// faintest is the least loss in dB: what comes back louder makes the channel a mix of both sides.
	faintest = 6
)

// way is the way of an echo: its delay in frames and its loss in dB, how much louder than that it may be, and the noise of the
// channel that it comes back on. Without an echo the loss is infinite.
type way struct {
	delay         int
	loss          float64
	margin, noise float32
}

// levels returns the level of each frame, in dB to no fixed reference. High frequencies count more, so that hum does not.
func levels(pcm []int16, hop int) []float32 {
	out := make([]float32, len(pcm)/hop)
	last := float32(0)
	for i := range out {
		sum := float32(0)
		for _, x := range pcm[i*hop : (i+1)*hop] {
			d := float32(x) - 0.9*last
			last = float32(x)
			sum += d * d
		}
		out[i] = float32(audio.Decibels(float64(sum/float32(hop)) + 1))
	}
	return out
}

// find looks for the delay at which most of what is loud on the far channel comes back on the near one with the same loss.
func find(own, far []float32) (w way, ok bool) {
	top, noise := loudest(far), quantile(own, 0.1)
	loud, clear := make([]bool, len(far)), make([]float32, len(own))
	for i := range far {
		loud[i] = far[i] > top-swing
		clear[i] = without(own[i], noise)
	}
	var heard, due evidence
	for d := -longest; d <= longest; d += step {
		a := compare(clear, far, loud, d)
		heard.add(d, a.share(0), a)
		due.add(d, a.share(a.missing(clear, far, loud, d, noise)), a)
	}
	switch {
	case due.convinces():
		w = due.way
	case heard.convinces() && heard.chance > 0:
		w = heard.way
	default:
		return way{loss: math.Inf(1)}, false
	}
	w.noise = noise
	w.margin = w.excess(clear, far, loud)
	return w, true
}

// evidence is the best share there is at a delay, its way, and the share by chance.
type evidence struct {
	way
	best, chance float64
}

func (e *evidence) add(d int, share float64, a agreement) {
	switch {
	case d < -causal:
		e.chance = max(e.chance, share)
	case d >= 0 && share > e.best && a.n >= a.louder:
		e.best, e.way = share, way{delay: d, loss: a.loss}
	}
}

func (e evidence) convinces() bool {
	return e.best >= least && e.chance <= dull && 1-e.best <= odd*(1-e.chance)
}

// loudest returns the level of the louder moments of a side, however seldom it speaks.
func loudest(levels []float32) float32 {
	quiet := quantile(levels, 0.1)
	speech := slices.DeleteFunc(slices.Clone(levels), func(l float32) bool { return l < quiet+swing/2 })
	if len(speech) == 0 {
		return 0
	}
	return quantile(speech, 0.9)
}

// excess returns how much louder than expected hardly any frame is that has about the usual loss.
func (w way) excess(own, far []float32, loud []bool) float32 {
	var over []float32
	for i, level := range w.ring(far) {
		if i < w.delay || !loud[i-w.delay] || math.Abs(float64(far[i-w.delay]-own[i])-w.loss) > near {
			continue
		}
		over = append(over, own[i]-level+float32(w.loss))
	}
	return quantile(over, 0.98) + 1
}

// without returns a level without the noise in it, or the lowest there is if hardly more than noise is left.
func without(level, noise float32) float32 {
	if level < noise+quietest {
		return audio.FloorDB
	}
	return level + float32(10*math.Log10(1-math.Pow(10, float64(noise-level)/10)))
}

// Losses are counted by half a decibel, up to 60.
const lossBins = 120

// agreement tells of the frames in which both channels are loud, some frames apart: of n that are faint enough for an
// echo, in have the usual loss. Others are louder: somebody speaks there.
type agreement struct {
	loss          float64
	in, n, louder int
}

// compare looks at the frames of own that come d frames after loud ones of far.
func compare(own, far []float32, loud []bool, d int) (a agreement) {
	var bins [lossBins]int
	for i := max(0, d); i < min(len(own), len(own)+d); i++ {
		if !loud[i-d] || own[i] <= audio.FloorDB {
			continue
		}
		if l := far[i-d] - own[i]; l >= faintest {
			bins[min(int(2*l), lossBins-1)]++
			a.n++
		} else {
			a.louder++
		}
	}
	middle, below := 0, bins[0]
	for 2*below < a.n {
		middle++
		below += bins[middle]
	}
	for _, count := range bins[max(0, middle-2*near):min(lossBins, middle+2*near+1)] {
		a.in += count
	}
	a.loss = float64(middle) / 2
	return a
}

// missing counts the frames in which an echo with the usual loss would stand out of the noise, and nothing does.
func (a agreement) missing(own, far []float32, loud []bool, d int, noise float32) (n int) {
	audible := noise + quietest + float32(a.loss)
	for i := max(0, d); i < min(len(own), len(own)+d); i++ {
		if loud[i-d] && own[i] <= audio.FloorDB && far[i-d] > audible {
			n++
		}
	}
	return n
}

// share is the part that has the usual loss of all frames and those that are missing, 0 if both channels are seldom loud.
func (a agreement) share(missing int) float64 {
	if a.n < enough {
		return 0
	}
	return float64(a.in) / float64(a.n+missing)
}

func quantile(v []float32, q float64) float32 {
	if len(v) == 0 {
		return audio.FloorDB
	}
	s := slices.Clone(v)
	slices.Sort(s)
	return s[int(q*float64(len(s)-1))]
}

// sum is the level of two sounds together.
func sum(a, b float32) float32 {
	a, b = max(a, b), min(a, b)
	return a + float32(10*math.Log10(1+math.Pow(10, float64(b-a)/10)))
}
