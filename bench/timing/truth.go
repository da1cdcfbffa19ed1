package main

import (
	"cmp"
	"slices"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/practice"
	"github.com/ringtrue/ringtrue/internal/score/timing"
)

// moments are the times of the first audible sample sent and of the end of the last one, on the
// clock of both sides.
type moments struct{ first, last time.Duration }

// spokenLine is a line of the caller.
type spokenLine struct {
	moments
	// said is what the caller itself recorded, in its media time.
	said call.Event
}

// meant reports whether the line is an interruption if the agent is speaking.
func (l spokenLine) meant() bool {
	return l.said.Manner == call.MannerInterrupt || l.last-l.first >= time.Second
}

// utterance is something the agent said.
type utterance struct {
	moments
	practice.Utterance
	audible audio.Span // of what was sent
}

// truth is what really happened in a call, according to what both sides sent. It is derived from
// the acts of the agent, without the code that measures.
type truth struct {
	lines      []spokenLine
	utterances []utterance
	// caller and agent are the periods in which each was audible.
	caller, agent []moments
	// callerBridged and agentBridged are the same including pauses of under 600 ms.
	callerBridged, agentBridged []moments
	// zero is the time on the clock at media time 0 of the caller.
	zero time.Duration
}

// edgeRoom is how far (in samples) around a recorded line its audible samples are looked for.
const edgeRoom = telephone / 20

func truthOf(p *played) truth {
	var t truth
	for i, left := range p.caller.Left {
		media := time.Duration(i*len(p.caller.PCM)/len(p.caller.Left)) * time.Second / telephone
		if d := left - media; i == 0 || d < t.zero {
			t.zero = d
		}
	}
	for _, e := range timing.Said(p.timeline) {
		first, last, ok := p.caller.Audible(samplesOf(e.At)-edgeRoom, samplesOf(e.End)+edgeRoom)
		if ok {
			t.lines = append(t.lines, spokenLine{momentsOf(p.caller, first, last), e})
		}
	}
	sent := p.agent.Sent()
	for _, u := range p.agent.Utterances() {
		if first, last, ok := sent.Audible(u.From, u.To); ok {
			t.utterances = append(t.utterances, utterance{momentsOf(sent, first, last), u, audio.Span{Start: first, End: last}})
		}
	}
	slices.SortFunc(t.utterances, func(a, b utterance) int { return cmp.Compare(a.first, b.first) })
	t.caller, t.agent = stretchesOf(p.caller), stretchesOf(sent)
	t.callerBridged, t.agentBridged = bridge(t.caller), bridge(t.agent)
	return t
}

// momentsOf returns when the samples [first, last) were sent; the last one ends a sample later.
func momentsOf(s *practice.Sent, first, last int) moments {
	return moments{s.Moment(first), s.Moment(last-1) + time.Second/telephone}
}

func stretchesOf(s *practice.Sent) []moments {
	var out []moments
	for _, x := range s.Stretches() {
		out = append(out, momentsOf(s, x.Start, x.End))
	}
	return out
}

// event is something with a known length at a place in the call.
type event struct {
	// at is the caller's media time that distinguishes it from others.
	at     time.Duration
	length time.Duration // negative if the agent was early
	// says are the agent's samples whose beginning ends the event, if any.
	says audio.Span
}

// latencies returns the answers at the ends of the caller's turns: the agent's first utterance that
// begins after the beginning of the turn and continues beyond its end, unless the agent had been
// speaking all the time.
func (t truth) latencies() []event {
	var out []event
	for i, l := range t.lines {
		next := time.Duration(1 << 62)
		if i+1 < len(t.lines) {
			next = t.lines[i+1].first
		}
		for _, u := range t.utterances {
			if u.first <= l.first && u.last >= l.last {
				break
			}
			if u.first > l.first && u.last > l.last && u.first < next {
				out = append(out, event{l.said.End, u.first - l.last, u.audible})
				break
			}
		}
	}
	return out
}

// leastOverlap is how long the agent must continue for the caller to have interrupted it.
const leastOverlap = 100 * time.Millisecond

// yields returns how long the agent continued when the caller interrupted it.
func (t truth) yields() []event {
	var out []event
	for _, l := range t.lines {
		for _, u := range t.utterances {
			if l.meant() && u.first < l.first && u.last-l.first > leastOverlap {
				out = append(out, event{at: l.said.At, length: u.last - l.first})
				break
			}
		}
	}
	return out
}

// breath is the longest pause after which somebody is still speaking.
const breath = 600 * time.Millisecond

func bridge(stretches []moments) []moments {
	var out []moments
	for _, s := range stretches {
		if k := len(out) - 1; k >= 0 && s.first-out[k].last < breath {
			out[k].last = s.last
			continue
		}
		out = append(out, s)
	}
	return out
}

// overlap returns how long both spoke.
func (t truth) overlap() time.Duration {
	var sum time.Duration
	for _, c := range t.callerBridged {
		for _, a := range t.agentBridged {
			sum += max(0, min(c.last, a.last)-max(c.first, a.first))
		}
	}
	return sum
}

// deadAir is the minimum silence of both that is dead air.
const deadAir = 2 * time.Second

// silences returns the periods of over two seconds in which nobody was audible, from the answer to
// the given end of the media.
func (t truth) silences(end time.Duration) []event {
	all := slices.Concat(t.caller, t.agent)
	slices.SortFunc(all, func(a, b moments) int { return cmp.Compare(a.first, b.first) })
	var out []event
	until := t.zero
	for _, s := range append(all, moments{t.zero + end, t.zero + end}) {
		if gap := s.first - until; gap > deadAir {
			out = append(out, event{at: until + gap/2 - t.zero, length: gap})
		}
		until = max(until, s.last)
	}
	return out
}
