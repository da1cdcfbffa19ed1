package review

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
)

const (
	// leastSaid is how long both sides must speak by the transcript for the absence of one to mean
	// anything.
	leastSaid = 2 * time.Second
	// heardShare is the least share of a side's speech that has sound if that side is on the recording,
	// missedShare the greatest if it is not.
	heardShare, missedShare = 0.5, 0.2
	// leastHeard is the least share of both sides' speech that must have sound, if its length is only
	// estimated from words: some people speak faster, but hardly twice as fast.
	leastHeard = 0.6
)

// isUnexplained reports whether one channel is silent although the transcript has words of both
// sides. The other channel may hold one side alone or both, and nobody knows whose it is.
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

// mix treats the channel with sound as a mix of both sides.
func (t *taken) mix() {
	if len(t.theirs) == 0 {
		t.agent, t.theirs = t.caller, t.ours
	}
	t.mixed, t.caller, t.ours = true, t.agent, nil
}

// saidBy estimates how long a side speaks from its number of words.
func saidBy(turns []call.Turn, who call.Speaker) (said time.Duration) {
	for i := range turns {
		if turns[i].Speaker == who {
			said += time.Duration(len(strings.Fields(turns[i].Text))) * wordTime
		}
	}
	return said
}

// lacksSide reports whether what was taken for a mix holds one side alone, according to the
// transcript. Its silence is then the other side's speech.
func lacksSide(told *call.Reported, mix []call.Segment) bool {
	caller, agent := saidBy(told.Turns, call.Caller), saidBy(told.Turns, call.Agent)
	if min(caller, agent) < leastSaid || len(mix) == 0 {
		return false
	}
	if !hasTimes(told) {
		return total(mix).Seconds() < leastHeard*(caller+agent).Seconds()
	}
	return fitsOneSide(told.Turns, mix)
}

// fitsOneSide compares what is heard with what each side says and with what both say. One side
// alone is there if it fits best, and if at its best place hardly any of the other side's words
// fall on sound.
func fitsOneSide(turns []call.Turn, mix []call.Segment) bool {
	caller, agent := spokenBy(turns, call.Caller), spokenBy(turns, call.Agent)
	heard, callers, agents := grid(mix, nil), grid(caller, nil), grid(agent, nil)
	_, both := bestFit(grid(slices.Concat(caller, agent), nil), heard)
	at, best := bestFit(callers, heard)
	if d, fit := bestFit(agents, heard); fit > best {
		at, best = d, fit
	}
	if best <= both {
		return false
	}
	c, a := correlation(callers, heard, at)/max(power(callers), 1), correlation(agents, heard, at)/max(power(agents), 1)
	return min(c, a) < missedShare && max(c, a) >= heardShare
}

// bestFit is the offset at which what was said matches what was heard best, and how well.
func bestFit(said, heard []int8) (at int, fit float64) {
	norm := max(math.Sqrt(power(said)*power(heard)), 1)
	reach := int(fitReach / fitStep)
	for d := -reach; d <= reach; d++ {
		near := 1 - 0.1*math.Abs(float64(d))/float64(reach) // of two offsets that match equally well, the smaller is more likely
		if r := near * correlation(said, heard, d) / norm; r > fit {
			at, fit = d, r
		}
	}
	return at, fit
}

func total(segments []call.Segment) (sum time.Duration) {
	for _, s := range segments {
		sum += s.Length()
	}
	return sum
}
