package activity

import (
	"math"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
)

const (
	// gatePower is the minimum mean square of a frame with speech, whatever its bands (−50 dBFS): below it
	// are comfort noise and the idle noise of G.711. Frames below skipPower (−56) are not even analysed.
	gatePower, skipPower = fullPower * 1e-5, fullPower * 2.51e-6
	fullPower            = 32768.0 * 32768.0
	// flatNoise is the spectral flatness from which the first sound of a call is taken for line noise.
	flatNoise = 0.4
	// onScore starts speech, offScore sustains it (see likelihood).
	onScore, offScore = 0.6, 0.3
	// atOnce is the score above which a single frame starts speech.
	atOnce = 2 * onScore
)

// Detector is a live voice activity detector: it is given every 20 ms frame and reports whether
// there is speech. It uses past frames only, has a hangover of just one frame, and serves only
// to decide when to speak: published figures come from Segments.
//
// For each mel band it compares the energy with a noise floor, the minimum of the last one to two seconds,
// and it compares the level with that of the current speaker and of the background (see backdrop). Before
// anybody has spoken, other voices or music on hold count as speech until they have continued unchanged for
// some seconds. Call progress tones (ringing, busy) are no speech; see toneEar. Step does not allocate.
// A Detector is not safe for concurrent use.
type Detector struct {
	spec    *spectrum
	last    []int16 // the beginning of the next frame's window
	frames  int64
	since   int64
	pending int32
	pure    int32 // frames of the present run that could be a call progress tone
	tail    int32 // frames still to come that could be the end of one
	speech  bool
	sounded bool // the last frame held another sound than a tone
	began   bool // the present run of pure frames began a sound
	rang    bool // a tone has been heard
	floor   floor
	behind  backdrop
	window  []int16 // memory for windows longer than short
	near    [nearSamples]int16
	tone    toneEar
}

// nearSamples is how much of the last window is stored beside the other fields needed in every
// frame: on all real lines, all of it.
const nearSamples = 192

// New returns a detector for frames of rate/50 samples. The usual rates are 8000 and 16000;
// anything from 4000 on works, and lower rates are treated as 4000.
func New(rate int) *Detector {
	rate = max(rate, lowestRate)
	size := frameWindow(rate)
	a := &Detector{spec: newSpectrum(size, size, rate)}
	if keep := max(0, size-rate/50); keep <= nearSamples {
		a.last = a.near[:keep]
	} else {
		a.last = make([]int16, keep)
	}
	if size > shortSize {
		a.window = make([]int16, size)
	}
	a.tone.step = int32(rate / toneRate)
	a.floor.reset()
	a.behind.reset()
	return a
}

// frameWindow is the number of samples that a frame of 20 ms is analysed with: a power of two, of 32 ms or less, but at least shortSize.
func frameWindow(rate int) int {
	size := shortSize
	for size*2 <= rate*32/1000 {
		size *= 2
	}
	return size
}

// Step processes the next frame and reports whether there is speech at its end.
func (a *Detector) Step(pcm []int16) bool {
	a.frames++
	tail := a.tail
	score := a.judge(pcm)
	a.decide(score)
	a.sounded = score > offScore || a.tail < tail
	if from := len(pcm) - len(a.last); from >= 0 {
		copy(a.last, pcm[from:])
	} else {
		copy(a.last, a.last[len(pcm):])
		copy(a.last[-from:], pcm)
	}
	return a.speech
}

// Miss tells the detector that a frame is missing before the next one: what may become a tone does not go on where it was.
func (a *Detector) Miss() {
	clear(a.last)
	if a.pure < toneFrames {
		a.pure = 0
	}
}

// Speaking returns the result of the last Step.
func (a *Detector) Speaking() bool { return a.speech }

// Tone reports whether the last Step heard a call progress tone.
func (a *Detector) Tone() bool { return a.pure >= toneFrames && a.tone.sure }

// Since returns how long the current state (speech or not) has lasted, counted in frames.
func (a *Detector) Since() time.Duration {
	return time.Duration(a.frames-a.since) * 20 * time.Millisecond
}

// judge returns the score of the frame; 0 is silence.
func (a *Detector) judge(pcm []int16) float32 {
	power, steady := frameLevels(pcm)
	if audio.Silent(pcm) {
		a.pure = 0
		a.behind.inFront(0, steady, false, a.speech)
		return 0
	}
	var e [bandCount]float32 // near zero for frames that are not analysed
	if power >= skipPower {
		a.bands(pcm, &e)
	}
	a.floor.learn(&e)
	share := a.spec.toneShare(&e)
	if a.inTone(pcm, share) {
		a.behind.inFront(0, steady, false, a.speech)
		return 0
	}
	var score float32
	if power >= gatePower && (a.speech || steady > softest) {
		noise := a.floor.noise()
		score = likelihood(&e, &noise)
	}
	if !a.behind.inFront(power, steady, score > offScore, a.speech) {
		return 0
	}
	if !a.speech && score > atOnce && share > toneBegun && a.sudden(pcm) {
		return atOnce // the next frame tells whether a tone has begun
	}
	return score
}

// toneTail is how many frames the end of a tone can take whose packets stop: a jitter buffer lets its sound fade.
const toneTail = 4

// inTone reports whether a frame belongs to a call progress tone, or could, in which case it does not start speech.
func (a *Detector) inTone(pcm []int16, share float32) bool {
	if share < tonePure {
		sure := a.Tone() // the end of a tone is not a sound of its own
		a.pure = 0
		return a.fades() || sure
	}
	if a.pure == 0 {
		a.began = !a.sounded
	}
	if is := a.tone.hear(pcm, &a.pure); is == noTone || is == anyTone && a.speech {
		return a.fades()
	}
	if a.began {
		a.tail = toneTail
	}
	a.rang = a.rang || a.Tone()
	return true
}

// fades reports whether a frame can still be the end of what could be a tone.
func (a *Detector) fades() bool {
	if a.tail == 0 {
		return false
	}
	a.tail--
	return !a.speech
}

// sudden reports whether there is hardly anything in the first half of a frame, compared with the second. Once the line has rung,
// it is enough that there was hardly anything before the frame: the floor then is that of the pauses, and each beginning stands out.
func (a *Detector) sudden(pcm []int16) bool {
	if a.rang {
		return audio.Energy(a.last) < 0.05*audio.Energy(pcm)
	}
	half := len(pcm) / 2
	return audio.Energy(pcm[:half]) < 0.05*audio.Energy(pcm[half:])
}

// bands computes the band energies of the window that ends with a frame.
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

// likelihood returns the mean over the bands of the log likelihood ratio of speech to noise,
// for energies above the floor, each limited to 12.
func likelihood(e, floor *[bandCount]float32) float32 {
	var sum float32
	for b := range e {
		switch g := e[b] / floor[b]; {
		case g >= 15.7: // here the ratio reaches 12
			sum += 12
		case g > 1:
			sum += min(g-1-logf(g), 12)
		}
	}
	return sum / bandCount
}

func logf(x float32) float32 { return float32(math.Log(float64(x))) }

// decide applies the hysteresis: one frame of clear speech, or two of faint speech, start it;
// two silent frames end it.
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
	if a.pending >= 2 || !a.speech && score > atOnce {
		a.speech, a.pending, a.since = on, 0, a.frames
	}
}
