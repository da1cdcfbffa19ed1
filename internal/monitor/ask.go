package monitor

import (
	"context"
	"time"
)

// ask answers a question from one consistent state of the store: answer is given
// the checked query; most is the longest window that the question allows.
func ask[A any](ctx context.Context, s *Service, workspaceID string, q Query, most time.Duration, answer func(Tx, span) (A, error)) (A, error) {
	var out A
	err := s.o.Store.Read(ctx, func(tx Tx) error {
		p, err := s.check(ctx, tx, workspaceID, q, most)
		if err != nil {
			return err
		}
		if p.waiting, err = pending(ctx, tx, workspaceID); err != nil {
			return err
		}
		out, err = answer(tx, p)
		return err
	})
	return out, err
}

// pending is how many hours of the workspace wait to be counted anew, up to a bound.
func pending(ctx context.Context, tx Tx, workspaceID string) (int, error) {
	const most = 100
	marks, err := tx.Marks(ctx, workspaceID, most)
	if err != nil {
		return 0, err
	}
	seen := map[Mark]bool{}
	for _, m := range marks {
		m.ID = ""
		seen[m] = true
	}
	return len(seen), nil
}
