package audio

import "math"

// Voice holds the properties of a voice in one frame of 20 ms.
type Voice struct {
	// Pitch is the fundamental frequency in Hz, 0 for an unvoiced frame.
	Pitch float64
	// Level is the level in dBFS.
	Level float64
	// Tilt is the power of the signal's difference over that of the signal, in dB: it grows
	// with the share of high frequencies. Values are comparable at the same rate only.
	Tilt float64
}

// The range of pitches in Hz, and the minimum similarity of two periods for a frame to count as voiced.
const (
	lowestPitch  = 65.0
	highestPitch = 420.0
	voicedFrom   = 0.62
)

// VoiceFrames is the number of frames per second returned by Voices.
const VoiceFrames = 50

// lowestVoiceRate is the lowest sample rate at which pitch is detected.
const lowestVoiceRate = 4000

// Voices measures the frames of a channel, one every 20 ms. The pitch is the lag at which 40 ms around
// the frame resemble themselves most, found at about 4 kHz and refined at the full rate; if a half, a
// third or a quarter of that lag is nearly as good it is preferred, to avoid octave errors. This works
// even if the line has removed the fundamental itself. Frames below AudibleDB have no pitch.
func Voices(pcm []int16, rate int) []Voice {
	if rate < lowestVoiceRate {
		return nil
	}
	t := newPitcher(pcm, rate)
	hop := rate / VoiceFrames
	out := make([]Voice, len(pcm)/hop)
	for i := range out {
		frame := pcm[i*hop : (i+1)*hop]
		v := &out[i]
		v.Level = Level(frame)
		v.Tilt = tilt(frame)
		if v.Level > AudibleDB {
			v.Pitch = t.pitch(i*hop + hop/2)
		}
	}
	return out
}

// tilt returns the tilt of a frame.
func tilt(pcm []int16) float64 {
	var sum, slope float64
	for i, s := range pcm {
		sum += float64(s) * float64(s)
		if i > 0 {
			d := float64(s) - float64(pcm[i-1])
			slope += d * d
		}
	}
	return 10 * math.Log10((slope+1)/(sum+1))
}

// pitcher detects pitches.
type pitcher struct {
	pcm  []int16
	rate int
	// slow is the channel at a lower rate, each sample the mean of several.
	slow []float32
	step int
}

func newPitcher(pcm []int16, rate int) *pitcher {
	t := &pitcher{pcm: pcm, rate: rate, step: max(rate/4000, 1)}
	t.slow = make([]float32, len(pcm)/t.step)
	for i := range t.slow {
		var sum int32
		for _, s := range pcm[i*t.step : (i+1)*t.step] {
			sum += int32(s)
		}
		t.slow[i] = float32(sum) / float32(t.step)
	}
	return t
}

// pitch returns the pitch of the 40 ms around a sample, 0 if there is none.
func (t *pitcher) pitch(at int) float64 {
	rate := float64(t.rate) / float64(t.step)
	n := int(rate * 0.04)
	from := at/t.step - n/2
	shortest, longest := int(rate/highestPitch), int(rate/lowestPitch)+1
	if from < 0 || from+n+longest >= len(t.slow) {
		return 0
	}
	best, at := float32(0), 0
	for lag := shortest; lag <= longest; lag++ {
		if r := resemblance(t.slow[from:from+n], t.slow[from+lag:from+lag+n]); r > best {
			best, at = r, lag
		}
	}
	if best < voicedFrom {
		return 0
	}
	lag, whole := t.refined(from*t.step, n*t.step, float64(at*t.step))
	for d := 4.0; d > 1; d-- { // the lag found may span several periods
		if lag/d < float64(t.rate)/highestPitch {
			continue
		}
		if one, score := t.refined(from*t.step, n*t.step, lag/d); score >= 0.85*whole {
			return float64(t.rate) / one
		}
	}
	return float64(t.rate) / lag
}

// refined returns the best lag at the full rate near an approximate one, and the similarity of
// the periods there.
func (t *pitcher) refined(from, n int, about float64) (lag, score float64) {
	middle, reach := int(about+0.5), min(t.step, 14)
	var scores [32]float64
	best, at := -1.0, 0
	for i := range 2*reach + 3 {
		k := middle - reach - 1 + i
		if k < 1 || from+n+k > len(t.pcm) {
			continue
		}
		scores[i] = likeness(t.pcm[from:from+n], t.pcm[from+k:from+k+n])
		if i > 0 && i < 2*reach+2 && scores[i] > best {
			best, at = scores[i], i
		}
	}
	if at == 0 {
		return about, 0
	}
	return float64(middle-reach-1+at) + vertex(float32(scores[at-1]), float32(scores[at]), float32(scores[at+1])), best
}

// vertex returns the position of the top of a parabola through three equidistant points, relative to
// the middle one, −0.5 to 0.5.
func vertex(a, b, c float32) float64 {
	d := float64(a - 2*b + c)
	if d >= 0 {
		return 0
	}
	return min(max(0.5*float64(a-c)/d, -0.5), 0.5)
}

// resemblance returns the correlation of two stretches of equal length, 1 if they are the same.
func resemblance(a, b []float32) float32 {
	var both, power float32
	for i, x := range a {
		y := b[i]
		both += x * y
		power += x*x + y*y
	}
	return 2 * both / (power + 1)
}

// likeness is resemblance for samples.
func likeness(a, b []int16) float64 {
	var both, power int64
	for i, s := range a {
		x, y := int64(s), int64(b[i])
		both += x * y
		power += x*x + y*y
	}
	return 2 * float64(both) / (float64(power) + 1)
}
