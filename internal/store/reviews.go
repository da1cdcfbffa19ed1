package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/experiment"
	"github.com/ringtrue/ringtrue/internal/score"
)

// PlanOf implements review.Rows. A production call has neither item nor scorers.
func (tx *Tx) PlanOf(ctx context.Context, callID string) (score.Plan, error) {
	var plan score.Plan
	if _, err := tx.payload(ctx, callID, payloadItem, &plan.Item); err != nil {
		return plan, err
	}
	whole, _, err := one(ctx, tx, func(p *experiment.Plan) []any { return []any{doc{p}} },
		`SELECT e.plan FROM experiments e JOIN calls c ON c.experiment_id = e.id WHERE c.id = $1`, callID)
	plan.Scorers = whole.Scorers
	return plan, err
}

// SaveReview implements review.Rows; the call's earlier review goes.
func (tx *Tx) SaveReview(ctx context.Context, r call.Review) error {
	return tx.savePayload(ctx, r.CallID, payloadReview, r)
}

// ReviewOf implements archive.Tx.
func (tx *Tx) ReviewOf(ctx context.Context, callID string) (r call.Review, ok bool, err error) {
	ok, err = tx.payload(ctx, callID, payloadReview, &r)
	return r, ok, err
}

// ReviewsOf implements experiment.CallRows and archive.Tx.
func (tx *Tx) ReviewsOf(ctx context.Context, experimentID string) (map[string]call.Review, error) {
	reviews, err := all(ctx, tx, func(r *call.Review) []any { return []any{tx.packed(r)} },
		`SELECT p.body FROM calls c JOIN payloads p ON p.owner = c.id AND p.kind = '`+payloadReview+`'
		WHERE c.experiment_id = $1 AND c.experiment_id <> ''`, experimentID)
	out := make(map[string]call.Review, len(reviews))
	for _, r := range reviews {
		out[r.CallID] = r
	}
	return out, err
}

// BeatReview implements review.Rows.
func (tx *Tx) BeatReview(ctx context.Context, callID string, now time.Time) error {
	return tx.mustChange(ctx, "call", callID, `UPDATE calls SET review_beat_at = $2 WHERE id = $1`, callID, toMicros(now))
}

// StalledReviews implements review.HeardRows. A call in SCORING that never
// beat counts as stalled, so the first beat belongs into the transaction that
// sets SCORING. So does one whose beat lies far ahead: the clock has been set back.
func (tx *Tx) StalledReviews(ctx context.Context, before time.Time, limit int) ([]string, error) {
	return all(ctx, tx, scalar[string], `SELECT id FROM calls
		WHERE scoring_status = 'SCORING' AND (review_beat_at < $1 OR review_beat_at > $2) ORDER BY review_beat_at, id LIMIT $3`,
		toMicros(before), toMicros(before.Add(farAhead)), limit)
}

// farAhead is how far clocks of living processes never differ.
const farAhead = time.Hour

// heardOwner names what was heard; engines may be long, so its digest stands for it.
func heardOwner(recordingSHA256, engines string) string {
	sum := sha256.Sum256([]byte(engines))
	return recordingSHA256 + "/" + hex.EncodeToString(sum[:16])
}

// HeardOf implements review.HeardRows.
func (tx *Tx) HeardOf(ctx context.Context, recordingSHA256, engines string) (h call.Heard, ok bool, err error) {
	ok, err = tx.payload(ctx, heardOwner(recordingSHA256, engines), payloadHeard, &h)
	return h, ok, err
}

// KeepHeard implements review.HeardRows.
func (tx *Tx) KeepHeard(ctx context.Context, recordingSHA256, engines string, h call.Heard) error {
	return tx.savePayload(ctx, heardOwner(recordingSHA256, engines), payloadHeard, h)
}
