package store

import (
	"context"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/experiment"
)

// concurrencyWait is the pause before the next try while all places are taken, because nobody knows
// when a call will end.
const concurrencyWait = 250 * time.Millisecond

// side is one of the two limits that an attempt counts against: its trunk's or its agent's.
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
	sides := sidesOf(l)
	next, err := tx.lockSides(ctx, sides)
	if err != nil {
		return experiment.Claim{}, err
	}
	now, since, err := tx.timeOfLimits(ctx, now)
	if err != nil {
		return experiment.Claim{}, err
	}
	for i, s := range sides {
		held, err := tx.heldBack(ctx, s, next[i], now)
		if err != nil || held.Limit != "" {
			return held, err
		}
	}
	if err := tx.setGates(ctx, sides, now); err != nil {
		return experiment.Claim{}, err
	}
	err = tx.insert(ctx, "attempts", attemptColumns+", trunk, agent_id, beat_at",
		append(attemptFields(&a), l.Trunk, l.AgentID, toMicros(now)))
	return experiment.Claim{OK: err == nil, At: now, Since: since()}, err
}

// ClaimAgain implements experiment.AttemptRows. A gate that still stands where
// the call's own turn has put it lets the call through late; past it others have
// been let through since.
func (tx *Tx) ClaimAgain(ctx context.Context, l experiment.Limits, had, now time.Time) (experiment.Claim, error) {
	sides := sidesOf(l)
	next, err := tx.lockSides(ctx, sides)
	if err != nil {
		return experiment.Claim{}, err
	}
	now, since, err := tx.timeOfLimits(ctx, now)
	if err != nil {
		return experiment.Claim{}, err
	}
	for i, s := range sides {
		if s.perSecond <= 0 || toMicros(next[i]) == toMicros(had.Add(s.spacing())) {
			continue
		}
		held, err := tx.tooSoon(ctx, s, next[i], now)
		if err != nil || held.Limit != "" {
			return held, err
		}
	}
	err = tx.setGates(ctx, sides, now)
	return experiment.Claim{OK: err == nil, At: now, Since: since()}, err
}

// setGates lets the next call through when the spacing of each side has passed.
func (tx *Tx) setGates(ctx context.Context, sides []side, now time.Time) error {
	for _, s := range sides {
		if s.perSecond <= 0 {
			continue
		}
		if err := tx.setGate(ctx, s, now.Add(s.spacing())); err != nil {
			return err
		}
	}
	return nil
}

// sidesOf are the sides in the order in which they are locked.
func sidesOf(l experiment.Limits) []side {
	return []side{
		{"trunk", "trunk", l.Trunk, l.TrunkCallsPerSecond, l.TrunkConcurrentCalls},
		{"agent", "agent_id", l.AgentID, l.AgentCallsPerSecond, l.AgentConcurrentCalls},
	}
}

func (s side) gate() string { return s.name + ":" + s.id }

// spacing is the least time between the beginnings of two calls.
func (s side) spacing() time.Duration { return time.Duration(float64(time.Second) / s.perSecond) }

// lockSides locks the gates of the sides that have limits, and returns when each lets the next call
// through.
func (tx *Tx) lockSides(ctx context.Context, sides []side) (next []time.Time, err error) {
	next = make([]time.Time, len(sides))
	for i, s := range sides {
		if s.perSecond <= 0 && s.concurrent <= 0 {
			continue
		}
		if next[i], err = tx.lockGate(ctx, s.gate()); err != nil {
			return nil, err
		}
	}
	return next, nil
}

// timeOfLimits is now, or the engine's own time for a zero now, and a function that tells how long
// ago that was: on a busy machine the statements that follow take their time. It is asked for after
// the gates are locked, so that it never lies before what they say.
func (tx *Tx) timeOfLimits(ctx context.Context, now time.Time) (_ time.Time, since func() time.Duration, err error) {
	given := func() time.Duration { return 0 }
	if !now.IsZero() {
		return now, given, nil
	}
	clock, ok := tx.store.engine.(Clock)
	if !ok {
		return tx.store.now(), given, nil
	}
	micros, err := need(ctx, tx, "time", "", scalar[int64], `SELECT `+clock.NowMicros())
	read := time.Now()
	return fromMicros(micros), func() time.Duration { return time.Since(read) }, err
}

// heldBack returns what holds the call back, if anything does.
func (tx *Tx) heldBack(ctx context.Context, s side, next, now time.Time) (experiment.Claim, error) {
	if held, err := tx.tooSoon(ctx, s, next, now); err != nil || held.Limit != "" {
		return held, err
	}
	if s.concurrent <= 0 {
		return experiment.Claim{}, nil
	}
	alive, _, err := one(ctx, tx, scalar[int], `SELECT COUNT(*) FROM attempts
		WHERE ended_at = 0 AND `+s.column+` = $1`, s.id)
	if err == nil && alive >= s.concurrent {
		return experiment.Claim{Limit: s.name + "_concurrency", Wait: concurrencyWait}, nil
	}
	return experiment.Claim{}, err
}

// tooSoon reports whether the rate holds the call back. A gate that is closed for longer than the
// spacing was set by a clock that has been set back since, and is set anew.
func (tx *Tx) tooSoon(ctx context.Context, s side, next, now time.Time) (experiment.Claim, error) {
	if s.perSecond <= 0 || !next.After(now) {
		return experiment.Claim{}, nil
	}
	wait := next.Sub(now)
	if wait > s.spacing()+time.Millisecond {
		wait = s.spacing()
		if err := tx.setGate(ctx, s, now.Add(wait)); err != nil {
			return experiment.Claim{}, err
		}
	}
	return experiment.Claim{Limit: s.name + "_rate", Wait: wait}, nil
}

func (tx *Tx) setGate(ctx context.Context, s side, next time.Time) error {
	_, err := tx.exec(ctx, `UPDATE gates SET next_at = $2 WHERE name = $1`, s.gate(), toMicros(next))
	return err
}

// lockGate locks the gate until the transaction ends, and makes it when it is new.
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
