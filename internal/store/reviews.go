package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/experiment"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/scenario"
	"github.com/ringtrue/ringtrue/internal/score"
)

// PlanOf implements review.Rows. A production call has no item; its scorers are
// the defaults of its agent, in the versions that they have now.
func (tx *Tx) PlanOf(ctx context.Context, callID string) (score.Plan, error) {
	var plan score.Plan
	agent, production, err := one(ctx, tx, func(a *scenario.Agent) []any { return []any{&a.WorkspaceID, &a.ID} },
		`SELECT workspace_id, agent_id FROM calls WHERE id = $1 AND origin = 'production'`, callID)
	if err != nil {
		return plan, err
	}
	if production {
		plan.Scorers, err = tx.defaultScorers(ctx, agent.WorkspaceID, agent.ID)
		return plan, err
	}
	if _, err := tx.payload(ctx, callID, payloadItem, &plan.Item); err != nil {
		return plan, err
	}
	whole, _, err := one(ctx, tx, func(p *experiment.Plan) []any { return []any{doc{p}} },
		`SELECT e.plan FROM experiments e JOIN calls c ON c.experiment_id = e.id WHERE c.id = $1`, callID)
	plan.Scorers = whole.Scorers
	return plan, err
}

// defaultScorers are those of an agent. One that is no longer there is left out.
func (tx *Tx) defaultScorers(ctx context.Context, workspaceID, agentID string) (list []score.Config, err error) {
	if agentID == "" {
		return nil, nil
	}
	agent, err := tx.AgentByID(ctx, workspaceID, agentID)
	if problem.Is(err, problem.NotFound) {
		return nil, nil
	}
	for _, ref := range agent.Defaults.Scorers {
		c, err := tx.ScorerByRef(ctx, workspaceID, ref)
		switch {
		case err == nil:
			list = append(list, c)
		case !problem.Is(err, problem.NotFound):
			return nil, err
		}
	}
	return list, err
}

// SaveReview implements review.Rows; the call's earlier review goes.
func (tx *Tx) SaveReview(ctx context.Context, r call.Review) error {
	if err := tx.savePayload(ctx, r.CallID, payloadReview, r); err != nil {
		return err
	}
	return tx.saveFound(ctx, r)
}

// NoteReview implements review.ReviewRows.
func (tx *Tx) NoteReview(ctx context.Context, callID string, number int64, f *call.Feeling, by string) error {
	sentiment, upset, frustration := "", false, -1.0
	if f != nil && len(f.Turns) > 0 {
		sentiment, upset, frustration = string(f.Sentiment), f.Upset, f.Frustration
	}
	return tx.mustChange(ctx, "call", callID,
		`UPDATE calls SET sentiment = $2, upset = $3, frustration = $4, reviewed_by = $5, review_stored = $6 WHERE id = $1`,
		callID, sentiment, flag{&upset}, frustration, by, number)
}

// ReviewedBy implements review.ReviewRows.
func (tx *Tx) ReviewedBy(ctx context.Context, callID string) (string, error) {
	return need(ctx, tx, "call", callID, scalar[string], `SELECT reviewed_by FROM calls WHERE id = $1`, callID)
}

// ReviewOf implements archive.Tx and review.ReviewRows.
func (tx *Tx) ReviewOf(ctx context.Context, callID string) (r call.Review, ok bool, err error) {
	ok, err = tx.payload(ctx, callID, payloadReview, &r)
	return r, ok, err
}

// listed is a review as ReviewsOf reads it. Where each word and segment lies is most of a review,
// and is passed over.
type listed struct {
	call.Review
	Heard struct {
		call.Heard
		Caller passedOver `json:"caller"`
		Agent  passedOver `json:"agent"`
		Turns  []struct {
			call.Turn
			Words passedOver `json:"words"`
		} `json:"turns"`
	} `json:"heard"`
}

// passedOver is any JSON that nobody asks for.
type passedOver struct{}

// UnmarshalJSON implements json.Unmarshaler.
func (*passedOver) UnmarshalJSON([]byte) error { return nil }

func (l *listed) review() call.Review {
	r := l.Review
	r.Heard = l.Heard.Heard
	for i := range l.Heard.Turns {
		r.Heard.Turns = append(r.Heard.Turns, l.Heard.Turns[i].Turn)
	}
	return r
}

// ReviewsOf implements experiment.CallRows.
func (tx *Tx) ReviewsOf(ctx context.Context, callIDs []string) (map[string]call.Review, error) {
	out := make(map[string]call.Review, len(callIDs))
	for some := range slices.Chunk(callIDs, maxParameters/2) {
		list := make([]any, len(some))
		for i, id := range some {
			list[i] = id
		}
		list = padded(list)
		reviews, err := all(ctx, tx, func(l *listed) []any { return []any{tx.packed(l)} },
			`SELECT body FROM payloads WHERE kind = '`+payloadReview+`' AND owner IN `+marks(1, len(list)), list...)
		if err != nil {
			return nil, err
		}
		for i := range reviews {
			out[reviews[i].CallID] = reviews[i].review()
		}
	}
	return out, nil
}

// BeatReview implements review.ReviewRows.
func (tx *Tx) BeatReview(ctx context.Context, callID string, now time.Time) error {
	beat, args := tx.beat(callID, now)
	return tx.mustChange(ctx, "call", callID, beat+` WHERE id = $1`, args...)
}

// BeginReview implements review.ReviewRows.
func (tx *Tx) BeginReview(ctx context.Context, callID string, now time.Time) (number int64, err error) {
	beat, args := tx.beat(callID, now)
	return need(ctx, tx, "call", callID, scalar[int64], beat+`, reviews_begun = reviews_begun + 1 WHERE id = $1 RETURNING reviews_begun`, args...)
}

// EndReview implements review.ReviewRows.
func (tx *Tx) EndReview(ctx context.Context, callID string, number int64, now time.Time) (overtaken bool, err error) {
	beat, args := tx.beat(callID, now)
	stored, err := need(ctx, tx, "call", callID, scalar[int64], beat+` WHERE id = $1 RETURNING review_stored`, args...)
	return stored > number, err
}

// beat is the beginning of a statement that records a beat on the call of $1.
func (tx *Tx) beat(callID string, now time.Time) (text string, args []any) {
	if clock, ok := tx.store.engine.(Clock); ok && now.IsZero() {
		return `UPDATE calls SET review_beat_at = ` + clock.NowMicros(), []any{callID}
	}
	if now.IsZero() {
		now = tx.store.now()
	}
	return `UPDATE calls SET review_beat_at = $2`, []any{callID, toMicros(now)}
}

// StalledReviews implements review.HeardRows. A call in SCORING that never
// beat counts as stalled, so the first beat belongs into the transaction that
// sets SCORING. So does one whose beat lies far ahead: the clock has been set back.
func (tx *Tx) StalledReviews(ctx context.Context, now time.Time, silent time.Duration, limit int) ([]string, error) {
	now, _, err := tx.timeOfLimits(ctx, now)
	if err != nil {
		return nil, err
	}
	return all(ctx, tx, scalar[string], `SELECT id FROM calls
		WHERE scoring_status = 'SCORING' AND (review_beat_at < $1 OR review_beat_at > $2) ORDER BY review_beat_at, id LIMIT $3`,
		toMicros(now.Add(-silent)), toMicros(now.Add(farAhead)), limit)
}

// farAhead is how far ahead no beat of a living process lies, whose clock may be corrected now and then.
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
