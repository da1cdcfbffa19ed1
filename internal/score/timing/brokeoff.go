package timing

import (
	"slices"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/call"
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
	// plainly (dB) is how much louder the last of the sound must be than at every end that
	// the agent came to by itself.
	plainly = 6.0
)

// brokeOff reports whether the agent's sound, which ends at the given time, was
// loud right up to its end, and louder than where the agent came to an end by itself.
// That of a sentence which is over dies away; where it is broken off, the voice mostly
// is in the middle of a sound. But who speaks in a hurry, or with a poor voice, ends
// loud every now and then, and it is the same voice's other ends in the call that show
// it. Without a recording nothing speaks for a sentence that was over.
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

// ending tells of the sound that ends at a moment whether it was loud right up to
// there, and how loud its last step was beside what is usual (dB).
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

// ownEnds are the moments at which the agent fell silent and nobody else had a hand in
// it: the caller was silent for as long as the agent spoke, or for the last moments of it.
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
