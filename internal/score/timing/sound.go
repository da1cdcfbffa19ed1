package timing

import (
	"math"
	"slices"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
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

// cut returns the samples of the agent's channel during its speech, and those at least
// guard away from it and from others who had the call.
func (v *view) cut() (speech, rest []int16) {
	clip := v.in.Agent
	index := func(t time.Duration) int {
		return int(min(max(t.Seconds()*float64(clip.Rate), 0), float64(len(clip.PCM))))
	}
	quiet := 0
	for _, s := range v.agent {
		speech = append(speech, clip.PCM[index(s.Start):index(s.End)]...)
	}
	for _, s := range tidy(slices.Concat(v.agent, v.passed)) {
		if to := index(s.Start - guard); to > quiet {
			rest = append(rest, clip.PCM[quiet:to]...)
		}
		quiet = index(s.End + guard)
	}
	return speech, append(rest, clip.PCM[quiet:]...)
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
	speech, _ := v.cut()
	return is(audio.Level(speech))
}

func (v *view) clipping() result {
	if why := v.recorded(); why != "" {
		return none(why)
	}
	speech, _ := v.cut()
	return is(audio.Clipping(speech))
}

// snr is the power of speech, less that of noise, over the power of the pauses.
func (v *view) snr() result {
	if why := v.recorded(); why != "" {
		return none(why)
	}
	speech, rest := v.cut()
	if len(rest) < v.in.Agent.Rate/5 {
		return none("the agent's channel has less than 200 ms of pauses")
	}
	power := func(db float64) float64 { return math.Pow(10, db/10) }
	noise := power(audio.Level(rest))
	signal := power(audio.Level(speech)) - noise
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
