package timing

import (
	"math"
	"slices"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/audio/activity"
	"github.com/ringtrue/ringtrue/internal/call"
)

const (
	noRecording = "there is no recording of the agent's channel"
	agentMute   = "the agent never spoke"
	// guard is the distance to speech at which noise is measured.
	guard = 100 * time.Millisecond
	// maxSNR is the greatest ratio reported; G.711 itself has 38 dB.
	maxSNR = 60.0
)

// spoken returns the samples of the agent's channel during its speech.
func (v *view) spoken() (speech []int16) {
	for _, s := range v.agent {
		speech = append(speech, v.in.Agent.PCM[v.sample(s.Start):v.sample(s.End)]...)
	}
	return speech
}

// pauses returns the samples of the agent's channel that are at least guard away from its speech, from others who
// had the call, and from ringing.
func (v *view) pauses() (rest []int16) {
	clip := v.in.Agent
	quiet := 0
	for _, s := range tidy(slices.Concat(v.agent, v.passed, placed(activity.Tones(clip.PCM, clip.Rate), clip.Rate))) {
		if to := v.sample(s.Start - guard); to > quiet {
			rest = append(rest, clip.PCM[quiet:to]...)
		}
		quiet = v.sample(s.End + guard)
	}
	return append(rest, clip.PCM[quiet:]...)
}

// sample is the sample of the agent's channel at a time, or the nearest one that it has.
func (v *view) sample(at time.Duration) int {
	clip := v.in.Agent
	return int(min(max(at.Seconds()*float64(clip.Rate), 0), float64(len(clip.PCM))))
}

// recorded says why nothing can be measured, "" if something can.
func (v *view) recorded() string {
	switch {
	case len(v.in.Agent.PCM) == 0 || v.in.Agent.Rate <= 0:
		return noRecording
	case len(v.agent) == 0:
		return agentMute
	}
	return ""
}

func (v *view) level() result {
	if why := v.recorded(); why != "" {
		return none(why)
	}
	return is(audio.Level(v.spoken()))
}

func (v *view) clipping() result {
	if why := v.recorded(); why != "" {
		return none(why)
	}
	return is(audio.Clipping(v.spoken()))
}

// snr is the power of speech, less that of noise, over the power of the pauses.
func (v *view) snr() result {
	if why := v.recorded(); why != "" {
		return none(why)
	}
	rest := v.pauses()
	if len(rest) < v.in.Agent.Rate/5 {
		return none("the agent's channel has less than 200 ms of pauses")
	}
	power := func(db float64) float64 { return math.Pow(10, db/10) }
	noise := power(audio.Level(rest))
	signal := power(audio.Level(v.spoken())) - noise
	if signal <= 0 {
		return none("the agent's speech does not stand out from its noise")
	}
	return is(min(10*math.Log10(signal/noise), maxSNR))
}

func (v *view) dropouts() result {
	if why := v.recorded(); why != "" {
		return none(why)
	}
	return count(v.holes())
}

// holes counts the dropouts in or next to the agent's speech.
func (v *view) holes() int {
	n := 0
	rate := time.Duration(v.in.Agent.Rate)
	for _, s := range audio.Dropouts(v.in.Agent.PCM, v.in.Agent.Rate) {
		from := time.Duration(s.Start) * time.Second / rate
		to := time.Duration(s.End) * time.Second / rate
		if both([]call.Segment{{Start: from - guard, End: to + guard}}, v.agent) > 0 {
			n++
		}
	}
	return n
}

func (v *view) dropoutsPerMinute() result {
	if why := v.recorded(); why != "" {
		return none(why)
	}
	n := v.holes()
	if n < 10 {
		return none("fewer than 10 dropouts make no rate; see the count")
	}
	return is(float64(n) / total(v.agent).Minutes())
}
