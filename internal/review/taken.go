package review

import (
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/audio/activity"
	"github.com/ringtrue/ringtrue/internal/call"
)

// taken is a recording that was fetched, on its way to the shelf.
type taken struct {
	rate int
	// caller and agent are the channels; the same sound twice when mixed.
	caller, agent []int16
	mixed         bool
	roles         call.Roles
	sure          float64
	// ours and theirs are where the caller and the agent speak.
	ours, theirs []call.Segment
}

const (
	// alike is the share of its energy that each of two channels of one mix has in common with the other.
	// Where each side is heard on the other's channel half as loud as on its own, it is two thirds.
	alike = 0.9
	// faintest is how much less energy one of them may have: what is fainter is another's echo.
	faintest = 0.01
)

// takenOf lays out a decoded recording: the left channel for the caller, until cast
// says otherwise. One channel, two that are the same, or more than two are a mix of both sides.
func takenOf(s audio.Sound) *taken {
	t := &taken{rate: s.Rate}
	switch {
	case len(s.Channels) == 2 && !same(s.Channels[0], s.Channels[1]):
		t.caller, t.agent = s.Channels[0], s.Channels[1]
		t.ours = segmentsOf(t.caller, t.rate)
	case len(s.Channels) > 2:
		t.mixed, t.agent = true, mixDown(s.Channels)
	default:
		t.mixed, t.agent = true, s.Channels[0]
	}
	if t.mixed {
		t.caller = t.agent
	}
	t.theirs = segmentsOf(t.agent, t.rate)
	return t
}

// same says that two channels hold one sound, each as loud, as it was coded and the way round that
// it may be: what they have in common is nearly all there is.
func same(a, b []int16) bool {
	n := min(len(a), len(b))
	var sumA, sumB, aa, bb, ab float64
	for i := range n {
		x, y := float64(a[i]), float64(b[i])
		sumA, sumB = sumA+x, sumB+y
		aa, bb, ab = aa+x*x, bb+y*y, ab+x*y
	}
	count := float64(max(n, 1)) // a current on the line is no sound
	aa, bb, ab = aa-sumA*sumA/count, bb-sumB*sumB/count, ab-sumA*sumB/count
	return min(aa, bb) >= faintest*max(aa, bb) && ab*ab >= alike*aa*bb
}

// mixDown is the sum of the channels over their number.
func mixDown(channels [][]int16) []int16 {
	out := make([]int16, len(channels[0]))
	for i := range out {
		sum := 0
		for _, c := range channels {
			sum += int(c[i])
		}
		out[i] = int16(sum / len(channels))
	}
	return out
}

func segmentsOf(pcm []int16, rate int) []call.Segment {
	spans := activity.Segments(pcm, rate)
	out := make([]call.Segment, 0, len(spans))
	for _, s := range spans {
		out = append(out, call.Segment{Start: place(s.Start, rate), End: place(s.End, rate)})
	}
	return out
}

// cast finds out whose the channels are, and lays the caller's left.
func (t *taken) cast(told *call.Reported) {
	if t.isUnexplained(told) {
		t.mix()
	}
	if t.mixed {
		return
	}
	roles, sure, swapped := rolesOf(told, t.ours, t.theirs)
	t.roles, t.sure = roles, sure
	if swapped {
		t.caller, t.agent = t.agent, t.caller
		t.ours, t.theirs = t.theirs, t.ours
	}
}

// heard is who spoke when, without words. In a mix everything stands as the agent's.
func (t *taken) heard() call.Heard {
	return call.Heard{
		Caller: t.ours, Agent: t.theirs, Length: place(len(t.agent), t.rate),
		Engines: map[string]string{"segments": activity.Engine},
	}
}

// How sure a way to find out the roles must be to be believed.
const (
	sureGreeting = 0.7
	sureAssumed  = 0.5
	// leastSure is how sure the transcript must make us to be believed.
	leastSure = 0.1
	// clearly is how much earlier than the other the first speaker must begin.
	clearly = 300 * time.Millisecond
)

// rolesOf says whose the left and the right channel are, by where somebody
// speaks on each: swapped when the left is the agent's. sure is 0 to 1.
func rolesOf(told *call.Reported, left, right []call.Segment) (roles call.Roles, sure float64, swapped bool) {
	if told.Channels != 1 && (told.CallerChannel == 0 && told.Channels == 2 || told.CallerChannel == 1) {
		return call.RolesTold, 1, told.CallerChannel == 1
	}
	if fit := fitOf(told, left, right); fit.sure >= leastSure {
		return call.RolesTranscript, fit.sure, fit.swapped
	}
	if told.Direction == "inbound" && len(left) > 0 && len(right) > 0 && (left[0].Start-right[0].Start).Abs() >= clearly {
		return call.RolesGreeting, sureGreeting, left[0].Start < right[0].Start
	}
	return call.RolesAssumed, sureAssumed, false
}
