package timing

import (
	"math"
	"slices"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
)

const (
	// pause is the silence after which a speaker has stopped; shorter ones are breath.
	pause = 600 * time.Millisecond
	// hitch is a silence too short to hear a word and answer it: who falls silent
	// for less, while the other comes to an end, was speaking all along.
	hitch = 350 * time.Millisecond
	// touch is the overlap below which nobody spoke over anybody: edges are known no better.
	touch = 100 * time.Millisecond
	// meant is how long plain speech must last to be meant as an interruption.
	meant = time.Second
	// yieldLimit is how soon an agent must have stopped for an interruption.
	yieldLimit = 2 * time.Second
	// soonest is when the agent can have stopped for a sound at the earliest: a frame of 20 ms brings
	// it the sound, and another one brings us its silence. What ended before ended by itself.
	soonest = 40 * time.Millisecond
	// asideStop and asideAnswer are how soon a stop after a backchannel, or an answer to it, is put down to it.
	asideStop   = time.Second
	asideAnswer = 2 * time.Second
)

// countInterruptions counts the agent's beginnings inside the caller's speech.
// Going on after a breath is no beginning, nor is a touch at the very end.
func (v *view) countInterruptions(e *exchange) {
	var over []call.Segment
	for i, a := range v.agent {
		c := at(e.segments, a.Start)
		if c < 0 || a.Start == e.segments[c].Start || e.segments[c].End-a.Start <= touch {
			continue
		}
		if i > 0 && a.Start-v.agent[i-1].End < pause {
			if len(over) > 0 { // the same interruption goes on
				over = append(over, a)
			}
			continue
		}
		e.interruptions++
		over = append(over, a)
	}
	e.overlap, e.over = both(bridged(over), bridged(e.segments)), over
}

// bargeIn decides whether the turn interrupts the agent, and how long the agent went on.
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
		return // the call ended before it could be seen
	}
	e.bargeIn, e.yield = true, stop-e.turn.Start
}

// speaking returns the agent's segment that goes on at the given time, or went
// on before a breath within which the time lies; -1 when the agent is silent.
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

// stops is when the agent, speaking its segment i, comes to a stop. What it
// begins after no more than a breath still belongs to it, unless it had stopped
// before until (the caller's last word) and begins after that: then it answers
// if there was time to.
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

// aside is a backchannel: it asks for nothing.
type aside struct {
	turn call.Turn
	// stopped says that the agent broke off, answered that it began to speak, ended
	// that its sentence came to an end which tells neither.
	stopped, answered, ended bool
}

// aside looks at a backchannel and at what is said later.
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

// nextWord is when the caller next says something that asks for an answer.
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
	noAside   = "the caller made no sound that asks for no answer"
	onlyEnded = "the agent's sound ended as it does when a sentence is over: whether it stopped for the caller cannot be told"
)

func (v *view) bargeInSuccess() result { return v.bargeIns(true) }
func (v *view) missedBargeIn() result  { return v.bargeIns(false) }

// bargeIns counts the interruptions for which the agent did (or did not) stop in time.
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
