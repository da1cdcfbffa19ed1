package store

import (
	"context"
	"slices"
	"time"

	"github.com/ringtrue/ringtrue/internal/experiment"
)

// eventLife is how long an event can be read.
const eventLife = time.Hour

// Event is one step of progress that a workspace's watchers are told of.
type Event struct {
	// Seq counts up; within a workspace it is the order of the commits.
	Seq         int64
	WorkspaceID string
	At          time.Time
	Progress    experiment.Progress
}

// Announce implements experiment.Feed. The events of a transaction are written
// when it commits, behind everything else it does.
func (tx *Tx) Announce(_ context.Context, workspaceID string, p experiment.Progress) error {
	tx.events = append(tx.events, Event{WorkspaceID: workspaceID, At: tx.store.now(), Progress: p})
	return nil
}

// flushEvents writes what was announced. A reader asks for the events behind
// the last one it saw, so an event must never become visible after one with a
// higher number. Numbers alone do not promise that on PostgreSQL, where a
// transaction can take its number early and commit late. Therefore a writer
// first takes its workspace's gate, then the numbers, then commits, which
// gives the gate back. As the gate is the last thing a transaction waits for
// (and several are taken in order), this adds no deadlock.
func (tx *Tx) flushEvents(ctx context.Context) error {
	var workspaces []string
	for _, e := range tx.events {
		workspaces = append(workspaces, e.WorkspaceID)
	}
	slices.Sort(workspaces)
	for _, id := range slices.Compact(workspaces) {
		if _, err := tx.lockGate(ctx, "events:"+id); err != nil {
			return err
		}
	}
	rows := make([][]any, len(tx.events))
	for i := range tx.events {
		e := &tx.events[i]
		rows[i] = []any{e.WorkspaceID, micros{&e.At}, doc{&e.Progress}}
	}
	return tx.insert(ctx, "events", "workspace_id, at, body", rows...)
}

// EventsAfter are the workspace's events behind seq, in order.
func (s *Store) EventsAfter(ctx context.Context, workspaceID string, seq int64, limit int) (events []Event, err error) {
	err = s.Read(ctx, func(tx *Tx) error {
		events, err = all(ctx, tx, func(e *Event) []any {
			return []any{&e.Seq, &e.WorkspaceID, micros{&e.At}, doc{&e.Progress}}
		}, `SELECT seq, workspace_id, at, body FROM events WHERE workspace_id = $1 AND seq > $2 ORDER BY seq LIMIT $3`,
			workspaceID, seq, limit)
		return err
	})
	return events, err
}

// LastEventSeq is the number of the workspace's newest event, 0 when there is none.
func (s *Store) LastEventSeq(ctx context.Context, workspaceID string) (seq int64, err error) {
	err = s.Read(ctx, func(tx *Tx) error {
		seq, _, err = one(ctx, tx, scalar[int64], `SELECT COALESCE(MAX(seq), 0) FROM events WHERE workspace_id = $1`, workspaceID)
		return err
	})
	return seq, err
}

// Trim removes events, idempotency keys, sessions and invitations that have outlived their time. It
// is for a periodic job; running it in several processes does no harm.
func (s *Store) Trim(ctx context.Context) error {
	if t, ok := s.engine.(Trimmer); ok {
		if err := t.Trim(ctx); err != nil {
			return s.told(err)
		}
	}
	return s.Write(ctx, func(tx *Tx) error {
		now := s.now()
		if _, err := tx.exec(ctx, `DELETE FROM events WHERE at < $1`, toMicros(now.Add(-eventLife))); err != nil {
			return err
		}
		if _, err := tx.exec(ctx, `DELETE FROM idempotency_keys WHERE created_at < $1`, toMicros(now.Add(-keyLife))); err != nil {
			return err
		}
		return tx.trimPeople(ctx, now)
	})
}
