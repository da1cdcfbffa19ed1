package monitor

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ringtrue/ringtrue/internal/bucket"
	"github.com/ringtrue/ringtrue/internal/call"
)

const (
	// marksAtOnce limits the marks that one transaction handles.
	marksAtOnce = 2000
	// factsAtOnce is the number of facts after which a transaction starts no further day.
	factsAtOnce = 20_000
	// workAtOnce is how long Refresh works before it lets others write.
	workAtOnce = 3 * time.Second
)

// Refresh recomputes the buckets of all marked hours, updates facts to newly declared
// dimensions, and looks for departures from the usual, a few seconds' work at a time; more
// says that work is left. Concurrent processes take turns.
func (s *Service) Refresh(ctx context.Context) (more bool, err error) {
	began := s.o.Now()
	for {
		more, err := s.refreshSome(ctx)
		if err != nil || !more {
			return false, err
		}
		if d := s.o.Now().Sub(began); d > workAtOnce || d < 0 {
			return true, nil
		}
	}
}

// Rebuild recomputes the buckets of all marked hours, however long that takes, and leaves the
// rest to Refresh.
func (s *Service) Rebuild(ctx context.Context) error {
	for {
		pending, err := s.anything(ctx)
		if err != nil || !pending {
			return err
		}
		if _, err := s.refreshSome(ctx); err != nil {
			return err
		}
	}
}

// refreshSome does the work of one transaction.
func (s *Service) refreshSome(ctx context.Context) (more bool, err error) {
	pending, err := s.anything(ctx)
	if err != nil {
		return false, err
	}
	if !pending {
		return s.watchSome(ctx)
	}
	err = s.o.Store.Write(ctx, func(tx Tx) error {
		if err := tx.HoldMonitor(ctx); err != nil {
			return err
		}
		marks, err := tx.Marks(ctx, "", marksAtOnce)
		if err != nil {
			return err
		}
		if len(marks) == 0 {
			more, err = s.adoptKeys(ctx, tx)
			return err
		}
		more = true
		return s.rework(ctx, tx, marks)
	})
	if err != nil {
		return false, fmt.Errorf("make monitoring buckets anew: %w", err)
	}
	return more, nil
}

// anything reports whether there is work, without blocking anybody.
func (s *Service) anything(ctx context.Context) (pending bool, err error) {
	err = s.o.Store.Read(ctx, func(tx Tx) error {
		marks, err := tx.Marks(ctx, "", 1)
		if err != nil || len(marks) > 0 {
			pending = true
			return err
		}
		old, err := tx.OldDimensions(ctx, 1)
		pending = len(old) > 0
		return err
	})
	return pending, err
}

// batch are the marked hours of one day.
type batch struct {
	workspaceID, origin string
	day                 int
	hours               []int
	marks               []string
}

// rework recomputes marked hours, day by day, until it has read enough facts.
func (s *Service) rework(ctx context.Context, tx Tx, marks []Mark) error {
	read := 0
	for _, b := range batches(marks) {
		n, err := s.reworkDay(ctx, tx, b)
		if err != nil {
			return err
		}
		if err := tx.DeleteMarks(ctx, b.marks); err != nil {
			return err
		}
		if read += n; read > factsAtOnce {
			return nil
		}
	}
	return nil
}

func batches(marks []Mark) []batch {
	var out []batch
	for _, m := range marks {
		day, hour := bucket.DayOf(m.Hour), bucket.HourOf(m.Hour)
		at := slices.IndexFunc(out, func(b batch) bool {
			return b.workspaceID == m.WorkspaceID && b.origin == m.Origin && b.day == day
		})
		if at < 0 {
			at, out = len(out), append(out, batch{workspaceID: m.WorkspaceID, origin: m.Origin, day: day})
		}
		if b := &out[at]; true {
			b.marks = append(b.marks, m.ID)
			if !slices.Contains(b.hours, hour) {
				b.hours = append(b.hours, hour)
			}
		}
	}
	return out
}

// reworkDay reads the facts of the day's marked hours and writes the rows that have changed;
// it returns the number of facts.
func (s *Service) reworkDay(ctx context.Context, tx Tx, b batch) (read int, err error) {
	texts, err := tx.Texts(ctx, b.workspaceID)
	if err != nil {
		return 0, err
	}
	ids := newNumbers(texts)
	fresh := map[bucket.Series]map[int]*bucket.Bucket{}
	slices.Sort(b.hours)
	for _, hour := range b.hours {
		from := bucket.DayStart(b.day).Add(time.Duration(hour) * time.Hour)
		facts, err := tx.FactsBetween(ctx, b.workspaceID, b.origin, from, from.Add(time.Hour))
		if err != nil {
			return 0, err
		}
		read += len(facts)
		for i := range facts {
			sum(fresh, hour, &facts[i], ids)
		}
	}
	if err := tx.PutTexts(ctx, b.workspaceID, ids.fresh); err != nil {
		return 0, err
	}
	return read, s.writeDay(ctx, tx, b, fresh)
}

// sum adds a call to all its series.
func sum(fresh map[bucket.Series]map[int]*bucket.Bucket, hour int, f *Fact, ids *numbers) {
	for _, key := range seriesOf(f, ids.admit) {
		hours := fresh[key]
		if hours == nil {
			hours = map[int]*bucket.Bucket{}
			fresh[key] = hours
		}
		if hours[hour] == nil {
			hours[hour] = &bucket.Bucket{}
		}
		addCall(hours[hour], f, ids)
	}
}

// writeDay stores the results, and empties the hours of series that have no calls any more.
func (s *Service) writeDay(ctx context.Context, tx Tx, b batch, fresh map[bucket.Series]map[int]*bucket.Bucket) error {
	stored, err := tx.RollsOfDay(ctx, b.workspaceID, b.origin, b.day)
	if err != nil {
		return err
	}
	rows := make(map[bucket.Series]bucket.Roll, len(stored))
	for _, r := range stored {
		rows[r.Series] = r
		if fresh[r.Series] == nil {
			fresh[r.Series] = map[int]*bucket.Bucket{}
		}
	}
	keys := make([]bucket.Series, 0, len(fresh))
	for key := range fresh {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, compareSeries)
	var watched, gone []bucket.Series
	for _, key := range keys {
		row, had := rows[key]
		if !had {
			row = bucket.Roll{WorkspaceID: b.workspaceID, Origin: b.origin, Series: key, Day: b.day}
		}
		changed, empty, err := writeRow(ctx, tx, row, had, b.hours, fresh[key])
		if err != nil {
			return err
		}
		if changed && key.Agent == "" {
			watched = append(watched, key)
		}
		if empty {
			gone = append(gone, key)
		}
	}
	first := bucket.DayStart(b.day).Add(time.Duration(b.hours[0]) * time.Hour)
	// The current hour is looked at again anyway, and simulated calls have no baseline.
	if over := !first.Add(time.Hour).After(s.o.Now()); over && b.origin == string(call.Production) && len(watched) > 0 {
		if err := tx.RedoReports(ctx, b.workspaceID, b.origin, first, watched); err != nil {
			return err
		}
	}
	// Last, so that no report is left with a value that nothing else has.
	return forgetValues(ctx, tx, b.workspaceID, gone)
}

// forgetValues erases values from clients' metadata, which may be about people, once the last
// call with them is gone.
func forgetValues(ctx context.Context, tx Tx, workspaceID string, gone []bucket.Series) error {
	for _, key := range gone {
		if key.Agent != "" || !strings.HasPrefix(key.Dim, DimKey) {
			continue
		}
		if err := tx.ForgetValue(ctx, workspaceID, key.Dim, key.Value); err != nil {
			return err
		}
	}
	return nil
}

// writeRow stores a row if its hours have changed; empty says that it was deleted.
func writeRow(ctx context.Context, tx Tx, row bucket.Roll, had bool, hours []int, fresh map[int]*bucket.Bucket) (changed, empty bool, err error) {
	for _, hour := range hours {
		if fresh[hour] == nil {
			fresh[hour] = nil // to be emptied
		}
	}
	changed, err = row.Replace(fresh)
	if err != nil || !changed {
		return false, false, err
	}
	if err := writeWeek(ctx, tx, &row); err != nil {
		return false, false, err
	}
	if row.Empty() && had {
		return true, true, tx.DeleteRoll(ctx, row)
	}
	return true, false, tx.PutRoll(ctx, row)
}

// writeWeek updates the week of a row.
func writeWeek(ctx context.Context, tx Tx, row *bucket.Roll) error {
	week, had, err := tx.WeekOf(ctx, row.WorkspaceID, row.Origin, row.Series, bucket.WeekOf(row.Day))
	if err != nil {
		return err
	}
	if !had {
		week = bucket.Week{WorkspaceID: row.WorkspaceID, Origin: row.Origin, Series: row.Series, Week: bucket.WeekOf(row.Day)}
	}
	changed, err := week.Replace(row)
	if err != nil || !changed {
		return err
	}
	if week.Empty() && had {
		return tx.DeleteWeek(ctx, week)
	}
	return tx.PutWeek(ctx, week)
}

func compareSeries(a, b bucket.Series) int {
	for _, c := range []int{strings.Compare(a.Agent, b.Agent), strings.Compare(a.Dim, b.Dim), strings.Compare(a.Value, b.Value)} {
		if c != 0 {
			return c
		}
	}
	return 0
}
