package store

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/ringtrue/ringtrue/internal/archive"
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/monitor"
)

// countedAtOnce is how many calls are looked at in one query.
const countedAtOnce = 2000

// candidate is a call with what monitoring counts of it.
type candidate struct {
	id    string
	begun time.Time
	act   string
	figures
}

// counted are the ids of the calls with the place and the value of a dimension
// that the filter asks for, as monitoring counts them: the numbers of a call are
// packed, so each that fits the rest of the filter is asked.
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
			return []any{&c.id, micros{&c.begun}, &c.act, c.figures}
		}, `SELECT c.id, c.begun_at, f.act, f.figures FROM (SELECT id, begun_at FROM calls`+where.text()+order+where.limit(countedAtOnce)+`) c
			JOIN monitor_facts f ON f.call_id = c.id`+order, where.args...)
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

// textsNumbered are the texts of a kind with these numbers, nil when none are asked for.
func (tx *Tx) textsNumbered(ctx context.Context, workspaceID, kind string, numbers []int) (map[string]bool, error) {
	if len(numbers) == 0 {
		return nil, nil
	}
	texts, err := tx.Texts(ctx, workspaceID, kind)
	out := map[string]bool{}
	for _, v := range texts {
		if slices.Contains(numbers, v.ID) {
			out[v.Text] = true
		}
	}
	return out, err
}

// withFailure narrows to failing calls, those of a group alone when it has
// numbers. Of few the calls are looked up, of many each call is asked, as with metadata.
func (tx *Tx) withFailure(ctx context.Context, where *conditions, workspaceID string, f archive.Filter) error {
	if !f.Failing && len(f.Alike) == 0 {
		return nil
	}
	keys, err := tx.textsNumbered(ctx, workspaceID, monitor.KindFailure, f.Alike)
	if err != nil {
		return err
	}
	// The condition that every failure fulfils is that of the index.
	of, args := " AND failure <> ''", []any{workspaceID}
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		args = append(args, key)
	}
	switch {
	case len(keys) > 0:
		of += " AND failure IN (?" + strings.Repeat(", ?", len(keys)-1) + ")"
	case len(f.Alike) > 0:
		of += " AND failure = ''" // no group has these numbers
	}
	few := &conditions{}
	few.add("workspace_id = ?"+of, args...)
	n, _, err := one(ctx, tx, scalar[int], `SELECT COUNT(*) FROM (SELECT 1 FROM monitor_facts`+few.text()+few.limit(rareValue+1)+`) few`, few.args...)
	if err != nil {
		return err
	}
	if n <= rareValue {
		where.add("id IN (SELECT call_id FROM monitor_facts WHERE workspace_id = ?"+of+")", args...)
		return nil
	}
	where.add("EXISTS (SELECT 1 FROM monitor_facts f WHERE f.call_id = calls.id AND f.workspace_id = ?"+of+")", args...)
	return nil
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
	if err := tx.withFailure(ctx, where, workspaceID, f); err != nil {
		return nil, err
	}
	if after.ID != "" {
		where.add("(begun_at, id) < (?, ?)", toMicros(after.Begun), after.ID)
	}
	return where, nil
}
