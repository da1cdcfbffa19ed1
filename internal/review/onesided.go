package review

import (
	"math"
	"strings"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
)

const (
	// leastSaid is how long a side must speak by the transcript for its absence to tell anything.
	leastSaid = 2 * time.Second
	// heardShare and missedShare are how much of what a side says there is sound for, where that
	// side is on a recording and where it is not.
	heardShare, missedShare = 0.5, 0.2
	// leastHeard is how much of what both sides say there is sound for, where only their words
	// tell how long that takes: people speak faster than others, but hardly twice as fast.
	leastHeard = 0.6
)

// isUnexplained says that one channel is silent, and that the transcript does not say that the
// one side was: the other channel may hold that side alone, or both, and nobody knows whose it is.
func (t *taken) isUnexplained(told *call.Reported) bool {
	if t.mixed || (len(t.ours) == 0) == (len(t.theirs) == 0) {
		return false
	}
	roles, _, _ := rolesOf(told, t.ours, t.theirs)
	if !told.HasTranscript {
		return roles != call.RolesTold
	}
	return saidBy(told.Turns, call.Caller) > 0 && saidBy(told.Turns, call.Agent) > 0
}

// mix takes the channel that holds sound for both sides.
func (t *taken) mix() {
	if len(t.theirs) == 0 {
		t.agent, t.theirs = t.caller, t.ours
	}
	t.mixed, t.caller, t.ours = true, t.agent, nil
}

// saidBy is how long a side speaks by the number of its words.
func saidBy(turns []call.Turn, who call.Speaker) (said time.Duration) {
	for i := range turns {
		if turns[i].Speaker == who {
			said += time.Duration(len(strings.Fields(turns[i].Text))) * wordTime
		}
	}
	return said
}

// lacksSide says that by the transcript there is one side alone in what was taken for a mix of
// both: its silence is then the other side's speech.
func lacksSide(told *call.Reported, mix []call.Segment) bool {
	caller, agent := saidBy(told.Turns, call.Caller), saidBy(told.Turns, call.Agent)
	if min(caller, agent) < leastSaid || len(mix) == 0 {
		return false
	}
	if !hasTimes(told) {
		return total(mix).Seconds() < leastHeard*(caller+agent).Seconds()
	}
	heard := grid(mix, nil)
	callers, agents := grid(spokenBy(told.Turns, call.Caller), nil), grid(spokenBy(told.Turns, call.Agent), nil)
	at, best := 0, math.Inf(-1)
	reach := int(fitReach / fitStep)
	for d := -reach; d <= reach; d++ {
		near := 1 - 0.1*math.Abs(float64(d))/float64(reach) // of two offsets that fit alike the smaller is the likelier
		if r := near * (correlation(callers, heard, d) + correlation(agents, heard, d)); r > best {
			at, best = d, r
		}
	}
	c, a := correlation(callers, heard, at)/max(power(callers), 1), correlation(agents, heard, at)/max(power(agents), 1)
	return min(c, a) < missedShare && max(c, a) >= heardShare
}

func total(segments []call.Segment) (sum time.Duration) {
	for _, s := range segments {
		sum += s.Length()
	}
	return sum
}
