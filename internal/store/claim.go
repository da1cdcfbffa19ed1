package store

import (
	"context"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/experiment"
)

const (
	// attemptSilence is how long an attempt without a beat still counts as a call on the line.
	attemptSilence = 30 * time.Second
	// concurrencyWait is when to ask again while all places are taken; nobody
	// knows when a call will end.
	concurrencyWait = 250 * time.Millisecond
)

// side is one of the two things whose limits an attempt counts against.
type side struct {
	name       string // "trunk" or "agent"
	column     string // of attempts
	id         string
	perSecond  float64
	concurrent int
}

// Claim implements experiment.AttemptRows. Whoever claims holds the gates of
// the trunk and of the agent, in this order, until the transaction ends: so
// the count is exact over all processes. A rate is a spacing: 2 calls per
// second means that starts lie at least 500 ms apart.
func (tx *Tx) Claim(ctx context.Context, a call.Attempt, l experiment.Limits, now time.Time) (experiment.Claim, error) {
	sides := []side{
		{"trunk", "trunk", l.Trunk, l.TrunkCallsPerSecond, l.TrunkConcurrentCalls},
		{"agent", "agent_id", l.AgentID, l.AgentCallsPerSecond, l.AgentConcurrentCalls},
	}
	for _, s := range sides {
		held, err := tx.heldBack(ctx, s, now)
		if err != nil || held.Limit != "" {
			return held, err
		}
	}
	for _, s := range sides {
		if s.perSecond <= 0 {
			continue
		}
		next := now.Add(time.Duration(float64(time.Second) / s.perSecond))
		if _, err := tx.exec(ctx, `UPDATE gates SET next_at = $2 WHERE name = $1`, s.gate(), toMicros(next)); err != nil {
			return experiment.Claim{}, err
		}
	}
	err := tx.insert(ctx, "attempts", attemptColumns+", trunk, agent_id, beat_at",
		append(attemptFields(&a), l.Trunk, l.AgentID, toMicros(now)))
	return experiment.Claim{OK: err == nil}, err
}

func (s side) gate() string { return s.name + ":" + s.id }

// heldBack locks the side's gate and tells what holds the call back, if anything.
func (tx *Tx) heldBack(ctx context.Context, s side, now time.Time) (experiment.Claim, error) {
	if s.perSecond <= 0 && s.concurrent <= 0 {
		return experiment.Claim{}, nil
	}
	next, err := tx.lockGate(ctx, s.gate())
	if err != nil {
		return experiment.Claim{}, err
	}
	if s.perSecond > 0 && next.After(now) {
		return experiment.Claim{Limit: s.name + "_rate", Wait: next.Sub(now)}, nil
	}
	if s.concurrent <= 0 {
		return experiment.Claim{}, nil
	}
	alive, _, err := one(ctx, tx, scalar[int], `SELECT COUNT(*) FROM attempts
		WHERE ended_at = 0 AND beat_at > $1 AND `+s.column+` = $2`, toMicros(now.Add(-attemptSilence)), s.id)
	if err == nil && alive >= s.concurrent {
		return experiment.Claim{Limit: s.name + "_concurrency", Wait: concurrencyWait}, nil
	}
	return experiment.Claim{}, err
}

// lockGate holds the gate until the transaction ends, and makes it when it is new.
func (tx *Tx) lockGate(ctx context.Context, name string) (next time.Time, err error) {
	text := `SELECT next_at FROM gates WHERE name = $1` + tx.store.engine.LockClause()
	fields := func(t *time.Time) []any { return []any{micros{t}} }
	next, ok, err := one(ctx, tx, fields, text, name)
	if err != nil || ok {
		return next, err
	}
	if _, err := tx.exec(ctx, `INSERT INTO gates (name, next_at) VALUES ($1, 0) ON CONFLICT DO NOTHING`, name); err != nil {
		return next, err
	}
	return need(ctx, tx, "gate", name, fields, text, name)
}
