package trendtest

import (
	"math"
	"sync"
	"time"

	"github.com/ringtrue/ringtrue/internal/trend"
	"github.com/ringtrue/ringtrue/internal/trend/departure"
	"github.com/ringtrue/ringtrue/internal/trend/sketch"
)

// What the service looks at, and how often; see package monitor for the reasons.
const (
	liveStep    = 10 * time.Minute
	liveWindow  = 14
	liveHistory = 56
	perHour     = int(time.Hour / liveStep)
)

// Alarm is what somebody who always had the page open would have been shown.
type Alarm struct {
	Agent int
	// At is the time of the look that first reported it.
	At       time.Time
	Incident departure.Incident
}

// Live watches a history as the service does, from the given day on (counted from
// 0): every ten minutes, including the current hour, with the history that the
// service reads at that time. It returns the departures to the worse side that
// any look reported and no fault explains, even if they were gone at the next
// look. Looks at which the current hour is within its band are skipped: they
// cannot report anything that the end of the previous hour did not.
func (s Spec) Live(first int) []Alarm {
	var all []Alarm
	var lock sync.Mutex
	var each sync.WaitGroup
	slots := make(chan struct{}, 2)
	for a := range s.Agents {
		each.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			for name, bins := range s.bins(a) {
				l := live{s: s, agent: a, looks: len(s.Agents) * len(Names()), bins: bins}
				l.metric, _ = trend.MetricOf(name)
				for day := first; day < s.Days; day++ {
					l.day(s.Start.AddDate(0, 0, day))
				}
				lock.Lock()
				all = append(all, l.alarms...)
				lock.Unlock()
			}
		})
	}
	each.Wait()
	return all
}

// bins returns an agent's ten-minute points by metric, from Start on.
func (s Spec) bins(agent int) map[string][]trend.Point {
	out := map[string][]trend.Point{}
	n := s.Days * 24 * perHour
	for _, name := range Names() {
		out[name] = make([]trend.Point, n)
	}
	s.agent(agent, func(c Call) bool {
		if i := int(c.At.Sub(s.Start) / liveStep); i < n {
			for name, bins := range out {
				c.into(&bins[i], name)
			}
		}
		return true
	})
	return out
}

// live is the watch over one series.
type live struct {
	s      Spec
	agent  int
	metric trend.Metric
	looks  int
	bins   []trend.Point
	alarms []Alarm
}

// point returns the sum of the first parts of the hour that begins at at.
func (l *live) point(at time.Time, parts int) trend.Point {
	p := trend.Point{At: at}
	first := int(at.Sub(l.s.Start) / liveStep)
	for _, b := range l.bins[first : first+parts] {
		p.N, p.Hits, p.Sum, p.Squares = p.N+b.N, p.Hits+b.Hits, p.Sum+b.Sum, p.Squares+b.Squares
		for i, n := range b.Tens {
			p.Tens[i] += n
		}
		if b.Sketch != nil {
			if p.Sketch == nil {
				p.Sketch = &sketch.Sketch{}
			}
			_ = p.Sketch.Merge(b.Sketch)
		}
	}
	return p
}

// watch is one look at the hours before at and, if given, at the current hour so
// far.
func (l *live) watch(at time.Time, running *trend.Point) departure.Report {
	until := at
	from := at.AddDate(0, 0, -liveWindow)
	var points []trend.Point
	begin := from.AddDate(0, 0, -liveHistory).Truncate(24 * time.Hour)
	if begin.Before(l.s.Start) {
		begin = l.s.Start
	}
	for t := begin; t.Before(at); t = t.Add(time.Hour) {
		if p := l.point(t, perHour); p.N > 0 {
			points = append(points, p)
		}
	}
	if running != nil && running.N > 0 {
		points, until = append(points, *running), at.Add(time.Hour)
	}
	return departure.Find(departure.Series{Metric: l.metric, Zone: l.s.Zone, Points: points}, departure.Window{From: from, Until: until, Looks: l.looks})
}

// day performs the looks of a day. A single look at its end replaces those at the
// end of each hour, because what is said about an hour does not change with later
// ones.
func (l *live) day(from time.Time) {
	end := from.AddDate(0, 0, 1)
	whole := l.watch(end, nil)
	l.tell(whole, from, end)
	if l.metric.Kind == trend.Count {
		return // numbers of calls wait for the end of their hour
	}
	for h := range 24 {
		at := from.Add(time.Duration(h) * time.Hour)
		usual := whole.Hours[int(at.Sub(end.AddDate(0, 0, -liveWindow))/time.Hour)]
		for parts := 1; parts < perHour; parts++ {
			p := l.point(at, parts)
			if l.odd(usual, p) || h == 12 && parts == 3 { // one look at noon, for the incomplete day
				l.tell(l.watch(at, &p), at, at.Add(time.Duration(parts)*liveStep))
			}
		}
	}
}

// odd reports whether part of an hour is outside the band of the whole hour on
// the worse side, with the band widened for fewer calls.
func (l *live) odd(usual departure.Expected, p trend.Point) bool {
	seen, ok := l.metric.Value(p)
	if !ok || !usual.Known {
		return false
	}
	wider := math.Sqrt(float64(max(usual.N, 1)) / float64(p.N))
	off, band := seen-usual.Expected, usual.High-usual.Expected
	switch {
	case l.metric.Kind == trend.Quantile:
		off, band = math.Log(max(seen, 1e-6)/usual.Expected), math.Log(usual.High/usual.Expected)
	case l.metric.Worse == trend.Down:
		off, band = -off, usual.Expected-usual.Low
	}
	return off > 0.9*band*wider
}

// tell records what a look reported first. As in the service, what should have
// been reported before since is not reported in hindsight.
func (l *live) tell(r departure.Report, since, at time.Time) {
	for _, in := range r.Incidents {
		if !in.Bad || l.s.explained(l.agent, in) {
			continue
		}
		known := false
		for i := range l.alarms {
			old := &l.alarms[i].Incident
			if in.Start.Before(old.End.Add(24*time.Hour)) && old.Start.Before(in.End.Add(24*time.Hour)) {
				known = true
				if in.End.After(old.End) {
					old.End = in.End
				}
			}
		}
		if !known && !in.Told.Before(since) {
			l.alarms = append(l.alarms, Alarm{Agent: l.agent, At: at, Incident: in})
		}
	}
}
