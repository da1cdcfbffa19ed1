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

// candidate is a call with what monitoring counts of it, which is nothing as long as it is not reviewed.
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

// counted are the ids of the calls with the place and the value of a dimension
// that the filter asks for, as monitoring counts them: the numbers of a call are
// packed, so each that fits the rest of the filter is asked. Those that nothing is counted of
// yet are gone over as well: behind however many of them there may be one that is.
func (tx *Tx) counted(ctx context.Context, workspaceID string, f archive.Filter, limit int, after archive.Place) ([]any, error) {
	var acts map[string]bool
	if f.Left != nil {
		var err error
		if acts, err = tx.textsNumbered(ctx, workspaceID, monitor.KindAct, f.Left.Words); err != nil {
			return nil, err
		}
	}
	var ids []any
	for len(ids) < limit {
		where, err := tx.narrowedBehind(ctx, workspaceID, f, after)
		if err != nil {
			return nil, err
		}
		if f.Left != nil {
			where.add("end_code = ?", string(call.EndCallerHungUp))
			where.add("status = ?", string(call.Ended))
		}
		const order = " ORDER BY begun_at DESC, id DESC"
		found, err := all(ctx, tx, func(c *candidate) []any {
			c.f = new(monitor.Figures)
			return []any{&c.id, micros{&c.begun}, &c.act, c}
		}, `SELECT c.id, c.begun_at, COALESCE(f.act, ''), f.figures FROM (SELECT id, begun_at FROM calls`+where.text()+order+where.limit(countedAtOnce)+`) c
			LEFT JOIN monitor_facts f ON f.call_id = c.id`+order, where.args...)
		if err != nil {
			return nil, err
		}
		for _, c := range found {
			if len(ids) < limit && c.fits(&f, acts) {
				ids = append(ids, c.id)
			}
		}
		if len(found) == 0 {
			break
		}
		last := found[len(found)-1]
		after = archive.Place{Begun: last.begun, ID: last.id}
	}
	return ids, nil
}

func (c *candidate) fits(f *archive.Filter, acts map[string]bool) bool {
	if f.Dimension != "" && c.f.Dims[f.Dimension] != f.Value {
		return false
	}
	return f.Left == nil || f.Left.Fits(c.left(), acts)
}

func (c *candidate) left() archive.Leaving {
	out := archive.Leaving{Early: c.f.Dropped, Turns: c.f.Turns, After: c.f.Duration, Words: c.act}
	if n := len(c.f.Stages); n > 0 {
		out.Stage = c.f.Stages[n-1]
	}
	return out
}
