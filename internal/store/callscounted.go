package store

import (
	"context"
	"time"

	"github.com/ringtrue/ringtrue/internal/archive"
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/monitor"
)

// countedAtOnce is how many calls are looked at in one query.
const countedAtOnce = 2000

// candidate is a call with what monitoring counts of it, which is nothing before its review.
type candidate struct {
	id    string
	begun time.Time
	act   string
	figures
}

// Scan implements sql.Scanner for the figures of a call that may have none.
func (c *candidate) Scan(src any) error {
	if src == nil {
		return nil
	}
	return c.figures.Scan(src)
}

// counted are the ids of the calls that have the place and the dimension's value the filter asks
// for, as monitoring counts them. What is counted of a call is packed, so every call that meets the
// rest of the filter is unpacked and checked. Calls that are not counted yet are passed over one by
// one, however many there are, since a counted one may follow.
func (tx *Tx) counted(ctx context.Context, workspaceID string, f archive.Filter, limit int, after archive.Place) ([]any, error) {
	told, err := tx.toldApart(ctx, workspaceID, f)
	if err != nil {
		return nil, err
	}
	times, err := tx.stretches(ctx, workspaceID, &f)
	if err != nil {
		return nil, err
	}
	f.From, f.Until = time.Time{}, time.Time{}
	rest, err := tx.narrowedBehind(ctx, workspaceID, f, archive.Place{})
	if err != nil {
		return nil, err
	}
	if f.Left != nil {
		rest.add("end_code = ?", string(call.EndCallerHungUp))
		rest.add("status = ?", string(call.Ended))
	}
	var ids []any
	for i := 0; i < len(times) && len(ids) < limit; {
		where := rest.copy()
		if !where.within(times[i], after) {
			i++
			continue
		}
		found, err := tx.candidates(ctx, where)
		if err != nil {
			return nil, err
		}
		for _, c := range found {
			if len(ids) < limit && c.fits(&f, &told) {
				ids = append(ids, c.id)
			}
		}
		if len(found) < countedAtOnce {
			i++
			continue
		}
		last := found[len(found)-1]
		after = archive.Place{Begun: last.begun, ID: last.id}
	}
	return ids, nil
}

// candidates are the first calls that meet the conditions, the latest first.
func (tx *Tx) candidates(ctx context.Context, where *conditions) ([]candidate, error) {
	const order = " ORDER BY begun_at DESC, id DESC"
	return all(ctx, tx, func(c *candidate) []any {
		c.f = new(monitor.Figures)
		return []any{&c.id, micros{&c.begun}, &c.act, c}
	}, `SELECT c.id, c.begun_at, COALESCE(f.act, ''), f.figures FROM (SELECT id, begun_at FROM calls`+where.text()+order+where.limit(countedAtOnce)+`) c
			LEFT JOIN monitor_facts f ON f.call_id = c.id`+order, where.args...)
}

// within narrows to a stretch behind a place in the list; it returns false when nothing of the
// stretch lies there.
func (c *conditions) within(s stretch, after archive.Place) bool {
	if after.ID != "" {
		if after.Begun.Before(s.from) {
			return false
		}
		if s.until.IsZero() || after.Begun.Before(s.until) { // of two bounds a database may take the worse
			c.add("(begun_at, id) < (?, ?)", toMicros(after.Begun), after.ID)
			s.until = time.Time{}
		}
	}
	if !s.from.IsZero() {
		c.add("begun_at >= ?", toMicros(s.from))
	}
	if !s.until.IsZero() {
		c.add("begun_at < ?", toMicros(s.until))
	}
	return true
}

// toldApart are the texts that a filter needs to find calls as they are counted.
type toldApart struct {
	// acts are the sentences that are asked for, nil when none are.
	acts map[string]bool
	// values and stages are those that have a name of their own, nil unless the others are
	// asked for, which are counted together.
	values, stages map[string]bool
}

func (tx *Tx) toldApart(ctx context.Context, workspaceID string, f archive.Filter) (out toldApart, err error) {
	if f.Value == monitor.Other {
		if out.values, err = tx.textsOf(ctx, workspaceID, monitor.KindDim+f.Dimension); err != nil {
			return out, err
		}
	}
	if f.Left == nil {
		return out, nil
	}
	if f.Left.Stage == monitor.Other {
		if out.stages, err = tx.textsOf(ctx, workspaceID, monitor.KindStage); err != nil {
			return out, err
		}
	}
	out.acts, err = tx.textsNumbered(ctx, workspaceID, monitor.KindAct, f.Left.Words)
	return out, err
}

// textsOf are all texts of a kind.
func (tx *Tx) textsOf(ctx context.Context, workspaceID, kind string) (map[string]bool, error) {
	texts, err := tx.Texts(ctx, workspaceID, kind)
	out := make(map[string]bool, len(texts))
	for _, v := range texts {
		out[v.Text] = true
	}
	return out, err
}

// countedAs is the name under which a text is counted, where known are those that have one of their own.
func countedAs(text string, known map[string]bool) string {
	if text == "" || known == nil || known[text] {
		return text
	}
	return monitor.Other
}

func (c *candidate) fits(f *archive.Filter, told *toldApart) bool {
	if f.Dimension != "" && countedAs(c.f.Dims[f.Dimension], told.values) != f.Value {
		return false
	}
	return f.Left == nil || f.Left.Fits(c.left(told), told.acts)
}

func (c *candidate) left(told *toldApart) archive.Leaving {
	out := archive.Leaving{Early: c.f.Dropped, Turns: c.f.Turns, After: c.f.Duration, Words: c.act}
	if n := len(c.f.Stages); n > 0 {
		out.Stage = countedAs(c.f.Stages[n-1], told.stages)
	}
	return out
}
