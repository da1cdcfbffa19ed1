package experiment

import (
	"slices"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
)

// stopped is what is said of calls that a shutdown broke off.
const stopped = "the service was stopped"

// merge joins what the line saw and what the caller did into the attempt.
func (p *placement) merge(o call.Attempt, canceled, interrupted bool) {
	id, number, process, started := p.attempt.ID, p.attempt.Number, p.attempt.Process, p.attempt.StartedAt
	p.attempt = o
	p.attempt.ID, p.attempt.CallID, p.attempt.Number, p.attempt.Process = id, p.call.ID, number, process
	if p.attempt.StartedAt.IsZero() {
		p.attempt.StartedAt = started
	}
	p.attempt.Timeline = append(slices.Clone(o.Timeline), p.party.Timeline()...)
	slices.SortStableFunc(p.attempt.Timeline, func(a, b call.Event) int { return int(a.At - b.At) })
	p.attempt.EndReason = endReason(o, p.party.Ending(), p.attempt.Timeline)
	switch {
	case canceled:
		p.attempt.EndReason = call.EndOf(call.EndInterrupted, "the experiment was canceled")
	case interrupted:
		p.attempt.EndReason = call.EndOf(call.EndInterrupted, stopped)
	}
}

// endReason decides between the line's view and the caller's. Who has said a
// final word is believed: the line when the far end broke off or never came,
// the caller when it hung up itself, or had given up before the agent hung up.
func endReason(o call.Attempt, ending call.EndReason, timeline []call.Event) call.EndReason {
	if o.EndReason.Code == "" {
		if ending.Code == "" {
			return call.EndOf(call.EndRingtrueError, "the call ended without giving a reason")
		}
		return ending
	}
	if o.EndReason.Code != call.EndAgentHungUp {
		return o.EndReason
	}
	if slices.ContainsFunc(timeline, reached) {
		return o.EndReason.Blaming(call.BlameNobody)
	}
	if ending.Code != "" {
		return ending
	}
	return o.EndReason
}

func reached(e call.Event) bool {
	return e.Kind == call.KindScriptDone || e.Kind == call.KindGoalReached
}

// dated counts the times of an outcome from the given beginning, so that they
// lie as far apart as they did, whatever has become of the wall clock meanwhile.
func dated(o call.Attempt, began time.Time) call.Attempt {
	from := o.StartedAt
	if from.IsZero() {
		return o
	}
	for _, t := range []*time.Time{&o.StartedAt, &o.RingingAt, &o.AnsweredAt, &o.EndedAt} {
		if !t.IsZero() {
			*t = began.Add(t.Sub(from))
		}
	}
	return o
}
