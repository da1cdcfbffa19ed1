package store

import (
	"context"

	"github.com/ringtrue/ringtrue/internal/review"
)

const fetchColumns = "call_id, source, state, tries, first_at, reason"

func fetchFields(f *review.Fetch) []any {
	return []any{&f.CallID, &f.Source, &f.State, &f.Tries, micros{&f.FirstAt}, &f.Reason}
}

// FetchOf implements review.FetchRows.
func (tx *Tx) FetchOf(ctx context.Context, callID string) (review.Fetch, bool, error) {
	return one(ctx, tx, fetchFields, `SELECT `+fetchColumns+` FROM fetches WHERE call_id = $1`, callID)
}

// SaveFetch implements review.FetchRows.
func (tx *Tx) SaveFetch(ctx context.Context, f review.Fetch) error {
	_, err := tx.exec(ctx, `INSERT INTO fetches (`+fetchColumns+`) VALUES ($1, $2, $3, $4, $5, $6)
		ON CONFLICT (call_id) DO UPDATE SET source = excluded.source, state = excluded.state, tries = excluded.tries,
		first_at = excluded.first_at, reason = excluded.reason`, fetchFields(&f)...)
	return err
}
