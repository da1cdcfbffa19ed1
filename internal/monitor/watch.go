package monitor

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/trend"
)

const (
	// watchWindow is how far back a report looks for departures anew, watchHistory
	// what it knows the usual from.
	watchWindow  = 14 * dayLength
	watchHistory = 56 * dayLength
	// watchRedo is how far back changed figures are looked at again.
	watchRedo = 91 * dayLength
	// takenFor is how long a series is left to the process that has taken it.
	takenFor = 10 * time.Minute
	// lookEvery is how often every series is looked at. Within the hour that is
	// running shares, means and latencies are told as soon as they are sure; numbers of
	// calls wait for its end.
	lookEvery = 10 * time.Minute
	// lookPause is how long a series is left alone after a look, at most, however much
	// changes meanwhile. Where looks take little it is lookShare times what looks at
	// all series of the workspace take: what comes in is told of soon, at a fiftieth
	// of a processor's time.
	lookPause = time.Minute
	lookShare = 50
	// keepIncidents bounds what is kept of a series; the oldest go.
	keepIncidents = 1000
)

// found is what a stored report tells, bands left aside.
type found struct {
	Incidents []trend.Incident `json:"incidents"`
	// Verdict is that of the last hour, with what it rests on.
	Verdict trend.Verdict `json:"verdict"`
	Reason  string        `json:"reason"`
	// Now is what each metric showed in the last 24 hours against its baseline.
	Now []MetricNow `json:"now"`
}

// band is the baseline of the hours of the window, by metric.
type band struct {
	From  time.Time
	Hours map[string][]expected
}

// expected is the baseline of one hour; unknown where Known is false.
type expected struct {
	Known               bool
	Expected, Low, High float64
}

// watchSome looks at the history of one series that is due; more says that one was.
func (s *Service) watchSome(ctx context.Context) (more bool, err error) {
	now := s.o.Now().UTC()
	until := now.Truncate(lookEvery)
	var due StoredReport
	err = s.o.Store.Read(ctx, func(tx Tx) error {
		due = StoredReport{}
		old, err := tx.OldReports(ctx, string(call.Production), dayOf(until.Add(-watchWindow)), until, now.Add(-takenFor), 1)
		if err == nil && len(old) > 0 {
			due = old[0]
		}
		return err
	})
	if err != nil || due.WorkspaceID == "" {
		return false, err
	}
	taken := false
	err = s.o.Store.Write(ctx, func(tx Tx) (err error) {
		taken, err = tx.TakeReport(ctx, due, now.Add(-takenFor), now)
		return err
	})
	if err != nil || !taken {
		return err == nil, err
	}
	if err := s.watch(ctx, due, until); err != nil {
		return false, fmt.Errorf("look for departures from the usual: %w", err)
	}
	return true, nil
}

// watch makes the report of a series as it stands at until.
func (s *Service) watch(ctx context.Context, due StoredReport, until time.Time) error {
	began := s.o.Now()
	l := look{series: due.Series, at: until, hour: until.Truncate(time.Hour)}
	l.from = l.hour.Add(-watchWindow)
	if !due.Redo.IsZero() && due.Redo.Before(l.from) {
		l.from = later(due.Redo, l.hour.Add(-watchRedo))
	}
	var before found
	var settled time.Time
	err := s.o.Store.Read(ctx, func(tx Tx) (err error) {
		if before, settled, err = foundBefore(ctx, tx, due); err != nil {
			return err
		}
		return l.read(ctx, tx, due)
	})
	if err != nil {
		return err
	}
	reports, bands := l.reports()
	for i := range reports {
		reports[i].Incidents = notInHindsight(reports[i].Incidents, before.Incidents, settled)
	}
	now := found{Incidents: joinIncidents(before.Incidents, reports, l.from), Now: metricsNow(l.history, reports, l.hour)}
	for i := range now.Incidents {
		in := &now.Incidents[i]
		in.End, in.Told = sooner(in.End, until), sooner(in.Told, until)
	}
	health := trend.Judge(reports, until)
	now.Verdict, now.Reason = health.Verdict, health.Reason
	text, err := json.Marshal(now)
	if err != nil {
		return err
	}
	done, ended := due, s.o.Now()
	done.Until, done.Redo, done.Found, done.Bands = until, time.Time{}, text, packBand(bands)
	return s.o.Store.Write(ctx, func(tx Tx) error {
		// What has changed since the history was read is to be looked at again.
		stored, ok, err := tx.ReportOf(ctx, due.WorkspaceID, due.Origin, due.Series)
		if err != nil {
			return err
		}
		if ok && !stored.Redo.Equal(due.Redo) {
			done.Redo = stored.Redo
		}
		done.TakenAt = ended.UTC().Add(pauseAfter(ended.Sub(began), l.all) - takenFor)
		return tx.PutReport(ctx, done)
	})
}

// foundBefore is what earlier looks found, and the time before which nothing is
// judged anew: that of the last look, or where figures have changed since. It is
// zero when nobody has looked.
func foundBefore(ctx context.Context, tx Tx, due StoredReport) (before found, settled time.Time, err error) {
	old, ok, err := tx.ReportOf(ctx, due.WorkspaceID, due.Origin, due.Series)
	if err != nil || !ok || len(old.Found) == 0 {
		return before, settled, err
	}
	if settled = old.Until; !due.Redo.IsZero() {
		settled = sooner(settled, due.Redo)
	}
	return before, settled, json.Unmarshal(old.Found, &before)
}

// pauseAfter is how long a series of so many is left alone after a look that took so long.
func pauseAfter(took time.Duration, series int) time.Duration {
	if took < 0 { // the clock has been set back
		return lookPause
	}
	return max(time.Second, min(lookPause, took*time.Duration(lookShare*max(1, series))))
}

// look is one look at one series.
type look struct {
	series Series
	// from is where the window begins, at when the look is taken, hour where the last complete hour ends.
	from, at, hour time.Time
	zone           *time.Location
	history        []watchedHour
	// beside is how many series of its kind there are, all how many of any kind.
	beside, all int
}

// read reads the history, the hour that is running too.
func (l *look) read(ctx context.Context, tx Tx, due StoredReport) error {
	others, err := tx.Reports(ctx, due.WorkspaceID, due.Origin)
	if err != nil {
		return err
	}
	l.beside, l.all = 0, len(others)
	for _, r := range others {
		if isPart(r.Dim) == isPart(due.Dim) {
			l.beside++
		}
	}
	if l.zone, err = zoneOf(ctx, tx, due.WorkspaceID); err != nil {
		return err
	}
	l.history, err = watchedHours(ctx, tx, due, l.from.Add(-watchHistory), l.at)
	return err
}

// isPart reports whether a dimension tells the calls of agents apart.
func isPart(dim string) bool { return dim != "" && dim != DimAgent }

// zoneOf is where the hours of the workspace's week are counted.
func zoneOf(ctx context.Context, tx Tx, workspaceID string) (*time.Location, error) {
	d, err := tx.Dimensions(ctx, workspaceID)
	if err != nil || d.Zone == "" {
		return time.UTC, err
	}
	zone, err := time.LoadLocation(d.Zone)
	if err != nil {
		return time.UTC, nil //nolint:nilerr // a zone that this machine does not know; it was checked when it was set
	}
	return zone, nil
}

// leastWatched is how many calls a value of a dimension must have had within the
// window and the history to be watched.
const leastWatched = 100

// watches reports whether the figure of the series is watched. Of the values of
// dimensions only what callers notice is, and the number of calls only of those
// values that are not there to be replaced: a version's calls end with the next.
func (l *look) watches(f *figure) bool {
	if !f.watched() {
		return false
	}
	if !isPart(l.series.Dim) {
		return true
	}
	switch f.Name {
	case "calls":
		return strings.HasPrefix(l.series.Dim, DimKey)
	case "error_rate", "failed_rate", "drop_off_rate", "upset_rate", "valence", "latency_p50", "latency_p95":
		return true
	}
	return false
}

// reports are those of all metrics that are watched, with the baseline of the hours.
func (l *look) reports() ([]trend.Report, band) {
	bands := band{From: l.from, Hours: map[string][]expected{}}
	if isPart(l.series.Dim) && l.calls() < leastWatched {
		return nil, bands
	}
	var reports []trend.Report
	for _, f := range figures() {
		if !l.watches(&f) {
			continue
		}
		r := l.report(&f, l.beside*len(trend.Metrics()))
		reports = append(reports, r)
		hours := make([]expected, len(r.Hours))
		for i, h := range r.Hours {
			hours[i] = expected{Known: h.Known && finite(h.Expected, h.Low, h.High), Expected: h.Expected, Low: h.Low, High: h.High}
		}
		bands.Hours[f.Name] = hours
	}
	return reports, bands
}

// report looks at one metric: a number of calls up to the last complete hour, all
// else up to now.
func (l *look) report(f *figure, looks int) trend.Report {
	w := trend.Window{From: l.from, Until: l.hour, Looks: max(1, looks)}
	if n := len(l.history); f.Kind != trend.Count && n > 0 && !l.history[n-1].at.Before(l.hour) {
		w.Until = l.hour.Add(time.Hour)
	}
	points := make([]trend.Point, 0, len(l.history))
	for i := range l.history {
		p := f.point(&l.history[i].b.Counts, &l.history[i].b.Shape)
		if p.At = l.history[i].at; p.N > 0 {
			points = append(points, p)
		}
	}
	return trend.Watch(trend.Series{Metric: f.Metric, Zone: l.zone, Points: points}, w)
}

// calls is the number of calls in the history.
func (l *look) calls() (n int64) {
	for i := range l.history {
		n += l.history[i].b.Counts[Calls]
	}
	return n
}

func sooner(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

func later(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}

// watchedHour is an hour with everything that metrics need.
type watchedHour struct {
	at time.Time
	b  Bucket
}

func watchedHours(ctx context.Context, tx Tx, r StoredReport, from, until time.Time) ([]watchedHour, error) {
	rows, err := tx.Rolls(ctx, r.WorkspaceID, r.Origin, r.Series, dayOf(from), dayOf(until.Add(-time.Second))+1, Full)
	if err != nil {
		return nil, err
	}
	var out []watchedHour
	g := gather(withSpreads)
	for i := range rows {
		day := dayStart(rows[i].Day)
		for h := range hoursPerDay {
			at := day.Add(time.Duration(h) * time.Hour)
			if at.Before(from) || !at.Before(until) {
				continue
			}
			if err := g.hours(&rows[i], at, at.Add(time.Hour)); err != nil {
				return nil, err
			}
			if g.Counts[Calls] > 0 {
				out = append(out, watchedHour{at: at, b: *g.take()})
			}
		}
	}
	return out, nil
}

func finite(values ...float64) bool {
	for _, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return false
		}
	}
	return true
}

// notInHindsight leaves out departures that would have had to be told before
// settled and were not: eight weeks that begin an hour later let expect a little
// else, and nobody is to hear of an ordinary evening two weeks afterwards.
func notInHindsight(found, before []trend.Incident, settled time.Time) []trend.Incident {
	return slices.DeleteFunc(slices.Clone(found), func(in trend.Incident) bool {
		return in.Told.Before(settled) && !slices.ContainsFunc(before, func(old trend.Incident) bool {
			return old.Metric == in.Metric && old.Sign == in.Sign && !in.Start.After(old.End) && !old.Start.After(in.End)
		})
	})
}

// joinIncidents puts what was found before the window and what was found in it
// together. One that was under way when the window began keeps its beginning.
func joinIncidents(before []trend.Incident, reports []trend.Report, from time.Time) []trend.Incident {
	out := []trend.Incident{}
	var underWay []trend.Incident
	for _, in := range before {
		switch {
		case in.End.Before(from):
			out = append(out, in)
		case in.Start.Before(from):
			underWay = append(underWay, in)
		}
	}
	for _, r := range reports {
		for _, in := range r.Incidents {
			for _, old := range underWay {
				if old.Metric == in.Metric && old.Form == in.Form && old.Sign == in.Sign && !in.Start.After(old.End) {
					in.Start, in.Told = old.Start, old.Told
				}
			}
			out = append(out, plainIncident(in))
		}
	}
	return out[max(0, len(out)-keepIncidents):]
}

// plainIncident has no figure that JSON cannot hold.
func plainIncident(in trend.Incident) trend.Incident {
	for _, v := range []*float64{&in.Seen, &in.Expected, &in.Low, &in.High, &in.PeakSeen, &in.PeakExpected, &in.Score, &in.Sure} {
		if !finite(*v) {
			*v = 0
		}
	}
	return in
}

// packBand keeps the baseline in thousandths.
func packBand(b band) []byte {
	var p packer
	p.int(b.From.Unix())
	p.uint(len(b.Hours))
	for name, hours := range b.Hours {
		p.text(name)
		p.uint(len(hours))
		for _, h := range hours {
			p.flag(h.Known)
			if h.Known {
				p.milli(h.Expected)
				p.milli(h.Low)
				p.milli(h.High)
			}
		}
	}
	return p.b
}

// unpackBand reads the hours of the metrics that are wanted.
func unpackBand(b []byte, wanted func(metric string) bool) (band, error) {
	out := band{Hours: map[string][]expected{}}
	if len(b) == 0 {
		return out, nil
	}
	u := unpacker{b: b}
	out.From = time.Unix(u.int(), 0).UTC()
	for range u.count() {
		name := u.text()
		hours := make([]expected, u.count())
		for i := range hours {
			if hours[i].Known = u.flag(); hours[i].Known {
				hours[i].Expected, hours[i].Low, hours[i].High = u.milli(), u.milli(), u.milli()
			}
		}
		if wanted(name) {
			out.Hours[name] = hours
		}
	}
	return out, u.err
}

// bands adds the baseline to hourly lines, as far as one is known.
func (s *Service) bands(ctx context.Context, tx Tx, p span, lines []TrendLine) error {
	r, ok, err := tx.ReportOf(ctx, p.workspaceID, p.origin, p.Series)
	if err != nil || !ok {
		return err
	}
	wanted := map[string]bool{}
	for _, l := range lines {
		wanted[l.Metric] = true
	}
	b, err := unpackBand(r.Bands, func(metric string) bool { return wanted[metric] })
	if err != nil {
		return err
	}
	for i := range lines {
		hours := b.Hours[lines[i].Metric]
		for j := range lines[i].Points {
			at := int(time.UnixMilli(lines[i].Points[j].At).Sub(b.From) / time.Hour)
			if at < 0 || at >= len(hours) || !hours[at].Known {
				continue
			}
			h := hours[at]
			lines[i].Points[j].Expected, lines[i].Points[j].Low, lines[i].Points[j].High = &h.Expected, &h.Low, &h.High
		}
	}
	return nil
}
