package store

import (
	"context"
	"fmt"
	"time"

	"github.com/ringtrue/ringtrue/internal/archive"
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/experiment"
)

const attemptColumns = "id, call_id, number, process, started_at, ringing_at, answered_at, ended_at, " +
	"end_code, end_blame, end_detail, rate, codec, line_ref, stats"

func attemptFields(a *call.Attempt) []any {
	return []any{
		&a.ID, &a.CallID, &a.Number, &a.Process,
		micros{&a.StartedAt}, micros{&a.RingingAt}, micros{&a.AnsweredAt}, micros{&a.EndedAt},
		&a.EndReason.Code, &a.EndReason.Blame, &a.EndReason.Detail, &a.Rate, &a.Codec, &a.LineRef, doc{&a.Stats},
	}
}

// BeatAttempt implements experiment.AttemptRows.
func (tx *Tx) BeatAttempt(ctx context.Context, attemptID string, now time.Time) (bool, error) {
	// It has to change even when the clock stands still or has been set back.
	n, err := tx.exec(ctx, `UPDATE attempts SET beat_at = CASE WHEN $2 > beat_at THEN $2 ELSE beat_at + 1 END
		WHERE id = $1 AND ended_at = 0`, attemptID, toMicros(now))
	return n > 0, err
}

// EndAttempt implements experiment.AttemptRows. a.EndedAt must be set; the
// call, the number and the process stay as they were claimed.
func (tx *Tx) EndAttempt(ctx context.Context, a call.Attempt) (bool, error) {
	if a.EndedAt.IsZero() {
		return false, fmt.Errorf("attempt %s: no time of its end", a.ID)
	}
	n, err := tx.exec(ctx, `UPDATE attempts SET started_at = $2, ringing_at = $3, answered_at = $4, ended_at = $5,
		end_code = $6, end_blame = $7, end_detail = $8, rate = $9, codec = $10, line_ref = $11, stats = $12
		WHERE id = $1 AND ended_at = 0`,
		a.ID, micros{&a.StartedAt}, micros{&a.RingingAt}, micros{&a.AnsweredAt}, micros{&a.EndedAt},
		a.EndReason.Code, a.EndReason.Blame, a.EndReason.Detail, a.Rate, a.Codec, a.LineRef, doc{&a.Stats})
	if err != nil || n == 0 {
		return false, err
	}
	if _, err := tx.exec(ctx, `DELETE FROM payloads WHERE owner = $1 AND kind = '`+payloadReference+`'`, a.ID); err != nil {
		return false, err
	}
	return true, tx.savePayload(ctx, a.ID, payloadTimeline, a.Timeline)
}

// SaveReference implements experiment.LineRows. An attempt that has ended needs none.
func (tx *Tx) SaveReference(ctx context.Context, attemptID, reference string) error {
	_, open, err := one(ctx, tx, scalar[string], `SELECT id FROM attempts WHERE id = $1 AND ended_at = 0`+tx.store.engine.LockClause(), attemptID)
	if err != nil || !open {
		return err
	}
	return tx.savePayload(ctx, attemptID, payloadReference, reference)
}

// ReferenceOf implements experiment.LineRows.
func (tx *Tx) ReferenceOf(ctx context.Context, attemptID string) (reference string, err error) {
	_, err = tx.payload(ctx, attemptID, payloadReference, &reference)
	return reference, err
}

// OpenAttempts implements experiment.AttemptRows.
func (tx *Tx) OpenAttempts(ctx context.Context) ([]experiment.Pulse, error) {
	return all(ctx, tx, func(p *experiment.Pulse) []any { return append(attemptFields(&p.Attempt), &p.Beat, micros{&p.At}) },
		`SELECT `+attemptColumns+`, beat_at, beat_at FROM attempts WHERE ended_at = 0 ORDER BY id`)
}

// Discarded implements archive.Tx. The key of a recording ends with the attempt's id.
func (tx *Tx) Discarded(ctx context.Context, since time.Time, after string, limit int) ([]archive.Discarded, error) {
	return all(ctx, tx, func(d *archive.Discarded) []any { return []any{&d.WorkspaceID, &d.CallID, &d.AttemptID} },
		`SELECT c.workspace_id, c.id, a.id FROM attempts a JOIN calls c ON c.id = a.call_id
		WHERE a.end_code = 'interrupted' AND a.ended_at >= $1 AND a.id > $2 AND c.recording NOT LIKE '%/' || a.id || '.wav"%'
		ORDER BY a.id LIMIT $3`, toMicros(since), after, limit)
}

// OldestBeat implements archive.Tx.
func (tx *Tx) OldestBeat(ctx context.Context) (time.Time, bool, error) {
	return one(ctx, tx, func(t *time.Time) []any { return []any{micros{t}} }, `SELECT beat_at FROM attempts WHERE ended_at = 0 ORDER BY beat_at LIMIT 1`)
}

// AttemptsOf implements experiment.AttemptRows.
func (tx *Tx) AttemptsOf(ctx context.Context, callID string) ([]call.Attempt, error) {
	return all(ctx, tx, attemptFields, `SELECT `+attemptColumns+` FROM attempts WHERE call_id = $1 ORDER BY number`, callID)
}

// LastAttempt implements review.Rows and archive.Tx: the last one, with its
// timeline once it has ended.
func (tx *Tx) LastAttempt(ctx context.Context, callID string) (call.Attempt, bool, error) {
	a, ok, err := one(ctx, tx, attemptFields, `SELECT `+attemptColumns+` FROM attempts
		WHERE call_id = $1 ORDER BY number DESC LIMIT 1`, callID)
	if err != nil || !ok {
		return a, false, err
	}
	_, err = tx.payload(ctx, a.ID, payloadTimeline, &a.Timeline)
	return a, true, err
}
