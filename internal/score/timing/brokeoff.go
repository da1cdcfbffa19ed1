package timing

import (
	"slices"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/call"
)

const (
	// soundStep is the resolution at which loudness before a stop is measured, usualSpan how
	// much sound before it defines the agent's usual loudness.
	soundStep = 10 * time.Millisecond
	usualSpan = 2 * time.Second
	// usualShare is the share of that sound that is softer than the usual loudness.
	usualShare = 0.9
	// loudWithin (dB) is how close to the usual loudness sound counts as loud, dying how long
	// the end of a sentence at least takes to fade.
	loudWithin = 10.0
	dying      = 20 * time.Millisecond
	// plainly (dB) is how much louder the last sound must be than at every end that the agent
	// reached by itself.
	plainly = 6.0
)

// brokeOff reports whether the agent was cut off at the given time: it was loud right up
// to the end, and louder than where it finished by itself. The end of a sentence fades,
// while a cut usually falls in the middle of a sound. But a hurried or poor voice
// sometimes ends loud, which its other ends in the call show. Without a recording, the
// answer is always true.
func (v *view) brokeOff(end time.Duration) bool {
	clip := v.in.Agent
	if len(clip.PCM) == 0 || clip.Rate <= 0 {
		return true
	}
	loud, last := ending(clip, end)
	if !loud {
		return false
	}
	for _, other := range v.ownEnds() {
		if _, l := ending(clip, other); other != end && last <= l+plainly {
			return false
		}
	}
	return true
}

// ending examines the sound before a moment: whether it was loud right up to there, and
// how loud the last step was relative to the usual loudness (dB).
func ending(clip audio.Clip, end time.Duration) (loud bool, last float64) {
	levels := levelsBefore(clip, end)
	if len(levels) == 0 {
		return true, 0
	}
	sorted := slices.Sorted(slices.Values(levels))
	usual := sorted[int(usualShare*float64(len(sorted)-1))]
	soft := slices.IndexFunc(levels, func(l float64) bool { return l > usual-loudWithin })
	return time.Duration(soft)*soundStep < dying, levels[0] - usual
}

// ownEnds returns when the agent fell silent by itself: the caller was silent throughout
// the agent's speech, or at least the last moments of it.
func (v *view) ownEnds() []time.Duration {
	var out []time.Duration
	begun := time.Duration(0) // when the agent began what it is saying, breaths included
	for i, s := range v.agent {
		if i == 0 || s.Start-v.agent[i-1].End >= pause {
			begun = s.Start
		}
		next := v.length
		if i+1 < len(v.agent) {
			next = v.agent[i+1].Start
		}
		spoken := []call.Segment{{Start: max(begun, s.End-usualSpan), End: s.End}}
		if next-s.End >= pause && both(v.caller, spoken) == 0 {
			out = append(out, s.End)
		}
	}
	return out
}

// levelsBefore returns the levels of a channel in steps before a moment, the latest first.
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
