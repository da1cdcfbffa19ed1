package audio

// SegmentsEngine names the method of Segments and its version, which changes
// whenever the result for the same sound can change.
const SegmentsEngine = "band-likelihood 1"

// Span is a stretch of samples, End one past the last.
type Span struct{ Start, End int }

// Times in hops of 5 ms.
const (
	hopsPerSecond = 200
	blockHops     = hopsPerSecond / 2 // the noise is estimated anew every half second
	noiseBlocks   = 8                 // from so many blocks on either side: ±4 s
	energyHops    = 3                 // band energies are taken over ±3 hops
	smoothHops    = 2                 // and their score is the mean over ±2
	guardHops     = 20                // what lies within 100 ms of speech is no silence
)

// The thresholds of the smoothed score, see likelihood. In forty minutes of
// white and pink noise it had a mean of 0.02 and never came above 0.18; a
// twentieth of it lies above segmentOff.
const (
	segmentOn  = 0.25
	segmentOff = 0.045
)

// features are what a hop is judged by: the mel bands of a window centred on
// it, and its own mean square last.
type features [bandCount + 1]float32

// lowestRate is the least sample rate at which speech is looked for.
const lowestRate = 4000

// Segments finds the stretches of speech in a whole channel, in order. It works
// in two passes and looks both ways: the energy in mel bands of centred windows
// every 5 ms against a noise floor that is first guessed from the quiet parts
// within ±4 s and then measured in what the first pass called silence. Edges are
// then laid to the sample where the sound becomes audible (see Clip.Audible) or
// rises above the noise, so that there is no hangover. Gaps under 200 ms are
// inside an utterance; sounds under 40 ms are none. Below 4000 Hz nothing is found.
func Segments(pcm []int16, rate int) []Span {
	hop := rate / hopsPerSecond
	if rate < lowestRate || len(pcm) < hop {
		return nil
	}
	f := measure(pcm, rate, hop)
	blur(f)
	score := make([]float32, len(f))
	noise := guessNoise(f)
	speech := hysteresis(smooth(scores(f, noise, score)))
	for range 2 { // the second time the silence is cleaner still
		noise = meanNoise(f, speech, noise)
		speech = hysteresis(smooth(scores(f, noise, score)))
	}
	r := refiner{pcm: pcm, hop: hop, noise: noise}
	return finish(r.spans(speech), rate)
}

// measure computes the features of every hop.
func measure(pcm []int16, rate, hop int) []features {
	size := 64
	for size < rate/80 {
		size *= 2
	}
	spec := newSpectrum(size, rate)
	n := (len(pcm) + hop - 1) / hop
	out := make([]features, n)
	edge := make([]int16, size)
	var e [bandCount]float32
	for i := range out {
		from := i*hop + hop/2 - size/2
		w := edge
		if from >= 0 && from+size <= len(pcm) {
			w = pcm[from : from+size]
		} else {
			window(edge, pcm, from)
		}
		if !quiet(w) {
			spec.bands(w, &e)
			copy(out[i][:], e[:])
		}
		own := pcm[i*hop : min((i+1)*hop, len(pcm))]
		out[i][bandCount] = float32(energy(own) / float64(len(own)))
	}
	return out
}

// window copies the samples from position from on, zero outside pcm.
func window(dst, pcm []int16, from int) {
	for i := range dst {
		dst[i] = 0
		if at := from + i; at >= 0 && at < len(pcm) {
			dst[i] = pcm[at]
		}
	}
}

// blur replaces the band energies by their mean over the neighbours, which
// makes faint sound stand out of the noise; the mean square is left sharp.
func blur(f []features) {
	var ring [2*energyHops + 1]features
	var sum [bandCount]float64
	for i := -energyHops; i < len(f); i++ {
		slot := &ring[(i+energyHops)%len(ring)]
		for k := range sum {
			sum[k] -= float64(slot[k])
		}
		*slot = features{}
		if j := i + energyHops; j < len(f) {
			*slot = f[j]
		}
		for k := range sum {
			sum[k] += float64(slot[k])
			if i >= 0 {
				f[i][k] = float32(max(sum[k], 0) / float64(len(ring)))
			}
		}
	}
}

// scores writes the likelihood of each hop against the noise of its block.
func scores(f []features, noise []features, out []float32) []float32 {
	for i := range f {
		out[i] = likelihood((*[bandCount]float32)(f[i][:]), (*[bandCount]float32)(noise[i/blockHops][:]))
	}
	return out
}

// smooth takes the mean over the neighbours.
func smooth(score []float32) []float32 {
	out := make([]float32, len(score))
	var sum float32
	for i := -smoothHops; i < len(score); i++ {
		if j := i + smoothHops; j < len(score) {
			sum += score[j]
		}
		if j := i - smoothHops - 1; j >= 0 {
			sum -= score[j]
		}
		if i >= 0 {
			out[i] = sum / (2*smoothHops + 1)
		}
	}
	return out
}

// hysteresis marks what rises above segmentOn, and around it all that stays above segmentOff.
func hysteresis(score []float32) []bool {
	speech := make([]bool, len(score))
	for i := range score {
		if score[i] <= segmentOn || speech[i] {
			continue
		}
		for j := i; j >= 0 && score[j] > segmentOff && !speech[j]; j-- {
			speech[j] = true
		}
		for j := i + 1; j < len(score) && score[j] > segmentOff; j++ {
			speech[j] = true
		}
	}
	return speech
}

// finish joins what is less than 200 ms apart and drops what is under 40 ms.
func finish(spans []Span, rate int) []Span {
	var joined []Span
	for _, s := range spans {
		if k := len(joined) - 1; k >= 0 && s.Start-joined[k].End < rate/5 {
			joined[k].End = max(joined[k].End, s.End)
			continue
		}
		joined = append(joined, s)
	}
	out := joined[:0]
	for _, s := range joined {
		if s.End-s.Start >= rate/25 {
			out = append(out, s)
		}
	}
	return out
}
