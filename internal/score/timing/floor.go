package timing

import (
	"slices"
	"strings"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
)

const (
	nobodySpoke = "nobody spoke"
	noMedia     = "there was no media"
)

func (v *view) agentInterruptions() result {
	if len(v.caller) == 0 {
		return none("the caller never spoke")
	}
	n := 0
	var places []call.Segment
	for _, e := range v.exchanges {
		n += e.interruptions
		places = append(places, e.over...)
	}
	return count(n).seenAt(places...)
}

func (v *view) overlapSeconds() result {
	if len(v.caller)+len(v.agent) == 0 {
		return none(nobodySpoke)
	}
	over := v.over()
	return is(seconds(total(over))).seenAt(over...)
}

// over returns when both sides spoke. Breaths are included: a speaker who draws
// breath while the other speaks has not stopped, and whether a short pause is
// detected depends on a few milliseconds.
func (v *view) over() []call.Segment {
	return shared(bridged(v.caller), bridged(v.agent))
}

// overlapRatio is the overlap divided by the time in which anybody spoke.
func (v *view) overlapRatio() result {
	if len(v.caller)+len(v.agent) == 0 {
		return none(nobodySpoke)
	}
	caller, agent := bridged(v.caller), bridged(v.agent)
	over := both(caller, agent)
	return is(seconds(over) / seconds(total(caller)+total(agent)-over))
}

// deadAirFrom is the silence of both sides that counts as dead air if exceeded.
const deadAirFrom = 2 * time.Second

// silences returns the stretches of dead air from the answer to the end of the
// media. A caller that presses keys does not wait for the agent.
func (v *view) silences() []call.Segment {
	var out []call.Segment
	last := time.Duration(0)
	for _, s := range tidy(slices.Concat(v.caller, v.agent, v.passed, v.in.Pressed)) {
		if s.Start-last > deadAirFrom {
			out = append(out, call.Segment{Start: last, End: s.Start})
		}
		last = s.End
	}
	if v.length-last > deadAirFrom {
		out = append(out, call.Segment{Start: last, End: v.length})
	}
	return out
}

func (v *view) deadAirCount() result {
	if v.length <= 0 {
		return none(noMedia)
	}
	return count(len(v.silences())).seenAt(v.silences()...)
}

func (v *view) deadAirTotal() result {
	if v.length <= 0 {
		return none(noMedia)
	}
	return is(seconds(total(v.silences()))).seenAt(v.silences()...)
}

func (v *view) deadAirLongest() result {
	if v.length <= 0 {
		return none(noMedia)
	}
	var most call.Segment
	for _, s := range v.silences() {
		most = longer(most, s)
	}
	if most.Length() == 0 {
		return is(0)
	}
	return is(seconds(most.Length())).seenAt(most)
}

func (v *view) talkRatio() result {
	agent := seconds(total(v.agent))
	all := agent + seconds(total(v.caller))
	if all == 0 {
		return none(nobodySpoke)
	}
	return is(agent / all)
}

// longestMonologue is the length of the agent's longest turn, pauses included.
func (v *view) longestMonologue() result {
	var most call.Segment
	for _, t := range v.turns {
		if t.Speaker == call.Agent {
			most = longer(most, t.Span())
		}
	}
	if most.Length() == 0 {
		return none("the agent never spoke")
	}
	return is(seconds(most.Length())).seenAt(most)
}

// wordsPerMinute is the pace of the agent's turns whose words and times are known.
func (v *view) wordsPerMinute() result {
	words := 0
	var speech time.Duration
	for _, t := range v.in.Heard.Turns {
		n, spoken := len(strings.Fields(t.Text)), total(tidy(parts(t)))
		if t.Own(call.Agent) && n > 0 && spoken > 0 {
			words += n
			speech += spoken
		}
	}
	if words == 0 || speech < time.Second {
		return none("less than a second of the agent's words is known")
	}
	return is(float64(words) / speech.Minutes())
}
