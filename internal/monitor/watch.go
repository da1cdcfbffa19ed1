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
	// watchWindow is how far back a report looks for departures anew, watchHistory
	// what it knows the usual from.
	watchWindow  = 14 * bucket.DayLength
	watchHistory = 56 * bucket.DayLength
	// watchRedo is how far back calls that come late, as those of a whole history that is
	// imported, have their hours looked at, watchAtOnce how much of that one look takes.
	watchRedo   = 731 * bucket.DayLength
	watchAtOnce = 91 * bucket.DayLength
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
	// dueAtOnce is how many series that are due are asked for at once, lookAtOnce after how
	// long no further one of them is looked at.
	dueAtOnce  = 32
	lookAtOnce = time.Second
)

// watchSome looks at the histories of some series that are due; more says that one was. Which are due
// is found out among all series, and so not for each of them anew.
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
		if d := s.o.Now().Sub(began); d > lookAtOnce || d < 0 { // calls that came meanwhile are to be counted
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

// watch makes the report of a series that was taken then as it stands at until, or goes on with it.
func (s *Service) watch(ctx context.Context, due StoredReport, until, taken time.Time) error {
	began := s.o.Now()
	var l look
	var before found
	var settled time.Time
	err := s.o.Store.Read(ctx, func(tx Tx) (err error) {
		if before, settled, err = foundBefore(ctx, tx, &due); err != nil {
			return err
		}
		if due.Until.After(until) { // by a clock that has been set back since
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
		// Its last call may have been forgotten before it was taken.
		return forgetValues(ctx, tx, due.WorkspaceID, []bucket.Series{due.Series})
	})
}

// find tells what the reports show beside what was found before; settled is until
// when that is not gone back on.
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

// stay leaves what is known of the present as it was: a part of the history that
// ended long ago tells nothing of it, not even that all is well.
func (f *found) stay(before found) {
	f.Last, f.Present = later(f.Last, before.Last), before.Present
	f.Verdict, f.Reason = departure.Unknown, "the history that came is still being looked through"
	if before.known() {
		f.Verdict, f.Reason = before.Verdict, before.Reason
	}
}

// pauseAfter is how long a series of so many is left alone after a look that took so long.
func pauseAfter(took time.Duration, series int) time.Duration {
	if took < 0 { // the clock has been set back
		return lookPause
	}
	return max(time.Second, min(lookPause, took*time.Duration(lookShare*max(1, series))))
}

// sooner and later are the one of two times that comes first, and last.
func sooner(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

// firstOf is the sooner of two times, either of which may be none.
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
