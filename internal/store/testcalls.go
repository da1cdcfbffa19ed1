package store

import (
	"context"
	"strings"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/calllog"
)

const (
	// matchWindow is how far an agent's idea of a call's start may lie from ours.
	matchWindow = 2 * time.Minute
	// matchMargin is how much nearer than the next a call must be to be taken.
	matchMargin = 2 * time.Second
)

// TestCall implements calllog.Tx. Without our id the nearest call between the
// numbers is taken, unless another one started nearly as near: a wrong link
// would be false evidence.
func (tx *Tx) TestCall(ctx context.Context, workspaceID string, m calllog.Match) (call.Call, bool, error) {
	if m.CallID != "" {
		return one(ctx, tx, callFields, `SELECT `+callColumns+` FROM calls
			WHERE workspace_id = $1 AND id = $2 AND origin = 'simulated'`, workspaceID, m.CallID)
	}
	from, to := digits(m.From), digits(m.To)
	if from == "" || to == "" || m.StartedAt.IsZero() {
		return call.Call{}, false, nil
	}
	at, low, high := toMicros(m.StartedAt), toMicros(m.StartedAt.Add(-matchWindow)), toMicros(m.StartedAt.Add(matchWindow))
	// An answer is at most matchWindow late, so a start lies within twice that. The nearest
	// and the next tell all: of a large test there may be any number.
	found, err := all(ctx, tx, callFields, `SELECT `+callColumns+` FROM calls
		WHERE workspace_id = $1 AND origin = 'simulated' AND to_digits = $2 AND from_digits = $3
		AND started_at BETWEEN $7 AND $5 AND (started_at >= $4 OR answered_at BETWEEN $4 AND $5)
		ORDER BY CASE WHEN answered_at > 0 AND ABS(answered_at - $6) < ABS(started_at - $6) THEN ABS(answered_at - $6) ELSE ABS(started_at - $6) END
		LIMIT 2`, workspaceID, to, from, low, high, at, max(1, toMicros(m.StartedAt.Add(-2*matchWindow))))
	if err != nil || len(found) == 0 {
		return call.Call{}, false, err
	}
	best, unclear := nearest(found, m.StartedAt)
	return found[best], !unclear, nil
}

// nearest is the call that started nearest to at; unclear when another one did nearly so.
func nearest(calls []call.Call, at time.Time) (best int, unclear bool) {
	distance := func(c *call.Call) time.Duration {
		d := c.StartedAt.Sub(at).Abs()
		if !c.AnsweredAt.IsZero() {
			d = min(d, c.AnsweredAt.Sub(at).Abs())
		}
		return d
	}
	for i := range calls {
		if distance(&calls[i]) < distance(&calls[best]) {
			best = i
		}
	}
	for i := range calls {
		if i != best && distance(&calls[i])-distance(&calls[best]) < matchMargin {
			return best, true
		}
	}
	return best, false
}

// digits are the digits of a telephone number, whatever it is dressed in.
func digits(number string) string {
	number = strings.TrimPrefix(strings.TrimPrefix(number, "sips:"), "sip:")
	number, _, _ = strings.Cut(number, "@")
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, number)
}
