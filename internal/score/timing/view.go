package timing

import (
	"math"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
)

// view is a call as the metrics see it.
type view struct {
	in     Input
	caller []call.Segment
	agent  []call.Segment
	turns  []call.Turn
	length time.Duration
	// passed are the stretches in which somebody other than the agent had the call.
	passed []call.Segment
	// exchanges are the caller's turns that ask for an answer, with the agent's reaction.
	exchanges []exchange
	// asides are the caller's backchannels.
	asides []aside
}

// exchange is a turn of the caller and the agent's reaction to it.
type exchange struct {
	turn     call.Turn
	segments []call.Segment
	// reply is the agent's first turn that begins after the caller's and lasts beyond it; nil if there
	// is none before the caller's next turn.
	reply *call.Turn
	// done is when the caller had finished: its last word, or the last key that it pressed after that
	// and before the reply.
	done time.Duration
	// tool says that the agent called a tool between the beginnings of the caller's turn and of the
	// reply.
	tool bool
	// interruptions is how often the agent began to speak during the caller's speech, overlap how long
	// both then spoke.
	interruptions int
	overlap       time.Duration
	// over are the agent's segments in these interruptions.
	over []call.Segment
	// bargeIn says that the caller interrupted the agent intentionally; yield is how long the agent
	// then went on.
	bargeIn bool
	yield   time.Duration
}

// latency returns how long after the caller had finished the reply began, in seconds; negative if it
// began earlier.
func (e *exchange) latency() float64 { return seconds(e.reply.Start - e.done) }

// gap returns the stretch between the end of what the caller did and the beginning of the reply,
// whichever comes first.
func (e *exchange) gap() call.Segment {
	return call.Segment{Start: min(e.done, e.reply.Start), End: max(e.done, e.reply.Start)}
}

// judged returns the stretch that shows the score: the turn, and the wait for a reply that counts.
func (e *exchange) judged() call.Segment {
	s := e.turn.Span()
	if e.reply != nil && !e.bargeIn {
		s.End = max(s.End, e.reply.Start)
	}
	return s
}

// yielding returns the stretch from the interruption to the agent's stop.
func (e *exchange) yielding() call.Segment {
	return call.Segment{Start: e.turn.Start, End: e.turn.Start + e.yield}
}

func look(in Input) *view {
	v := &view{in: in, caller: tidy(in.Heard.Caller), agent: tidy(in.Heard.Agent), turns: in.Heard.Turns}
	var between []call.Segment
	v.passed, between = passedOn(v.turns)
	told := len(v.caller)+len(v.agent) == 0
	if told {
		v.caller, v.agent = spoken(v.turns, call.Caller), spoken(v.turns, call.Agent)
	}
	v.caller, v.agent = shared(v.caller, between), shared(v.agent, between)
	switch {
	case told || len(v.turns) == 0:
		// A transcript splits speech where the other side puts in a word, and may list the parts in another
		// order.
		manner := mannersOf(v.turns)
		v.turns = nil
		for _, b := range between {
			stretch := []call.Segment{b}
			v.turns = append(v.turns, Turns(shared(v.caller, stretch), shared(v.agent, stretch), manner)...)
		}
	case len(v.passed) > 0:
		v.turns = within(v.turns, between)
	}
	v.length = in.Heard.Length
	for _, side := range [][]call.Segment{v.caller, v.agent} {
		if n := len(side); n > 0 {
			v.length = max(v.length, side[n-1].End)
		}
	}
	v.meet()
	return v
}

// mannersOf returns the manner of the caller's turn that begins with a segment.
func mannersOf(turns []call.Turn) func(call.Segment) call.Manner {
	meant := map[time.Duration]call.Manner{}
	for _, t := range turns {
		if t.Speaker == call.Caller {
			meant[t.Start] = t.Manner
		}
	}
	return func(s call.Segment) call.Manner { return meant[s.Start] }
}

// spoken returns the segments of one side's turns; a turn without segments counts as a whole.
func spoken(turns []call.Turn, who call.Speaker) []call.Segment {
	var out []call.Segment
	for _, t := range turns {
		if t.Speaker == who {
			out = append(out, parts(t)...)
		}
	}
	return tidy(out)
}

func parts(t call.Turn) []call.Segment {
	if len(t.Segments) == 0 {
		return []call.Segment{{Start: t.Start, End: t.End}}
	}
	return t.Segments
}

// meet divides the caller's turns into exchanges and asides.
func (v *view) meet() {
	for i, t := range v.turns {
		switch {
		case t.Speaker != call.Caller || t.End <= t.Start:
		case t.Manner == call.MannerBackchannel:
			v.asides = append(v.asides, v.aside(t, v.turns[i+1:]))
		default:
			v.exchanges = append(v.exchanges, v.exchange(t, v.turns[i+1:]))
		}
	}
}

// exchange finds the reply among the later turns, and who spoke over whom.
func (v *view) exchange(t call.Turn, later []call.Turn) exchange {
	e := exchange{turn: t, segments: tidy(parts(t)), done: t.End}
	for i := range later {
		n := &later[i]
		if n.End <= n.Start {
			continue // told and not heard
		}
		if n.Speaker == call.Caller && n.Manner != call.MannerBackchannel || v.isPassedOn(t.Start, n.Start) {
			break
		}
		if n.Speaker == call.Agent && n.End > t.End && n.Start > t.Start {
			e.reply = n
			break
		}
	}
	if e.reply != nil {
		e.tool, e.done = v.called(t.Start, e.reply.Start), v.typed(t.End, e.reply.Start)
	}
	v.countInterruptions(&e)
	v.bargeIn(&e)
	return e
}

// typed returns when the last key was pressed that the caller began to press after from and before
// until; from if there is none.
func (v *view) typed(from, until time.Duration) time.Duration {
	last := from
	for _, p := range v.in.Pressed {
		if p.Start >= from && p.Start < until {
			last = max(last, min(p.End, until))
		}
	}
	return last
}

// called reports whether a tool was called after from and no later than to.
func (v *view) called(from, to time.Duration) bool {
	for _, c := range v.in.ToolCalls {
		if c.At >= 0 && c.At > from && c.At <= to {
			return true
		}
	}
	return false
}

func (v *view) firstWord() result {
	if len(v.agent) == 0 {
		return none("the agent never spoke")
	}
	return is(seconds(v.agent[0].Start)).seenAt(call.Segment{End: v.agent[0].Start})
}

func (v *view) turnLatency() result {
	return v.latencies(false, "the agent answered no turn of the caller")
}

func (v *view) turnLatencyTool() result {
	if !v.in.HasRecord {
		return none("the agent's own record of the call, which names its tool calls, is not there")
	}
	return v.latencies(true, "no turn led to a tool call before its answer")
}

func (v *view) latencies(tool bool, otherwise string) result {
	var out []float64
	var places []call.Segment
	for i := range v.exchanges {
		if e := &v.exchanges[i]; e.reply != nil && e.tool == tool {
			out, places = append(out, e.latency()), append(places, e.gap())
		}
	}
	return many(out, otherwise).seenAt(places...)
}

// turnTaking is the mean score of the exchanges that can be judged.
func (v *view) turnTaking() result {
	var sum float64
	n, worst, least := 0, call.Segment{}, math.Inf(1)
	for i := range v.exchanges {
		e := &v.exchanges[i]
		s, ok := e.score()
		if !ok {
			continue
		}
		if sum, n = sum+s, n+1; s < least {
			worst, least = e.judged(), s
		}
	}
	if n == 0 {
		return none("the agent answered no turn of the caller")
	}
	return is(sum / float64(n)).seenAt(worst)
}

// score judges one exchange from 0 to 1; ok is false if there is nothing to judge.
func (e *exchange) score() (s float64, ok bool) {
	if e.bargeIn {
		return max(0, 1-seconds(e.yield)/2), true
	}
	if e.reply != nil {
		s, ok = latencyScore(e.latency(), e.tool), true
	}
	if e.interruptions == 0 {
		return s, ok
	}
	cut := math.Min(0.5*(1-seconds(e.overlap)/2), 0.5*(1-float64(e.interruptions-1)/2))
	if ok {
		cut = math.Min(cut, s)
	}
	return max(0, cut), true
}

// latencyScore is 0 up to −0.5 s, rises to 1 at 0.5 s, stays 1 up to 2 s and falls to 0 at 3.5 s
// (up to 3 s and at 5 s after a tool call).
func latencyScore(s float64, tool bool) float64 {
	late, end := 2.0, 3.5
	if tool {
		late, end = 3.0, 5.0
	}
	return max(0, min(1, s+0.5, (end-s)/(end-late)))
}
