package monitor

import (
	"context"
	"slices"
	"time"
)

// ask answers a query from one consistent state of the store. answer gets the checked query;
// most is the longest window allowed.
func ask[A any](ctx context.Context, s *Service, workspaceID string, q Query, most time.Duration, answer func(Tx, span) (A, error)) (A, error) {
	var out A
	err := s.o.Store.Read(ctx, func(tx Tx) error {
		p, err := s.check(ctx, tx, workspaceID, q, most)
		if err != nil {
			return err
		}
		if err = p.wait(ctx, tx); err != nil {
			return err
		}
		if p.inOther, err = p.beyond(ctx, tx); err != nil {
			return err
		}
		out, err = answer(tx, p)
		return err
	})
	return out, err
}

const (
	// mostPending limits the count of hours that are not up to date.
	mostPending = 100
	// mostUnreviewed limits the count of calls that wait for their review.
	mostUnreviewed = 1000
)

// beyond reports whether the calls with the value asked for are counted with those of others:
// the dimension has as many values as are counted, and this is none of them.
func (p *span) beyond(ctx context.Context, tx Tx) (bool, error) {
	if p.Dim == "" || p.Dim == DimAgent || p.Value == Other {
		return false, nil
	}
	values, err := tx.Texts(ctx, p.workspaceID, KindDim+p.Dim)
	return full(values) && !slices.ContainsFunc(values, func(v Value) bool { return v.Text == p.Value }), err
}

// full reports whether a dimension has as many values as are counted.
func full(values []Value) bool {
	return slices.ContainsFunc(values, func(v Value) bool { return v.ID == maxDimValues })
}

// wait counts what the figures lack: calls that are still to be reviewed, and hours with such
// calls or with marks, each up to a limit.
func (p *span) wait(ctx context.Context, tx Tx) error {
	marks, err := tx.Marks(ctx, p.workspaceID, mostPending)
	if err != nil {
		return err
	}
	calls, err := tx.Waiting(ctx, p.workspaceID, p.origin, p.agent, mostUnreviewed)
	if err != nil {
		return err
	}
	type hour struct {
		origin string
		at     int64
	}
	seen := make(map[hour]bool, len(marks))
	for _, m := range marks {
		seen[hour{m.Origin, m.Hour.Unix()}] = true
	}
	for _, begun := range calls {
		seen[hour{p.origin, begun.Truncate(time.Hour).Unix()}] = true
	}
	p.pending, p.unreviewed = min(len(seen), mostPending), len(calls)
	return nil
}
