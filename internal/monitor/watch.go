package monitor

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/ringtrue/ringtrue/internal/bucket"
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/trend/departure"
)

const (
	// watchWindow is how far back each look searches for departures, watchHistory how much time before
	// that defines the usual.
	watchWindow  = 14 * bucket.DayLength
	watchHistory = 56 * bucket.DayLength
	// watchRedo is how far back the hours of late calls, such as an imported history, are looked at;
	// watchAtOnce is how much of that one look covers.
	watchRedo   = 731 * bucket.DayLength
	watchAtOnce = 91 * bucket.DayLength
	// takenFor is how long a series is reserved for the process that took it.
	takenFor = 10 * time.Minute
	// lookEvery is how often every series is looked at. In the current hour, shares, means and
	// latencies are reported as soon as they are certain; numbers of calls wait for its end.
	lookEvery = 10 * time.Minute
	// lookPause is the longest pause after a look at a series, however much changes meanwhile. If looks
	// are quick, the pause is lookShare times as long as looking at all series of the workspace would
	// take: changes are reported soon, for a fiftieth of a processor's time.
	lookPause = time.Minute
	lookShare = 50
	// dueAtOnce limits how many due series are requested at once; after lookAtOnce no further one of
	// them is looked at.
	dueAtOnce  = 32
	lookAtOnce = time.Second
)

// watchSome looks at some of the series that are due; more says that there were any. Finding out
// which are due involves all series, so it is not done for each one.
func (s *Service) watchSome(ctx context.Context) (more bool, err error) {
	began := s.o.Now()
	until := began.UTC().Truncate(lookEvery)
	var due []StoredReport
	err = s.o.Store.Read(ctx, func(tx Tx) (err error) {
		due, err = tx.OldReports(ctx, string(call.Production), bucket.DayOf(until.Add(-watchWindow)), until, began.UTC().Add(-takenFor), dueAtOnce)
		return err
	})
	if err != nil {
		return false, err
	}
	for _, r := range due {
		if err := s.take(ctx, r, until); err != nil {
			return false, err
		}
		if d := s.o.Now().Sub(began); d > lookAtOnce || d < 0 { // calls that arrived meanwhile must be counted
			break
		}
	}
	return len(due) > 0, nil
}

// take looks at a series that is due, unless another process does.
func (s *Service) take(ctx context.Context, due StoredReport, until time.Time) error {
	taken, now := false, s.o.Now().UTC()
	err := s.o.Store.Write(ctx, func(tx Tx) (err error) {
		taken, err = tx.TakeReport(ctx, due, now.Add(-takenFor), now)
		return err
	})
	if err != nil || !taken {
		return err
	}
	if err := s.watch(ctx, due, until, now); err != nil {
		return fmt.Errorf("look for departures from the usual: %w", err)
	}
	return nil
}

// watch updates the report of a series to until, or continues it. taken is when the series was
// taken.
func (s *Service) watch(ctx context.Context, due StoredReport, until, taken time.Time) error {
	began := s.o.Now()
	var l look
	var before found
	var settled time.Time
	err := s.o.Store.Read(ctx, func(tx Tx) (err error) {
		if before, settled, err = foundBefore(ctx, tx, &due); err != nil {
			return err
		}
		if due.Until.After(until) { // by a clock that was set back since
			before, settled = before.upTo(until), sooner(settled, until)
		}
		l = nextLook(due, &before, until)
		return l.read(ctx, tx, due)
	})
	if err != nil {
		return err
	}
	reports, bands := l.reports()
	now := l.find(reports, before, settled)
	err = s.o.Store.Read(ctx, func(tx Tx) error { return nameOneCaller(ctx, tx, due, now.Incidents, before.Incidents, l.from) })
	if err != nil {
		return err
	}
	text, err := json.Marshal(now)
	if err != nil {
		return err
	}
	done, ended := due, s.o.Now()
	done.Until, done.Redo, done.Found, done.Bands = l.at, l.rest, text, packBand(bands)
	done.TakenAt = ended.UTC().Add(pauseAfter(ended.Sub(began), l.all) - takenFor)
	return s.o.Store.Write(ctx, func(tx Tx) error {
		if err := tx.PutReport(ctx, done, taken); err != nil || len(l.history) > 0 {
			return err
		}
		// Its last call may have been forgotten before the series was taken.
		return forgetValues(ctx, tx, due.WorkspaceID, []bucket.Series{due.Series})
	})
}

// find combines the new reports with what was found before. Before settled, nothing new is
// reported.
func (l *look) find(reports []departure.Report, before found, settled time.Time) found {
	for i := range reports {
		reports[i].Incidents = notInHindsight(reports[i].Incidents, before.Incidents, settled)
	}
	health := departure.Judge(reports, l.at)
	now := found{Incidents: joinIncidents(before.Incidents, reports, l.from, l.at), Verdict: health.Verdict, Reason: health.Reason}
	if n := len(l.history); n > 0 {
		now.Last = l.history[n-1].at
	}
	if l.ofToday() {
		now.Now, now.Present = metricsNow(l.history, reports, l.hour), l.at
	} else {
		now.stay(before)
	}
	return now
}

// stay keeps what was known about the present: an old part of the history says nothing about it,
// not even that all is well.
func (f *found) stay(before found) {
	f.Last, f.Present = later(f.Last, before.Last), before.Present
	f.Verdict, f.Reason = departure.Unknown, "the history that came is still being looked through"
	if before.known() {
		f.Verdict, f.Reason = before.Verdict, before.Reason
	}
}

// pauseAfter returns how long to pause after a look that took this long, among this many series.
func pauseAfter(took time.Duration, series int) time.Duration {
	if took < 0 { // the clock was set back
		return lookPause
	}
	return max(time.Second, min(lookPause, took*time.Duration(lookShare*max(1, series))))
}

// sooner returns the earlier of two times, and later the later one.
func sooner(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

// firstOf returns the earlier of two times, ignoring zero times.
func firstOf(a, b time.Time) time.Time {
	if a.IsZero() || b.IsZero() {
		return later(a, b)
	}
	return sooner(a, b)
}

func later(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}
