package experiment

import (
	"context"
	"slices"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
)

func (t fakeTx) Claim(_ context.Context, a call.Attempt, l Limits, now time.Time) (Claim, error) {
	live := 0
	for _, other := range t.attempts {
		if other.EndedAt.IsZero() {
			live++
		}
	}
	if l.TrunkConcurrentCalls > 0 && live >= l.TrunkConcurrentCalls {
		return Claim{Wait: time.Second, Limit: "trunk_concurrency"}, nil
	}
	t.attempts[a.ID], t.beatAt[a.ID] = a, now
	return Claim{OK: true}, nil
}

func (t fakeTx) ClaimAgain(_ context.Context, _ Limits, _, now time.Time) (Claim, error) {
	*t.again++
	return Claim{OK: true, At: now, Since: *t.since}, nil
}

func (t fakeTx) BeatAttempt(_ context.Context, id string, now time.Time) (bool, error) {
	if !t.attempts[id].EndedAt.IsZero() {
		return false, nil
	}
	t.beats[id]++
	t.beatAt[id] = now
	return true, nil
}

func (t fakeTx) EndAttempt(_ context.Context, a call.Attempt) (bool, error) {
	if !t.attempts[a.ID].EndedAt.IsZero() {
		return false, nil
	}
	t.attempts[a.ID] = a
	return true, nil
}

func (t fakeTx) SaveReference(_ context.Context, attemptID, reference string) error {
	t.references[attemptID] = reference
	return nil
}

func (t fakeTx) ReferenceOf(_ context.Context, attemptID string) (string, error) {
	return t.references[attemptID], nil
}

func (t fakeTx) OpenAttempts(context.Context) ([]Pulse, error) {
	var out []Pulse
	for id, a := range t.attempts {
		if a.EndedAt.IsZero() {
			out = append(out, Pulse{Attempt: a, Beat: t.beats[id], At: t.beatAt[id]})
		}
	}
	return out, nil
}

func (t fakeTx) AttemptsOf(_ context.Context, callID string) ([]call.Attempt, error) {
	var out []call.Attempt
	for _, a := range t.attempts {
		if a.CallID == callID {
			out = append(out, a)
		}
	}
	slices.SortFunc(out, func(a, b call.Attempt) int { return a.Number - b.Number })
	return out, nil
}
