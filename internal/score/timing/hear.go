package timing

import (
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/audio/activity"
	"github.com/ringtrue/ringtrue/internal/audio/echo"
	"github.com/ringtrue/ringtrue/internal/call"
)

// Hear finds out who spoke when in a simulated call: the caller from the timeline of what was
// sent, the agent from its channel of the recording. In Turns, a line of the caller is one
// piece, since the caller has not finished before its end. In Caller, it is cut at pauses of
// at least 200 ms, like the agent's speech, so that nobody counts as speaking during a pause.
// Without the caller's channel, lines stay whole. What comes back of the caller on the agent's channel
// is no speech of the agent's.
func Hear(timeline []call.Event, caller, agent audio.Clip) call.Heard {
	said := Said(timeline)
	lines := make([]call.Segment, len(said))
	h := call.Heard{Caller: make([]call.Segment, 0, len(said)), Length: agent.Duration(), Engines: map[string]string{"segments": activity.Engine}}
	spans := activity.Segments(agent.PCM, agent.Rate)
	if left, path, ok := echo.Cut(spans, agent.PCM, caller.PCM, agent.Rate); ok && caller.Rate == agent.Rate {
		spans, h.Engines["echo"] = left, path.String()
	}
	h.Agent = placed(spans, agent.Rate)
	for i, e := range said {
		lines[i] = call.Segment{Start: e.At, End: e.End}
		h.Caller = append(h.Caller, stretches(caller, lines[i])...)
	}
	h.Turns = turnsAround(Pressed(timeline), lines, h.Agent, func(s call.Segment) call.Manner {
		for _, e := range said {
			if e.At == s.Start && e.End == s.End {
				return e.Manner
			}
		}
		return call.MannerPlain
	})
	return h
}

// Said returns the caller's lines as they were sent, from the first audible sample to the
// last.
func Said(timeline []call.Event) []call.Event {
	var out []call.Event
	for _, e := range timeline {
		if e.Kind == call.KindSaid && e.End > e.At {
			out = append(out, e)
		}
	}
	return out
}

// pressTime is how long a line presses a key.
const pressTime = 100 * time.Millisecond

// Pressed returns when the caller pressed keys, as the line sent them. The caller's own event, which
// names all keys of a step, allows for more time than that takes.
func Pressed(timeline []call.Event) []call.Segment {
	var out []call.Segment
	for _, e := range timeline {
		if _, one := e.Data["digit"]; one && e.Kind == call.KindDigitSent {
			out = append(out, call.Segment{Start: e.At, End: e.At + pressTime})
		}
	}
	return out
}

// innerGap is the silence that separates two stretches of speech, as in activity.Segments.
const innerGap = 200 * time.Millisecond

// stretches cuts a line at the pauses in the caller's channel.
func stretches(caller audio.Clip, line call.Segment) []call.Segment {
	rest := line
	var out []call.Segment
	for {
		quiet, ok := firstPause(caller, rest)
		if !ok {
			return append(out, rest)
		}
		out = append(out, call.Segment{Start: rest.Start, End: quiet.Start})
		rest.Start = quiet.End
	}
}

// firstPause returns the first silence of at least innerGap within a stretch.
func firstPause(c audio.Clip, in call.Segment) (pause call.Segment, ok bool) {
	if c.Rate <= 0 {
		return pause, false
	}
	step := c.Rate / 200
	from, to := min(sampleOf(in.Start, c.Rate), len(c.PCM)), min(sampleOf(in.End, c.Rate), len(c.PCM))
	last := from
	for at := from; at+step <= to; at += step {
		if audio.Level(c.PCM[at:at+step]) <= audio.AudibleDB {
			continue
		}
		if gap := at - last; gap >= sampleOf(innerGap, c.Rate) && last > from {
			return outermost(c, last-step, at+step), true
		}
		last = at + step
	}
	return pause, false
}

// outermost moves the edges of a pause to the last audible sample before it and the first one
// after it; each is within 5 ms of the given edge.
func outermost(c audio.Clip, from, to int) call.Segment {
	step := c.Rate / 200
	s := call.Segment{Start: placeOf(from+step, c.Rate), End: placeOf(to-step, c.Rate)}
	if _, last, ok := (audio.Clip{PCM: c.PCM[from : from+step], Rate: c.Rate}).Audible(); ok {
		s.Start = placeOf(from+last, c.Rate)
	}
	if first, _, ok := (audio.Clip{PCM: c.PCM[to-step : to], Rate: c.Rate}).Audible(); ok {
		s.End = placeOf(to-step+first, c.Rate)
	}
	return s
}

func placed(in []audio.Span, rate int) []call.Segment {
	out := make([]call.Segment, 0, len(in))
	for _, s := range in {
		out = append(out, call.Segment{Start: placeOf(s.Start, rate), End: placeOf(s.End, rate)})
	}
	return out
}

func placeOf(sample, rate int) time.Duration {
	return time.Duration(sample) * time.Second / time.Duration(rate)
}

func sampleOf(at time.Duration, rate int) int {
	return int(max(at, 0) * time.Duration(rate) / time.Second)
}
