package main

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
)

// The metrics whose errors are measured, in the order of the tables.
const (
	turnLatency = "turn_latency"
	overlap     = "overlap_seconds"
	yieldTime   = "yield_time"
	deadAirName = "dead_air"
)

func metricNames() []string { return []string{turnLatency, overlap, yieldTime, deadAirName} }

// sample is one planted event with what was measured of it. Times are in ms.
type sample struct {
	Metric, Line, Cond, Figure, Voice, Call string
	At                                      float64 // media time, s
	Truth, Measured                         float64
	// Bound is the error (ms) of an ideal listener, Sure that of one that must be sure, for
	// turn_latency only.
	Bound, Sure float64 `json:",omitempty"`
	// Missed means that nothing was measured where something was planted, Invented the reverse.
	Missed, Invented bool
}

// error returns how far the measurement is from the truth.
func (s sample) error() float64 { return s.Measured - s.Truth }

// compare compares every planted event of a call with what was measured.
func (b *bench) compare(p *played) []sample {
	t := truthOf(p)
	if p.id == b.show {
		show(b.out, p, t)
	}
	arrival := b.newArrival(p)
	var out []sample
	add := func(metric string, at time.Duration, truth, measured float64, missed, invented bool) {
		out = append(out, sample{
			Metric: metric, Line: p.line, Cond: p.cond.name, Figure: p.cond.figure, Voice: p.plan.voice, Call: p.id,
			At: at.Seconds(), Truth: truth, Measured: measured, Missed: missed, Invented: invented,
		})
	}
	pair := func(metric string, truth, measured []event, near time.Duration) {
		used := make([]bool, len(measured))
		for _, e := range truth {
			if k := nearest(measured, used, e.at, near); k < 0 {
				add(metric, e.at, ms(e.length), 0, true, false)
			} else {
				used[k] = true
				add(metric, e.at, ms(e.length), ms(measured[k].length), false, false)
			}
			if e.says.End > 0 {
				s := &out[len(out)-1]
				s.Bound, s.Sure = arrival.late(e.says)
			}
		}
		for k, e := range measured {
			if !used[k] {
				add(metric, e.at, 0, ms(e.length), false, true)
			}
		}
	}
	pair(turnLatency, t.latencies(), p.measuredLatencies(), time.Millisecond)
	pair(yieldTime, t.yields(), p.measuredYields(), time.Millisecond)
	pair(deadAirName, t.silences(p.heard.Length), p.measuredSilences(), time.Second)
	if m := p.metric(overlap); m.Value != nil {
		add(overlap, 0, ms(t.overlap()), *m.Value*1000, false, false)
	} else {
		add(overlap, 0, ms(t.overlap()), 0, true, false)
	}
	return out
}

// nearest returns the index of the unused event closest to the time, −1 if none is near.
func nearest(events []event, used []bool, at, near time.Duration) int {
	best := -1
	for i, e := range events {
		if d := (e.at - at).Abs(); !used[i] && d <= near && (best < 0 || d < (events[best].at-at).Abs()) {
			best = i
		}
	}
	return best
}

func (p *played) metric(name string) call.Metric {
	for _, m := range p.metrics {
		if m.Name == name {
			return m
		}
	}
	return call.Metric{}
}

// measuredLatencies returns the values of turn_latency, each with the end of the caller's turn, the
// only edge that does not depend on the agent.
func (p *played) measuredLatencies() []event {
	m := p.metric(turnLatency)
	if m.Spread == nil {
		return nil
	}
	var out []event
	for i, v := range m.Spread.Values {
		e := event{at: m.Places[i].Start, length: seconds(v)}
		if v < 0 {
			e.at = m.Places[i].End
		}
		out = append(out, e)
	}
	return out
}

func (p *played) measuredYields() []event {
	m := p.metric(yieldTime)
	if m.Spread == nil {
		return nil
	}
	var out []event
	for i, v := range m.Spread.Values {
		out = append(out, event{at: m.Places[i].Start, length: seconds(v)})
	}
	return out
}

func (p *played) measuredSilences() []event {
	var out []event
	for _, s := range p.metric("dead_air_total").Places {
		out = append(out, event{at: s.Start + s.Length()/2, length: s.Length()})
	}
	return out
}

func seconds(s float64) time.Duration { return time.Duration(math.Round(s * float64(time.Second))) }

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// summary summarises a set of samples. Errors are absolute, in ms.
type summary struct {
	n, missed, invented int
	p50, p95, worst     float64
}

func summarise(samples []sample) summary {
	var s summary
	var abs []float64
	for _, x := range samples {
		switch {
		case x.Invented:
			s.invented++
		case x.Missed:
			s.n++
			s.missed++
		default:
			s.n++
			abs = append(abs, math.Abs(x.error()))
		}
	}
	if len(abs) == 0 {
		return s
	}
	s.p50, s.p95, s.worst = at(abs, 0.5), at(abs, 0.95), slices.Max(abs)
	return s
}

// worstOf returns the samples with the largest errors, missed and invented ones first.
func worstOf(samples []sample, n int) []sample {
	badness := func(s sample) float64 {
		if s.Missed || s.Invented {
			return math.Inf(1)
		}
		return math.Abs(s.error())
	}
	all := slices.SortedFunc(slices.Values(samples), func(a, b sample) int { return cmp.Compare(badness(b), badness(a)) })
	return all[:min(n, len(all))]
}
