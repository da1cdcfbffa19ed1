package store

import (
	"context"
	"slices"
	"time"

	"github.com/ringtrue/ringtrue/internal/archive"
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/monitor"
)

// leftAtOnce is how many calls that a caller ended are looked at in one query.
const leftAtOnce = 2000

// candidate is a call whose caller hung up, with what monitoring counts of it.
type candidate struct {
	id    string
	begun time.Time
	act   string
	figures
}

// leftEarly are the ids of the calls that f.Left asks for, as monitoring counts
// them: the numbers of a call are packed, so each that its caller ended is asked.
func (tx *Tx) leftEarly(ctx context.Context, workspaceID string, f archive.Filter, limit int, after archive.Place) ([]any, error) {
	acts, err := tx.actsOf(ctx, workspaceID, f.Left.Words)
	if err != nil {
		return nil, err
	}
	var ids []any
	for len(ids) < limit {
		where, err := tx.narrowedBehind(ctx, workspaceID, f, after)
		if err != nil {
			return nil, err
		}
		where.add("end_code = ?", string(call.EndCallerHungUp))
		where.add("status = ?", string(call.Ended))
		const order = " ORDER BY begun_at DESC, id DESC"
		found, err := all(ctx, tx, func(c *candidate) []any {
			c.f = new(monitor.Figures)
			return []any{&c.id, micros{&c.begun}, &c.act, c.figures}
		}, `SELECT c.id, c.begun_at, f.act, f.figures FROM (SELECT id, begun_at FROM calls`+where.text()+order+where.limit(leftAtOnce)+`) c
			JOIN monitor_facts f ON f.call_id = c.id`+order, where.args...)
		if err != nil {
			return nil, err
		}
		for _, c := range found {
			if len(ids) < limit && f.Left.Fits(c.left(), acts) {
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

func (c *candidate) left() archive.Leaving {
	out := archive.Leaving{Early: c.f.Dropped, Turns: c.f.Turns, After: c.f.Duration, Words: c.act, Dims: c.f.Dims}
	if n := len(c.f.Stages); n > 0 {
		out.Stage = c.f.Stages[n-1]
	}
	return out
}

// actsOf are the last sentences with these numbers, nil when none are asked for.
func (tx *Tx) actsOf(ctx context.Context, workspaceID string, numbers []int) (map[string]bool, error) {
	if len(numbers) == 0 {
		return nil, nil
	}
	texts, err := tx.Texts(ctx, workspaceID, monitor.KindAct)
	out := map[string]bool{}
	for _, v := range texts {
		if slices.Contains(numbers, v.ID) {
			out[v.Text] = true
		}
	}
	return out, err
}

// narrowedBehind are the conditions of a filter, behind a place in the list.
func (tx *Tx) narrowedBehind(ctx context.Context, workspaceID string, f archive.Filter, after archive.Place) (*conditions, error) {
	if after.ID != "" && after.Begun.Before(f.Until) {
		f.Until = time.Time{} // the place is the nearer bound, and of two a database may take the worse
	}
	where := narrow(workspaceID, f)
	if err := tx.withMetadata(ctx, where, f.Metadata); err != nil {
		return nil, err
	}
	if after.ID != "" {
		where.add("(begun_at, id) < (?, ?)", toMicros(after.Begun), after.ID)
	}
	return where, nil
}
