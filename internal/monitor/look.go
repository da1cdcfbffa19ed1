package monitor

import (
	"context"
	"strings"
	"time"

	"github.com/ringtrue/ringtrue/internal/bucket"
	"github.com/ringtrue/ringtrue/internal/trend"
	"github.com/ringtrue/ringtrue/internal/trend/departure"
)

// look is one look at one series.
type look struct {
	series bucket.Series
	// from is where the window begins, at the time of the look, hour the end of the last complete hour.
	from, at, hour time.Time
	// rest is where a further look has to continue, zero if none is needed: at the end of this one, or
	// before it if the present was looked at ahead of a long history.
	rest    time.Time
	zone    *time.Location
	history []watchedHour
	// reviewed is up to when calls have been reviewed: numbers of calls are not judged for hours in
	// which many still wait.
	reviewed time.Time
	// beside is the number of series of the same kind, all that of any kind.
	beside, all int
}

// lookAt returns the look due at until: at the last two weeks, or from the first changed hour on. A
// long history is looked at in parts, the earliest first.
func lookAt(due StoredReport, until time.Time) look {
	l := look{series: due.Series, at: until, hour: until.Truncate(time.Hour)}
	l.from = l.hour.Add(-watchWindow)
	first := due.Redo
	if first.IsZero() && due.Until.IsZero() {
		first = l.hour.Add(-watchAtOnce)
	}
	if first.IsZero() || !first.Before(l.from) {
		return l
	}
	l.from = later(first, l.hour.Add(-watchRedo))
	if end := l.from.Add(watchAtOnce); end.Before(l.hour.Add(-watchWindow)) {
		l.at, l.hour, l.rest = end, end, end
	}
	return l
}

// nextLook is lookAt, except that the present goes ahead of a long history: as long as old calls
// keep arriving, the history starts again and again and never ends. If nothing is known about the
// series yet, the history goes first.
func nextLook(due StoredReport, before *found, until time.Time) look {
	l := lookAt(due, until)
	if l.ofToday() || !before.known() || !before.Present.Before(until) {
		return l
	}
	hour := until.Truncate(time.Hour)
	return look{series: due.Series, from: hour.Add(-watchWindow), at: until, hour: hour, rest: l.from}
}

// ofToday reports whether the look reaches the present, and is not a part of the history before it.
func (l *look) ofToday() bool { return l.rest.Before(l.at) }

// read reads the history, including the current hour.
func (l *look) read(ctx context.Context, tx Tx, due StoredReport) error {
	others, err := tx.CountReports(ctx, due.WorkspaceID, due.Origin)
	if err != nil {
		return err
	}
	l.beside, l.all = 0, 0
	for dim, n := range others {
		l.all += n
		if isPart(dim) == isPart(due.Dim) {
			l.beside += n
		}
	}
	if l.zone, err = zoneOf(ctx, tx, due.WorkspaceID); err != nil {
		return err
	}
	if l.history, err = watchedHours(ctx, tx, due, l.from.Add(-watchHistory), l.at); err != nil {
		return err
	}
	agent := due.Agent
	if due.Dim == DimAgent {
		agent = due.Value
	}
	waiting, err := tx.WaitingBetween(ctx, due.WorkspaceID, due.Origin, agent, l.hour.Add(-waitsFor), l.hour)
	l.reviewed = l.reviewedUntil(waiting)
	return err
}

const (
	// waitsFor is how far back calls are waited for, as far as a stretch of few calls reaches back; a
	// call that is never reviewed delays nothing for longer.
	waitsFor = 3 * bucket.DayLength
	// waitsShare is the share of an hour's calls that may wait for review, and leastWaiting a number
	// that always may.
	waitsShare, leastWaiting = 0.1, 3
)

// reviewedUntil returns the beginning of the first hour in which many calls wait for review: until
// they are counted, calls seem to be missing.
func (l *look) reviewedUntil(waiting map[time.Time]int) time.Time {
	seen := make(map[time.Time]int64, len(l.history))
	for i := range l.history {
		seen[l.history[i].at] = l.history[i].b.Counts[bucket.Calls]
	}
	until := l.hour
	for at, n := range waiting {
		if n > leastWaiting && float64(n) > waitsShare*float64(seen[at]+int64(n)) {
			until = sooner(until, at)
		}
	}
	return until
}

// isPart reports whether a dimension divides the calls of agents.
func isPart(dim string) bool { return dim != "" && dim != DimAgent }

// zoneOf returns the time zone in which the hours of the workspace's week are counted.
func zoneOf(ctx context.Context, tx Tx, workspaceID string) (*time.Location, error) {
	d, err := tx.Dimensions(ctx, workspaceID)
	if err != nil || d.Zone == "" {
		return time.UTC, err
	}
	zone, err := time.LoadLocation(d.Zone)
	if err != nil {
		return time.UTC, nil //nolint:nilerr // unknown to this machine, although it was checked when it was set
	}
	return zone, nil
}

// leastWatched is how many calls a value of a dimension must have in the window and its history to
// be watched.
const leastWatched = 100

// watches reports whether the figure is watched in the series. For values of dimensions that is
// only what callers notice; the number of calls only for metadata keys, since a version's calls end
// with the next version.
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

// reports returns the reports of all watched metrics, with the baseline of the hours.
func (l *look) reports() ([]departure.Report, band) {
	bands := band{From: later(l.from, l.hour.Add(-watchWindow)), Hours: map[string][]expected{}}
	kept := int(bands.From.Sub(l.from) / time.Hour)
	if isPart(l.series.Dim) && l.calls() < leastWatched {
		return nil, bands
	}
	var reports []departure.Report
	for _, f := range figures() {
		if !l.watches(&f) {
			continue
		}
		r := l.report(&f, l.beside*len(trend.Metrics()))
		reports = append(reports, r)
		last := r.Hours[min(kept, len(r.Hours)):]
		hours := make([]expected, len(last))
		for i, h := range last {
			hours[i] = expected{Known: h.Known && finite(h.Expected, h.Low, h.High), Expected: h.Expected, Low: h.Low, High: h.High}
		}
		bands.Hours[f.Name] = hours
	}
	return reports, bands
}

// report looks at one metric: numbers of calls up to the last complete hour, all others up to now.
func (l *look) report(f *figure, looks int) departure.Report {
	w := departure.Window{From: l.from, Until: l.hour, Looks: max(1, looks)}
	if f.Kind == trend.Count && !l.reviewed.IsZero() {
		w.Until = sooner(w.Until, l.reviewed)
	}
	if n := len(l.history); n > 0 {
		last := l.history[n-1].at
		// A series without calls for that long is no longer looked at.
		w.Until = sooner(w.Until, last.Add(watchWindow))
		if f.Kind != trend.Count && !last.Before(l.hour) {
			w.Until = l.hour.Add(time.Hour)
		}
	}
	points := make([]trend.Point, 0, len(l.history))
	for i := range l.history {
		p := f.point(&l.history[i].b.Counts, &l.history[i].b.Shape)
		if f.Kind == trend.Count {
			p.Tens = l.history[i].b.Tens
		}
		if p.At = l.history[i].at; p.N > 0 {
			points = append(points, p)
		}
	}
	return departure.Find(departure.Series{Metric: f.Metric, Zone: l.zone, Points: points}, w)
}

// calls returns the number of calls in the history.
func (l *look) calls() (n int64) {
	for i := range l.history {
		n += l.history[i].b.Counts[bucket.Calls]
	}
	return n
}

// watchedHour is an hour with all data of its metrics.
type watchedHour struct {
	at time.Time
	b  bucket.Bucket
}

// watchedHours returns the hours of a series between two times that have calls.
func watchedHours(ctx context.Context, tx Tx, r StoredReport, from, until time.Time) ([]watchedHour, error) {
	days := SeriesWindow{WorkspaceID: r.WorkspaceID, Origin: r.Origin, Series: r.Series, From: bucket.DayOf(from), Until: bucket.DayOf(until.Add(-time.Second)) + 1}
	rows, err := tx.Rolls(ctx, days, Full)
	if err != nil {
		return nil, err
	}
	var out []watchedHour
	for i := range rows {
		err := rows[i].EachHour(from, until, func(at time.Time, b *bucket.Bucket) {
			out = append(out, watchedHour{at: at, b: *b})
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}
