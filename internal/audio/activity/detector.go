package activity

import (
	"math"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
)

const (
	// gatePower is the mean square that a frame must have, whatever its bands say
	// (−50 dBFS): under it lie comfort noise and the idle noise of G.711. What is
	// fainter than skipPower (−56) is not even looked at.
	gatePower, skipPower = fullPower * 1e-5, fullPower * 2.51e-6
	fullPower            = 32768.0 * 32768.0
	// flatNoise is the spectral flatness from which the first sound of a call is taken for line noise.
	flatNoise = 0.4
	// onScore starts speech, offScore keeps it going (see likelihood).
	onScore, offScore = 0.6, 0.3
)

// Detector is live voice activity: it is told every 20 ms frame and says
// whether speech is going on. It looks back only, has no hangover worth the
// name (one frame), and decides when to speak and nothing else: published
// figures come from Segments.
//
// Per mel band it compares the energy with a noise floor that follows the
// quietest of the last one to two seconds, and the level with that of whoever
// speaks and of what goes on behind him (see backdrop). Where nobody has spoken
// yet, other voices or music on hold are speech until they have gone on without
// a change for some seconds. Step does not allocate. A Detector belongs to one
// goroutine.
type Detector struct {
	spec    *spectrum
	last    []int16 // what the window of the next frame begins with
	frames  int64
	since   int64
	pending int32
	speech  bool
	floor   floor
	behind  backdrop
	window  []int16 // the memory for windows that are longer than short
	near    [nearSamples]int16
}

// nearSamples is how much of the last window stands beside everything else that every
// frame needs: all of it on any line there is.
const nearSamples = 192

// New returns a detector for frames of rate/50 samples; rate is 8000 or
// 16000 (anything from 4000 on works, lower rates are taken for 4000).
func New(rate int) *Detector {
	rate = max(rate, lowestRate)
	size := 256
	for size*2 <= rate*32/1000 {
		size *= 2
	}
	a := &Detector{spec: newSpectrum(size, size, rate)}
	if keep := max(0, size-rate/50); keep <= nearSamples {
		a.last = a.near[:keep]
	} else {
		a.last = make([]int16, keep)
	}
	if size > shortSize {
		a.window = make([]int16, size)
	}
	a.floor.reset()
	a.behind.reset()
	return a
}

// Step takes the next frame and reports whether speech is going on at its end.
func (a *Detector) Step(pcm []int16) bool {
	a.frames++
	a.decide(a.judge(pcm))
	if from := len(pcm) - len(a.last); from >= 0 {
		copy(a.last, pcm[from:])
	} else {
		copy(a.last, a.last[len(pcm):])
		copy(a.last[-from:], pcm)
	}
	return a.speech
}

// Speaking reports what the last Step did.
func (a *Detector) Speaking() bool { return a.speech }

// Since is how long the present state (speech or none) has lasted, counted in
// the frames it was told.
func (a *Detector) Since() time.Duration {
	return time.Duration(a.frames-a.since) * 20 * time.Millisecond
}

// judge returns the score of the frame: 0 is silence.
func (a *Detector) judge(pcm []int16) float32 {
	power, steady := frameLevels(pcm)
	if audio.Silent(pcm) {
		a.behind.inFront(0, steady, false, a.speech)
		return 0
	}
	var e [bandCount]float32 // as good as nothing when it is not looked at
	if power >= skipPower {
		a.bands(pcm, &e)
	}
	a.floor.learn(&e)
	var score float32
	if power >= gatePower && (a.speech || steady > softest) {
		noise := a.floor.noise()
		score = likelihood(&e, &noise)
	}
	if !a.behind.inFront(power, steady, score > offScore, a.speech) {
		return 0
	}
	return score
}

// bands are the energies of the window that ends with a frame.
func (a *Detector) bands(pcm []int16, out *[bandCount]float32) {
	var short [shortSize]int16
	window := a.window
	if window == nil {
		window = short[:a.spec.size]
	}
	known := max(0, len(window)-len(pcm))
	copy(window[max(0, known-len(a.last)):], a.last[max(0, len(a.last)-known):])
	copy(window[known:], pcm[len(pcm)-(len(window)-known):])
	a.spec.bands(window, out)
}

// likelihood is the mean over the bands of the log likelihood ratio of speech
// to noise, for energies above the floor, each at most 12.
func likelihood(e, floor *[bandCount]float32) float32 {
	var sum float32
	for b := range e {
		switch g := e[b] / floor[b]; {
		case g >= 15.7: // where the ratio comes to 12
			sum += 12
		case g > 1:
			sum += min(g-1-logf(g), 12)
		}
	}
	return sum / bandCount
}

func logf(x float32) float32 { return float32(math.Log(float64(x))) }

// decide applies the hysteresis: one frame of clear speech, or two of faint, is
// an onset; two frames of silence are an end.
func (a *Detector) decide(score float32) {
	on := score > onScore
	if a.speech {
		on = score > offScore
	}
	if on == a.speech {
		a.pending = 0
		return
	}
	a.pending++
	if a.pending >= 2 || !a.speech && score > 2*onScore {
		a.speech, a.pending, a.since = on, 0, a.frames
	}
}
