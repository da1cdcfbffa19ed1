package review

import (
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/audio/activity"
	"github.com/ringtrue/ringtrue/internal/audio/echo"
	"github.com/ringtrue/ringtrue/internal/call"
)

// taken is a fetched recording before it is stored.
type taken struct {
	rate int
	// caller and agent are the channels; both the same if mixed.
	caller, agent []int16
	mixed         bool
	roles         call.Roles
	sure          float64
	// ours and theirs are when the caller and the agent speak; echo tells how one of them comes back on the other's
	// channel, "" if none does.
	ours, theirs []call.Segment
	echo         string
}

const (
	// alike is the least share of energy that two channels have in common if they hold one mix. Where
	// each side is heard on the other's channel half as loud as on its own, the share is two thirds.
	alike = 0.9
	// faintest is the least ratio of their energies: a fainter channel is an echo of the other.
	faintest = 0.01
)

// takenOf lays out a decoded recording, with the left channel as the caller's until cast decides
// otherwise. One channel, two equal ones, or more than two are a mix of both sides.
func takenOf(s audio.Sound) *taken {
	t := &taken{rate: s.Rate}
	switch {
	case len(s.Channels) == 2 && !same(s.Channels[0], s.Channels[1]):
		t.caller, t.agent = s.Channels[0], s.Channels[1]
	case len(s.Channels) > 2:
		t.mixed, t.agent = true, mixDown(s.Channels)
	default:
		t.mixed, t.agent = true, s.Channels[0]
	}
	if t.mixed {
		t.caller = t.agent
	}
	t.listen()
	return t
}

// listen finds out when somebody speaks on each channel.
func (t *taken) listen() {
	theirs := activity.Segments(t.agent, t.rate)
	if t.mixed {
		t.theirs = segmentsOf(theirs, t.rate)
		return
	}
	ours := activity.Segments(t.caller, t.rate)
	for _, x := range []struct {
		spans      *[]audio.Span
		own, other []int16
	}{{&ours, t.caller, t.agent}, {&theirs, t.agent, t.caller}} {
		if left, path, ok := echo.Cut(*x.spans, x.own, x.other, t.rate); ok {
			*x.spans, t.echo = left, path.String()
		}
	}
	t.ours, t.theirs = segmentsOf(ours, t.rate), segmentsOf(theirs, t.rate)
}

// same reports whether two channels hold the same sound. Loudness, coding and polarity may differ:
// what counts is that they have nearly all of their energy in common.
func same(a, b []int16) bool {
	n := min(len(a), len(b))
	var sumA, sumB, aa, bb, ab float64
	for i := range n {
		x, y := float64(a[i]), float64(b[i])
		sumA, sumB = sumA+x, sumB+y
		aa, bb, ab = aa+x*x, bb+y*y, ab+x*y
	}
	count := float64(max(n, 1)) // a DC offset is not sound
	aa, bb, ab = aa-sumA*sumA/count, bb-sumB*sumB/count, ab-sumA*sumB/count
	return min(aa, bb) >= faintest*max(aa, bb) && ab*ab >= alike*aa*bb
}

// mixDown returns the mean of the channels.
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

func segmentsOf(spans []audio.Span, rate int) []call.Segment {
	out := make([]call.Segment, 0, len(spans))
	for _, s := range spans {
		out = append(out, call.Segment{Start: place(s.Start, rate), End: place(s.End, rate)})
	}
	return out
}

// cast finds out whose the channels are, and makes the caller's the left one.
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

// heard returns who spoke when, without words. All speech in a mix is listed as the agent's.
func (t *taken) heard() call.Heard {
	engines := map[string]string{"segments": activity.Engine}
	if t.echo != "" {
		engines["echo"] = t.echo
	}
	return call.Heard{Caller: t.ours, Agent: t.theirs, Length: place(len(t.agent), t.rate), Engines: engines}
}

// How certain each way to find out the roles is.
const (
	sureGreeting = 0.7
	sureAssumed  = 0.5
	// leastSure is how certain the transcript must be to count.
	leastSure = 0.1
	// clearly is how much earlier the first speaker must begin than the other.
	clearly = 300 * time.Millisecond
)

// rolesOf finds out whose the left and the right channel are, from what the platform reports and
// when somebody speaks on each. swapped means that the left is the agent's. sure is 0 to 1.
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
