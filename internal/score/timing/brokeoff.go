package timing

import (
	"slices"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
)

const (
	// soundStep is the stretch over which loudness is looked at beside a stop, usualSpan
	// how much sound before it says how loud the agent usually is.
	soundStep = 10 * time.Millisecond
	usualSpan = 2 * time.Second
	// usualShare is the share of that sound which is softer than the usual loudness.
	usualShare = 0.9
	// loudWithin (dB) is how near to the usual loudness sound still counts as loud,
	// dying the least time that the last sounds of a sentence take after it.
	loudWithin = 10.0
	dying      = 20 * time.Millisecond
)

// brokeOff reports whether the agent's sound, which ends at the given time, was
// loud right up to its end. That of a sentence which is over dies away; where it
// is broken off, the voice mostly is in the middle of a sound. Without a recording
// nothing speaks for a sentence that was over.
func (v *view) brokeOff(end time.Duration) bool {
	clip := v.in.Agent
	if len(clip.PCM) == 0 || clip.Rate <= 0 {
		return true
	}
	levels := levelsBefore(clip, end)
	if len(levels) == 0 {
		return true
	}
	sorted := slices.Sorted(slices.Values(levels))
	usual := sorted[int(usualShare*float64(len(sorted)-1))]
	soft := slices.IndexFunc(levels, func(l float64) bool { return l > usual-loudWithin })
	return time.Duration(soft)*soundStep < dying
}

// levelsBefore are the levels of a channel in steps before a moment, the latest first.
func levelsBefore(clip audio.Clip, moment time.Duration) []float64 {
	step, to := sampleOf(soundStep, clip.Rate), min(sampleOf(moment, clip.Rate), len(clip.PCM))
	if step == 0 {
		return nil
	}
	var out []float64
	for first := max(to-sampleOf(usualSpan, clip.Rate), 0); to-step >= first; to -= step {
		out = append(out, audio.Level(clip.PCM[to-step:to]))
	}
	return out
}
