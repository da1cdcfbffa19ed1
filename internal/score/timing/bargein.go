package timing

import (
	"math"
	"slices"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
)

const (
	// pause is the silence after which a speaker has stopped; a shorter one is a breath.
	pause = 600 * time.Millisecond
	// hitch is a silence too short to hear a word and answer it: a speaker who pauses for less while
	// the other finishes was speaking all along.
	hitch = 350 * time.Millisecond
	// touch is the overlap below which nobody spoke over anybody, since edges are not known more
	// precisely.
	touch = 100 * time.Millisecond
	// meant is how long plain speech must last to be an intended interruption.
	meant = time.Second
	// yieldLimit is how soon an agent must stop when interrupted.
	yieldLimit = 2 * time.Second
	// soonest is the earliest an agent can stop because of a sound: one frame of 20 ms brings it the
	// sound, another brings us its silence. An earlier stop has another cause.
	soonest = 40 * time.Millisecond
	// asideStop and asideAnswer are how soon a stop after a backchannel, or an answer to it, is
	// attributed to it.
	asideStop   = time.Second
	asideAnswer = 2 * time.Second
)

// countInterruptions counts how often the agent begins during the caller's speech. Going on after a
// breath does not count, nor does a touch at the very end.
func (v *view) countInterruptions(e *exchange) {
	var over []call.Segment
	for i, a := range v.agent {
		c := at(e.segments, a.Start)
		if c < 0 || a.Start == e.segments[c].Start || e.segments[c].End-a.Start <= touch {
			continue
		}
		if i > 0 && a.Start-v.agent[i-1].End < pause {
			if len(over) > 0 { // continues the same interruption
				over = append(over, a)
			}
			continue
		}
		e.interruptions++
		over = append(over, a)
	}
	e.overlap, e.over = both(bridged(over), bridged(e.segments)), over
}

// bargeIn decides whether the turn interrupts the agent, and how long the agent then goes on.
func (v *view) bargeIn(e *exchange) {
	i := v.speaking(e.turn.Start)
	if i < 0 || v.agent[i].Start == e.turn.Start || v.stops(i, e.turn.End)-e.turn.Start <= touch {
		return
	}
	if e.turn.Manner != call.MannerInterrupt && total(e.segments) < meant {
		return
	}
	stop := v.stops(i, e.turn.End)
	if stop >= v.length && stop-e.turn.Start < yieldLimit {
		return // the call ended before it could be told
	}
	e.bargeIn, e.yield = true, stop-e.turn.Start
}

// speaking returns the index of the agent's segment at the given time, or of the one before a
// breath at that time; -1 if the agent is silent.
func (v *view) speaking(t time.Duration) int {
	if i := at(v.agent, t); i >= 0 {
		return i
	}
	for i := 0; i+1 < len(v.agent) && v.agent[i].End <= t; i++ {
		if next := v.agent[i+1]; t < next.Start && next.Start-v.agent[i].End < pause {
			return i
		}
	}
	return -1
}

// stops returns when the agent, speaking its segment i, stops. Segments after no more than a breath
// belong to the same speech. But if the agent was silent for a hitch around until (the caller's
// last word), what follows is an answer.
func (v *view) stops(i int, until time.Duration) time.Duration {
	stop := v.agent[i].End
	for _, n := range v.agent[i+1:] {
		silence := n.Start - stop
		if silence >= pause || silence >= hitch && stop < until && n.Start >= until {
			break
		}
		stop = n.End
	}
	return stop
}

// aside is a backchannel, which asks for no answer.
type aside struct {
	turn call.Turn
	// stopped says that the agent broke off, answered that it began to speak, and ended that its
	// sentence happened to end, which says neither.
	stopped, answered, ended bool
}

// aside judges the agent's reaction to a backchannel; later are the turns after it.
func (v *view) aside(t call.Turn, later []call.Turn) aside {
	if i := v.speaking(t.Start); i >= 0 {
		stop := v.stops(i, v.length)
		if stop-t.Start > asideStop || stop >= v.length {
			return aside{turn: t}
		}
		broke := stop-t.Start >= soonest && v.brokeOff(stop)
		return aside{turn: t, stopped: broke, ended: !broke}
	}
	for _, a := range v.agent {
		if a.Start >= t.Start {
			return aside{turn: t, answered: a.Start-t.End <= asideAnswer && a.Start < nextWord(later)}
		}
	}
	return aside{turn: t}
}

// nextWord returns when the caller next says something that asks for an answer.
func nextWord(later []call.Turn) time.Duration {
	for _, n := range later {
		if n.Speaker == call.Caller && n.Manner != call.MannerBackchannel {
			return n.Start
		}
	}
	return math.MaxInt64
}

func (v *view) yieldTime() result {
	var out []float64
	var places []call.Segment
	for i := range v.exchanges {
		if e := &v.exchanges[i]; e.bargeIn {
			out, places = append(out, seconds(e.yield)), append(places, e.yielding())
		}
	}
	return many(out, noBargeIn).seenAt(places...)
}

const (
	noBargeIn = "the caller never interrupted the agent"
	noAside   = "the caller gave no backchannel"
	onlyEnded = "the agent stopped as it does at the end of a sentence, so it cannot be told whether it stopped for the caller"
)

func (v *view) bargeInSuccess() result { return v.bargeIns(true) }
func (v *view) missedBargeIn() result  { return v.bargeIns(false) }

// bargeIns counts the interruptions for which the agent stopped in time, or did not.
func (v *view) bargeIns(stopped bool) result {
	all := 0
	var places []call.Segment
	for i := range v.exchanges {
		e := &v.exchanges[i]
		if !e.bargeIn {
			continue
		}
		all++
		if (e.yield <= yieldLimit) == stopped {
			places = append(places, e.yielding())
		}
	}
	if all == 0 {
		return none(noBargeIn)
	}
	return count(len(places)).seenAt(places...)
}

func (v *view) falseBargeIn() result {
	return v.countAsides(func(a aside) bool { return a.stopped })
}

func (v *view) backchannelSelectivity() result {
	return v.countAsides(func(a aside) bool { return !a.stopped && !a.answered })
}

func (v *view) backchannelErrors() result {
	return v.countAsides(func(a aside) bool { return a.stopped || a.answered })
}

func (v *view) countAsides(counts func(aside) bool) result {
	if len(v.asides) == 0 {
		return none(noAside)
	}
	if !slices.ContainsFunc(v.asides, func(a aside) bool { return !a.ended }) {
		return none(onlyEnded)
	}
	var places []call.Segment
	for _, a := range v.asides {
		if !a.ended && counts(a) {
			places = append(places, a.turn.Span())
		}
	}
	return count(len(places)).seenAt(places...)
}
