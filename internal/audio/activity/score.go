package activity

import "github.com/ringtrue/ringtrue/internal/audio"

// smoothHops means that scores are averaged over ±1 hop.
const smoothHops = 1

// scores rates every hop by how far its bands exceed the envelope of the noise.
func (f *features) scores(m noiseModel) []float32 {
	raw := make([]float32, len(f.bands))
	for i := range raw {
		raw[i] = likelihood((*[bandCount]float32)(&f.bands[i]), (*[bandCount]float32)(&m[i/blockHops].envelope))
	}
	return smooth(raw, smoothHops)
}

// smooth returns the mean over so many neighbours on either side.
func smooth(values []float32, hops int) []float32 {
	out := make([]float32, len(values))
	sum := 0.0
	for i := -hops; i < len(values); i++ {
		if j := i + hops; j < len(values) {
			sum += float64(values[j])
		}
		if j := i - hops - 1; j >= 0 {
			sum -= float64(values[j])
		}
		if i >= 0 {
			out[i] = float32(sum / float64(2*hops+1))
		}
	}
	return out
}

// hysteresis marks what exceeds the threshold on, and adjacent hops as long as they exceed off.
func (m noiseModel) hysteresis(score []float32) []bool {
	speech := make([]bool, len(score))
	for i := range score {
		if score[i] <= m[i/blockHops].on || speech[i] {
			continue
		}
		for j := i; j >= 0 && score[j] > m[j/blockHops].off && !speech[j]; j-- {
			speech[j] = true
		}
		for j := i + 1; j < len(score) && score[j] > m[j/blockHops].off; j++ {
			speech[j] = true
		}
	}
	return speech
}

// In fluctuating noise, a find must reach faintMass (the sum over its hops of score ÷
// threshold), and faintShare of the score that a fifth of all finds exceed.
const (
	faintMass  = 30
	faintShare = 0.35
	gapHops    = 40 // finds closer than this are judged together
)

// dropFaint removes finds little above a fluctuating noise if the speaker is far above it: they
// are peaks of the noise.
func (m noiseModel) dropFaint(speech []bool, score []float32) {
	var h histogram
	for i, s := range speech {
		if s {
			h.add(scoreStep(score[i]), 1)
		}
	}
	least := faintShare * scoreOf(h.quantile(0.8))
	for i := 0; i < len(speech); i++ {
		if !speech[i] {
			continue
		}
		from, last, changing := i, i, false
		var mass, peak float32
		for ; i < len(speech) && i-last <= gapHops; i++ {
			if !speech[i] {
				continue
			}
			last = i
			on := m[i/blockHops].on
			changing = changing || on > 2*leastOn
			mass += score[i] / on
			peak = max(peak, score[i])
		}
		i = last
		if changing && (mass < faintMass || peak < least) {
			clear(speech[from : last+1])
		}
	}
}

// dropClicks removes what is too short for speech and stands alone.
func dropClicks(spans []audio.Span, rate int) []audio.Span {
	const longest, alone = 12, 40 // ms
	out := spans[:0]
	before := -rate
	for i, s := range spans {
		after := rate
		if i+1 < len(spans) {
			after = spans[i+1].Start - s.End
		}
		click := s.End-s.Start < rate*longest/1000 && min(s.Start-before, after) > rate*alone/1000
		before = s.End
		if !click {
			out = append(out, s)
		}
	}
	return out
}

// finish joins spans less than 200 ms apart and drops those under 40 ms.
func finish(spans []audio.Span, rate int) []audio.Span {
	var joined []audio.Span
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
