// Package audio handles sound as plain []int16: WAV files, G.711, resampling, mixing, tones,
// noise, levels. It knows nothing of calls. Its child packages detect speech (audio/activity),
// tell it from an echo (audio/echo), and read recordings from elsewhere (audio/decode).
//
// It imports the standard library alone. The lines and the caller use it during a call (G.711,
// Mix), packages review and score/timing on the recording afterwards (ReadWAV, Level), and
// package speech to bring synthesised voices to the rate of a line (Resample).
//
// PCM is mono, 16 bits, with full scale ±32768; rates are in Hz. Levels are in dBFS: 20·log10 of
// the root mean square over 32768, so that a full-scale square wave has 0 and a full-scale sine −3.
package audio

import "time"

// Clip is a stretch of mono audio.
type Clip struct {
	PCM []int16
	// Rate is the sample rate in Hz.
	Rate int
}

// Duration returns how long the clip plays, 0 if it has no rate.
func (c Clip) Duration() time.Duration { return length(len(c.PCM), c.Rate) }

// Audible returns the index of the first audible sample and one past the last. Audio is audible
// where its short-term level (over 5 ms) is above AudibleDB; ok is false if it is nowhere. The
// indices are exact to the sample: within the first and last audible 5 ms, they are the
// outermost samples whose own magnitude reaches that level.
func (c Clip) Audible() (first, last int, ok bool) {
	w := max(c.Rate/200, 1)
	limit := AudibleAmplitude * AudibleAmplitude * int64(w)
	first = audibleFrom(c.PCM, w, limit)
	if first < 0 {
		return 0, 0, false
	}
	last = audibleTo(c.PCM, w, limit)
	return first, last, true
}

// AudibleDB is the short-term level in dBFS above which audio counts as audible.
const AudibleDB = -50.0

// AudibleAmplitude is AudibleDB as an amplitude: 32768·10^(−50/20).
const AudibleAmplitude = 104

// audibleFrom returns the first sample loud enough by itself within the first window of w
// samples whose energy reaches limit.
func audibleFrom(pcm []int16, w int, limit int64) int {
	var e int64
	for i, s := range pcm {
		e += int64(s) * int64(s)
		if i >= w {
			e -= int64(pcm[i-w]) * int64(pcm[i-w])
		}
		if e < limit {
			continue
		}
		for j := max(0, i-w+1); j <= i; j++ {
			if loud(pcm[j]) {
				return j
			}
		}
	}
	return -1
}

// audibleTo is audibleFrom from the end. It returns one past the sample.
func audibleTo(pcm []int16, w int, limit int64) int {
	var e int64
	n := len(pcm)
	for i := n - 1; i >= 0; i-- {
		e += int64(pcm[i]) * int64(pcm[i])
		if i+w < n {
			e -= int64(pcm[i+w]) * int64(pcm[i+w])
		}
		if e < limit {
			continue
		}
		for j := min(n-1, i+w-1); j >= i; j-- {
			if loud(pcm[j]) {
				return j + 1
			}
		}
	}
	return 0
}

func loud(s int16) bool { return s >= AudibleAmplitude || s <= -AudibleAmplitude }

// length returns the duration of a number of samples, without overflow.
func length(samples, rate int) time.Duration {
	if rate <= 0 {
		return 0
	}
	whole, rest := samples/rate, samples%rate
	return time.Duration(whole)*time.Second + time.Duration(rest)*time.Second/time.Duration(rate)
}
